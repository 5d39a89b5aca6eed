import type { DifferenceList } from '../../../core/schema/api/comparison/comparison-view.ts';
import type { ListedCases, PairComparison, RunDifference } from '../../../core/schema/run-comparison.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { formatCount, formatQuantity } from '../format.ts';

/** Cases that a comparison does not cover, or not wholly, with the reason. */
export interface UncoveredCases {
  readonly reason: string;
  readonly cases: ListedCases;
}

/** Lists the cases that could not be paired or were measured in only one run. */
export function listUncovered({ pairing, notMeasured }: PairComparison): UncoveredCases[] {
  const parts: UncoveredCases[] = [
    { reason: 'only in A', cases: pairing.onlyA },
    { reason: 'only in B', cases: pairing.onlyB },
    { reason: 'edited (same id, other content)', cases: pairing.edited },
    { reason: 'not measured in A alone', cases: notMeasured.inA },
    { reason: 'not measured in B alone', cases: notMeasured.inB },
  ];
  return parts.filter(({ cases }) => cases.count > 0);
}

/** The rows of a comparison, grouped by what they measure. */
export interface GroupedRows {
  readonly quality: readonly RunDifference[];
  readonly categories: readonly RunDifference[];
  /** Times, tokens and costs. */
  readonly effort: readonly RunDifference[];
}

const ofEffort: readonly RunDifference['measure'][] = ['latency', 'input-tokens', 'output-tokens', 'cost'];

/** Groups the rows of a comparison that have values. */
export function groupRows({ differences }: { readonly differences: readonly RunDifference[] }): GroupedRows {
  const measured = differences.filter(({ difference }) => difference.n > 0);
  const isEffort = ({ measure }: RunDifference) => ofEffort.includes(measure);
  return {
    quality: measured.filter((row) => row.measure !== 'category' && !isEffort(row)),
    categories: measured.filter(({ measure }) => measure === 'category'),
    effort: measured.filter(isEffort),
  };
}

/** Returns the reach of the axis around 0 on which rows of the same unit are drawn. */
export function reachOf(rows: readonly RunDifference[]): number {
  const ends = rows.flatMap(({ difference: { value, lower, upper } }) => [value, lower, upper]);
  const reach = Math.max(0, ...ends.map((end) => Math.abs(end ?? 0)));
  return reach === 0 ? 1 : reach;
}

/** Returns the reach of the axis of each row: one axis for each unit, as points and words cannot share one. */
export function reachByUnit(rows: readonly RunDifference[]): (row: RunDifference) => number {
  const reaches = new Map(
    Array.from(
      Map.groupBy(rows, ({ unit }) => unit),
      ([unit, some]) => [unit, reachOf(some)],
    ),
  );
  return (row) => reaches.get(row.unit) ?? reachOf([row]);
}

/** Formats the number of pairs with a number in both runs: `60`, or `58/60` when some have none. */
export function formatPairs({ difference, pairs }: RunDifference): string {
  return difference.n === pairs ? formatCount(pairs) : `${formatCount(difference.n)}/${formatCount(pairs)}`;
}

/** A cell of the table of passes in both runs. */
export interface PassCell {
  readonly count: number;
  /** The filter that lists the cases. */
  readonly where: string;
}

/** The passes of two runs against each other, as McNemar's test counts them. */
export interface PassTable {
  readonly both: PassCell;
  readonly onlyA: PassCell;
  readonly onlyB: PassCell;
  readonly neither: PassCell;
  /** Pairs in none of the cells: not measured in a run, or passed in exactly half of the attempts. */
  readonly rest: number;
}

/** Counts in which of two runs cases passed; undefined when no case passed or failed in both. */
export function passTable(pair: PairComparison): PassTable | undefined {
  const { passedInBoth, failedInBoth, flipsToWorse, flipsToBetter, pairing } = pair;
  const known = passedInBoth + failedInBoth + flipsToWorse + flipsToBetter;
  if (known === 0) return undefined;
  const where = (a: boolean, b: boolean) => `a.passed=${a} b.passed=${b}`;
  return {
    both: { count: passedInBoth, where: where(true, true) },
    onlyA: { count: flipsToWorse, where: where(true, false) },
    onlyB: { count: flipsToBetter, where: where(false, true) },
    neither: { count: failedInBoth, where: where(false, false) },
    rest: pairing.pairs - known,
  };
}

/** The verdict of a metric on one answer, in words. */
export interface WordedVerdict {
  readonly words: string;
  /** The explanation or the reason; empty without one. */
  readonly explanation: string;
}

/** The verdicts of a metric on two answers. */
export interface VerdictPair {
  readonly metric: string;
  readonly a: WordedVerdict;
  readonly b: WordedVerdict;
  /** True when the verdicts differ, other than in their explanations. */
  readonly isChanged: boolean;
}

type Verdicts = Readonly<Record<string, Verdict>>;

/** Pairs the verdicts on two answers by metric, those that differ first. */
export function pairVerdicts(a: Verdicts, b: Verdicts): VerdictPair[] {
  const metrics = [...new Set([...Object.keys(b), ...Object.keys(a)])];
  const pairs = metrics.map((metric): VerdictPair => {
    const [ofA, ofB] = [wordVerdict(a[metric]), wordVerdict(b[metric])];
    return { metric, a: ofA, b: ofB, isChanged: ofA.words !== ofB.words };
  });
  return [...pairs.filter(({ isChanged }) => isChanged), ...pairs.filter(({ isChanged }) => !isChanged)];
}

function wordVerdict(verdict: Verdict | undefined): WordedVerdict {
  if (verdict === undefined) return { words: 'no verdict', explanation: '' };
  if (verdict.status === 'failed') {
    return { words: 'not measured', explanation: `${verdict.code}, ${verdict.reason}` };
  }
  if (verdict.status === 'not-applicable') return { words: 'not applicable', explanation: verdict.reason };
  const { value, unit, explanation = '' } = verdict;
  return { words: formatQuantity(value, unit), explanation };
}

type Step = DifferenceList['steps'][number];

/**
 * Thins sorted differences to steps that a chart can draw: equal differences are one step, and when these are too many,
 * neighbours of the same sign are averaged. The numbers of pairs below, at and above 0 stay exact.
 * @param most - The largest number of steps; up to one more of each sign is possible.
 */
export function thinDifferences(sorted: readonly number[], most = 400): Step[] {
  const steps = joinWhile(
    sorted.map((difference) => ({ difference, pairs: 1 })),
    (last, next) => last.difference === next.difference,
  );
  if (steps.length <= most) return steps;
  const least = sorted.length / most;
  return joinWhile(
    steps,
    (last, next) => last.pairs < least && Math.sign(last.difference) === Math.sign(next.difference),
  );
}

/** Joins each step to the one before it as long as a test holds. */
function joinWhile(steps: readonly Step[], belongs: (last: Step, next: Step) => boolean): Step[] {
  const joined: Step[] = [];
  for (const step of steps) {
    const last = joined.at(-1);
    if (last !== undefined && belongs(last, step)) joined[joined.length - 1] = joinSteps(last, step);
    else joined.push(step);
  }
  return joined;
}

function joinSteps(one: Step, other: Step): Step {
  const pairs = one.pairs + other.pairs;
  if (one.difference === other.difference) return { difference: one.difference, pairs };
  return { difference: (one.difference * one.pairs + other.difference * other.pairs) / pairs, pairs };
}
