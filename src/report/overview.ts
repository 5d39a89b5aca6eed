import type { JudgeSummary } from '../schema/usage.ts';
import type { Run } from '../schema/run.ts';
import type { Grade } from '../schema/verdict.ts';
import type { TargetSummary } from '../schema/summary.ts';
import type { ReportedTarget } from './findings.ts';
import {
  formatCount,
  formatInterval,
  formatMoney,
  formatPercent,
  formatPlural,
  formatWeight,
} from './format.ts';
import { calledCount, errorCount } from './headline.ts';
import { type Phrase, quote } from './phrase.ts';

/**
 * What has to be said of shares that stand beside counts of trials and are not their quotient: the attempts at a question are
 * averaged first, so a question with fewer of them counts as much as any other. Undefined where all agree.
 */
export function averagedNote({ run, target }: ReportedTarget): string | undefined {
  const { counts, passRate, errorRate, outcomes = [], criteria = [] } = target;
  if (run.attempts === 1) return undefined;
  const withOutcome = outcomes.reduce((sum, { trials }) => sum + trials, 0);
  const shares = [
    ...(run.scorecard === null ? [] : [{ count: counts.passed, of: counts.measured, share: passRate }]),
    { count: errorCount(counts), of: calledCount(counts), share: errorRate },
    ...outcomes.map(({ trials, share }) => ({ count: trials, of: withOutcome, share })),
    ...criteria.map(({ unmet, measured, share }) => ({ count: unmet, of: measured, share })),
  ];
  const isAveraged = shares.some(
    ({ count, of, share: { value } }) =>
      value !== null && of > 0 && formatPercent(count / of) !== formatPercent(value),
  );
  return isAveraged
    ? 'Counts are of attempts; shares are means over questions, each with its attempts averaged first.'
    : undefined;
}

/** More categories than these are not all named. */
const mostNamed = 6;

/** The score and the pass rate with categories weighted, and by what; empty where the configuration weighs none. */
export function weightedParts({ weighted }: Pick<TargetSummary, 'weighted'>): Phrase[] {
  if (weighted === undefined) return [];
  const { score, passRate, categories } = weighted;
  if (score.value === null) return [[`not measured: ${score.reason ?? 'a category has no values'}`]];
  const shares = Object.entries(categories).toSorted(([, a], [, b]) => b - a);
  const named = shares
    .slice(0, mostNamed)
    .map(([category, share]) => [quote(category), ` ${formatWeight(share)}`]);
  const others =
    shares.length > mostNamed ? [[`${formatCount(shares.length - mostNamed)} more categories`]] : [];
  return [
    [`score ${formatPercent(score.value)} ${formatInterval(score)}`.trim()],
    [`passed ${formatPercent(passRate.value)} ${formatInterval(passRate)}`.trim()],
    ...named,
    ...others,
  ];
}

/**
 * What judging took, part by part, apart from what the targets took: judgements asked for and found, calls, tokens and
 * cost, and the verdicts that are missing. What calls did not report is said to be unknown, with their number.
 */
export function judgeParts(judge: JudgeSummary): string[] {
  const { asked, cached, failed, calls, inputTokens, outputTokens, cost } = judge;
  const unknown =
    calls > 0 && cost.unknown > 0 ? [`cost unknown for ${formatPlural(cost.unknown, 'call')}`] : [];
  return [
    `${formatPlural(asked, 'judgement')} in ${formatPlural(calls, 'call')}`,
    ...(cached === 0 ? [] : [`${formatCount(cached)} known before, not paid again`]),
    ...(inputTokens.sum === null ? [] : [`${formatCount(inputTokens.sum)} tokens in`]),
    ...(outputTokens.sum === null ? [] : [`${formatCount(outputTokens.sum)} tokens out`]),
    ...(cost.sum === null ? [] : [formatMoney(cost.sum)]),
    ...unknown,
    ...(failed === 0 ? [] : [`${formatPlural(failed, 'verdict')} missing because the judge failed`]),
  ];
}

/** Totals are compared with this tolerance, as by the scorecards. */
const tolerance = 1e-9;

/** One grade of a scorecard: how many answers got it, and what it means in words. */
interface GradeCount {
  readonly grade: string;
  readonly count: number;
  readonly meaning: string;
}

/** How many answers of a target got each grade, best grade first; grades that nobody got are there with 0. */
export function gradeCounts(run: Run, target: TargetSummary): GradeCount[] {
  const known = gradesOf(run);
  const grades = new Set([...known.map(({ grade }) => grade), ...Object.keys(target.grades)]);
  return [...grades].map((grade) => ({
    grade,
    count: target.grades[grade] ?? 0,
    meaning: known.find((one) => one.grade === grade)?.meaning ?? '',
  }));
}

/** What the score of a target means by the grades of its scorecard, and what to do; undefined where nothing is said of it. */
export function standingOf(run: Run, { score: { value } }: Pick<TargetSummary, 'score'>): string | undefined {
  if (value === null) return undefined;
  const reached = gradesOf(run).find(({ from }) => value >= from - tolerance);
  if (reached === undefined || reached.meaning === '') return undefined;
  const action = reached.action === undefined ? '' : `: ${reached.action}`;
  return `${formatPercent(value)} on average is ${reached.grade}, ${reached.meaning}${action}`;
}

function gradesOf(run: Run): Grade[] {
  return (run.scorecard?.grades ?? []).toSorted((a, b) => b.from - a.from);
}
