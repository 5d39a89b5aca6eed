import type { OutcomeRule } from '../../schema/scorecard-result.ts';
import { formatPoints } from '../format-points.ts';
import { barredBy, isReached, type OutcomeRange } from './find-outcome.ts';
import { nameOf } from './name-criteria.ts';
import type { OutcomeRules } from './outcome-rules.ts';
import type { Mark } from './read-marks.ts';
import type { ScoreRange } from './score-range.ts';
import { inWords, listOf, withArticle } from './sentence.ts';

/** All that an outcome follows from. */
export interface OutcomeGrounds {
  readonly marks: readonly Mark[];
  readonly score: ScoreRange;
  readonly outcomes: OutcomeRules;
  readonly possible: OutcomeRange;
}

/** A clause on the score and the outcome, and on what a better one would take. */
export function describeOutcome({ marks, score, outcomes, possible }: OutcomeGrounds): string {
  const { total, lower, upper } = score;
  const { best, worst } = possible;
  const [better, worse] = [outcomes.rules[best], outcomes.rules[worst]].map((rule) => rule?.outcome ?? '');
  if (best !== worst) {
    const outcome =
      worst - best === 1
        ? listOf([withArticle(worse ?? ''), withArticle(better ?? '')], 'or')
        : `anything from ${withArticle(worse ?? '')} to ${withArticle(better ?? '')}`;
    return total === null
      ? `${rangeOf(lower, upper)}: ${outcome}`
      : `that makes ${formatPoints(total)}, ${outcome}`;
  }
  const outcome = withArticle(better ?? '');
  if (total === null) return `${rangeOf(lower, upper)}: ${outcome} in any case`;
  const why = whyNotBetter({ marks, outcomes, place: best, total });
  return `that makes ${formatPoints(total)}, ${outcome}${why === '' ? '' : `; ${why}`}`;
}

function rangeOf(lower: number, upper: number): string {
  const [least, most] = [formatPoints(lower), formatPoints(upper)];
  return least === most ? `the score is ${least}` : `the score lies between ${least} and ${most}`;
}

interface Shortfall {
  readonly marks: readonly Mark[];
  readonly outcomes: OutcomeRules;
  readonly place: number;
  readonly total: number;
}

/** Why it is not the outcome before; nothing where that goes without saying. */
function whyNotBetter({ marks, outcomes, place, total }: Shortfall): string {
  const rule = outcomes.rules[place - 1];
  if (rule === undefined) return '';
  if (!isReached(rule, total)) return describeThreshold(rule);
  const missed = marks.filter(({ isMet }) => isMet === false);
  const barring = missed.filter(({ criterion }) => barredBy(criterion, outcomes).includes(rule.outcome));
  if (barring.length > 0) return `${describeBar(barring)} it cannot be ${withArticle(rule.outcome)}`;
  return `${withArticle(rule.outcome)} also takes ${inWords(rule.when ?? '')}`;
}

/** `without own calendar`, or `with double booking` where that is bad. */
function describeBar(barring: readonly Mark[]): string {
  const [missing, wrong] = [false, true].map((isWrong) =>
    barring.filter(({ criterion }) => (criterion.negative === true) === isWrong).map(nameOf),
  );
  const lists = [missing, wrong].map((names = []) => listOf(names));
  return listOf(
    ['without', 'with'].flatMap((word, index) => (lists[index] ? [`${word} ${lists[index]}`] : [])),
  );
}

function describeThreshold({ outcome, from, above }: OutcomeRule): string {
  if (above === undefined || above < from) return `${withArticle(outcome)} takes ${formatPoints(from)}`;
  return above === 0 ? '' : `${withArticle(outcome)} takes more than ${formatPoints(above)}`;
}
