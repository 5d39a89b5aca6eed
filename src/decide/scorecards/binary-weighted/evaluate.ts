import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { OutcomeRule, ScorecardResult, Verdict } from '../../../core/schema/verdict.ts';
import { formatPoints } from '../weighted-total.ts';
import {
  barredBy,
  findOutcomes,
  isReached,
  type OutcomeRange,
  type OutcomeRules,
  passesWith,
} from './outcome-rules.ts';
import { type BinaryCriterion, type Mark, readMarks, scoreRange, type ScoreRange } from './read-marks.ts';

/** Returns the result of a trial: score, outcome and an explanation in whole sentences. */
export function evaluateMarks(
  criteria: readonly BinaryCriterion[],
  outcomes: OutcomeRules,
  verdicts: ReadonlyMap<string, Verdict>,
): ScorecardResult {
  const marks = readMarks(criteria, verdicts);
  const score = scoreRange(marks);
  if (score === undefined) return nothingApplies();
  const possible = findOutcomes(marks, score, outcomes);
  const { total, lower, upper, scale } = score;
  const clauses = [...describeCriteria(marks, scale), describeOutcome({ marks, score, outcomes, possible })];
  return {
    total,
    lower,
    upper,
    grade: null,
    outcome: possible.best === possible.worst ? (outcomes.rules[possible.best]?.outcome ?? null) : null,
    passed: passesWith(possible, outcomes),
    explanation: clauses.map(toSentence).join(' '),
  };
}

function nothingApplies(): ScorecardResult {
  return {
    total: null,
    lower: 0,
    upper: 1,
    grade: null,
    outcome: null,
    passed: null,
    explanation: 'No criterion applies.',
  };
}

/** All that determines an outcome. */
interface OutcomeGrounds {
  readonly marks: readonly Mark[];
  readonly score: ScoreRange;
  readonly outcomes: OutcomeRules;
  readonly possible: OutcomeRange;
}

/** Returns a clause on the score and the outcome, and on what a better outcome requires. */
function describeOutcome({ marks, score, outcomes, possible }: OutcomeGrounds): string {
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

/** Returns why the trial does not have the next better outcome; an empty text when that is obvious. */
function whyNotBetter({ marks, outcomes, place, total }: Shortfall): string {
  const rule = outcomes.rules[place - 1];
  if (rule === undefined) return '';
  if (!isReached(rule, total)) return describeThreshold(rule);
  const missed = marks.filter(({ isMet }) => isMet === false);
  const barring = missed.filter(({ criterion }) => barredBy(criterion, outcomes).includes(rule.outcome));
  if (barring.length > 0) return `${describeBar(barring)} it cannot be ${withArticle(rule.outcome)}`;
  return `${withArticle(rule.outcome)} also takes ${inWords(rule.when ?? '')}`;
}

/** Describes the criteria that bar an outcome: `without own calendar`, or `with double booking` for a negative one. */
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

/** Returns clauses on what was met, what was missed and its cost, and what is not known; each can be a sentence. */
function describeCriteria(marks: readonly Mark[], scale: number): string[] {
  const unknown = marks.filter(({ truth }) => truth === 'not-measured');
  const inapplicable = marks.filter(({ truth }) => truth === 'not-applicable');
  return [
    describeKnown(marks, scale),
    describeUnmeasured(unknown, marks.length),
    describeInapplicable(inapplicable),
  ].filter((clause) => clause !== '');
}

function describeKnown(marks: readonly Mark[], scale: number): string {
  const met = marks.filter(({ isMet }) => isMet === true);
  const missed = marks.filter(({ isMet }) => isMet === false);
  if (met.length === marks.length && !met.some((mark) => phraseOf(mark) !== undefined)) {
    return met.length === 1 ? `${met.map(nameOf).join('')} was met` : `all ${met.length} criteria were met`;
  }
  const gains = listOf(gainClauses(met));
  const losses = listOf(lossClauses(missed, scale));
  return [gains, losses].filter((clause) => clause !== '').join(', but ');
}

/**
 * Returns clauses on met criteria. A negative criterion that is not true is mentioned only when the user gave a phrase
 * for it.
 */
function gainClauses(met: readonly Mark[]): string[] {
  const names = met.filter((mark) => phraseOf(mark) === undefined && !isNegative(mark)).map(nameOf);
  return [...met.flatMap((mark) => phraseOf(mark) ?? []), ...clause(names, 'was met', 'were met')];
}

function lossClauses(missed: readonly Mark[], scale: number): string[] {
  const withCost = (mark: Mark, words: string) => `${words}${costOf(mark, scale)}`;
  const phrases = missed.flatMap((mark) => {
    const phrase = phraseOf(mark);
    return phrase === undefined ? [] : [withCost(mark, phrase)];
  });
  const others = missed.filter((mark) => phraseOf(mark) === undefined);
  const named = (group: readonly Mark[]) => group.map((mark) => withCost(mark, nameOf(mark)));
  return [
    ...phrases,
    ...clause(named(others.filter((mark) => !isNegative(mark))), 'was not met', 'were not met'),
    ...clause(named(others.filter(isNegative)), 'counts against it', 'count against it'),
  ];
}

/** Describes unmeasured criteria. A shared reason, such as a missing answer, is mentioned once. */
function describeUnmeasured(unknown: readonly Mark[], all: number): string {
  const groups = Map.groupBy(unknown, ({ note }) => asNote(note));
  if (unknown.length === all && all > 1 && groups.size === 1) {
    return `nothing was measured${inBrackets([...groups.keys()][0])}`;
  }
  const names = Array.from(groups, ([note, marks]) => `${listOf(marks.map(nameOf))}${inBrackets(note)}`);
  return unknown.length === 0 ? '' : `${listOf(names)} ${unknown.length === 1 ? 'was' : 'were'} not measured`;
}

function describeInapplicable(marks: readonly Mark[]): string {
  const names = marks.map(nameWithNote);
  return clause(names, 'does not apply', 'do not apply').join('');
}

function isNegative({ criterion }: Mark): boolean {
  return criterion.negative === true;
}

/** Returns a clause about the named criteria; an empty list when there are none. */
function clause(names: readonly string[], ofOne: string, ofSeveral: string): string[] {
  if (names.length === 0) return [];
  return [`${listOf(names)} ${names.length === 1 ? ofOne : ofSeveral}`];
}

/** Returns the user's phrase for a criterion's result; undefined when its name is to be used. */
function phraseOf({ criterion, truth }: Mark): string | undefined {
  if (truth === 'true') return criterion.whenTrue;
  return truth === 'false' ? criterion.whenFalse : undefined;
}

/** Returns the name of a criterion in words. */
function nameOf({ criterion }: Mark): string {
  return inWords(criterion.name);
}

/** Returns the name with the metric's explanation: `correct time (10:00 instead of 11:00)`. */
function nameWithNote(mark: Mark): string {
  return `${nameOf(mark)}${inBrackets(asNote(mark.note))}`;
}

/**
 * Returns the cost of a missed criterion and the reason in brackets: `(−0.25: 10:00 instead of 11:00)`.
 * @param scale - The divisor of weights of criteria that are not negative.
 */
function costOf({ criterion, note }: Mark, scale: number): string {
  const share = criterion.negative === true ? criterion.weight : criterion.weight / scale;
  return inBrackets(share === 0 ? undefined : `−${formatPoints(share)}`, asNote(note));
}

const longestNote = 160;

/** Joins items to a list in a sentence: `a`, `a and b`, `a, b and c`. */
export function listOf(items: readonly string[], last: 'and' | 'or' = 'and'): string {
  const [end = '', ...others] = items.toReversed();
  return others.length === 0 ? end : `${others.toReversed().join(', ')} ${last} ${end}`;
}

/** Converts a clause to a sentence with a capital letter and a full stop. */
export function toSentence(clause: string): string {
  const end = /[.!?…]$/.test(clause) ? '' : '.';
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${end}`;
}

/** Returns the name of a criterion or an outcome in words: `correct_time` is `correct time`. */
export function inWords(name: string): string {
  return name.replace(/(?<=[\p{L}\p{N}])[_-]+(?=[\p{L}\p{N}])/gu, ' ');
}

/** Returns the name of an outcome in words with its article: `a graceful failure`. */
export function withArticle(outcome: string): string {
  const words = inWords(outcome);
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`;
}

/**
 * Joins the parts that are present, such as a cost and a reason, in brackets after a space; an empty text without any.
 */
export function inBrackets(...parts: readonly (string | undefined)[]): string {
  const present = parts.filter((part) => part !== undefined && part !== '').join(': ');
  return present === '' ? '' : ` (${present})`;
}

/** Returns an explanation of a metric as part of a sentence: one line of limited length without a full stop. */
export function asNote(note: string | undefined): string | undefined {
  return note === undefined ? undefined : shorten(note.trim(), longestNote).replace(/(?<!\.)\.$/, '');
}
