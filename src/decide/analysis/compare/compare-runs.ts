import { TouchstoneError } from '../../../core/errors.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import {
  type PairComparison,
  type RankedRun,
  type RunComparison,
  runComparisonVersion,
  type RunDifference,
} from '../../../core/schema/run-comparison.ts';
import { holm } from '../../../core/stats/adjust-p-values.ts';
import { refuseFailedOnly, requireWhole } from '../summary/check-totals.ts';
import { confidence } from '../summary/estimates.ts';
import { comparePair } from './compare-pair.ts';
import { type ComparedRun, type KeptRun, pickTargets, type TargetChoice } from './compared-run.ts';
import { adjustPValues, mirrored } from './differences.ts';

/** Options of a comparison of runs. */
export interface CompareChoices {
  /** The pairs of targets to compare; by default the only ones, or the pairs with equal names. */
  readonly targets?: readonly TargetChoice[];
  /** Largest number of flipped cases that are returned in full; 10 by default. */
  readonly flips?: number;
  /** True for as many of either change, rather than of both together, those to the worse first. */
  readonly isOfEither?: boolean;
  /** The margin, as a share, for an additional check that no run is worse than the first by more than it. */
  readonly margin?: number;
  /** True to compare only the measures that the verdicts are based on. They are corrected among themselves, so no verdict changes. */
  readonly isHeadlineOnly?: boolean;
  /** Changes the rows of a comparison by what is known of the judges behind them, which the analysis does not know. */
  readonly review: PairReview;
}

/** A function that changes a comparison of two targets before its p-values are corrected. */
export type PairReview = (pair: PairComparison, a: ComparedRun, b: ComparedRun) => Promise<PairComparison>;

const fewFlips = 10;

/**
 * Compares runs with the first of them, or the two targets of a single run, paired by the content of their cases. It reads only
 * records and calls nothing. Throws `usage-invalid` for fewer than two runs, the same run twice or targets that do not match, and the
 * errors of `requireWhole`.
 */
export async function compareRuns(
  named: readonly KeptRun[],
  { targets: chosen, flips = fewFlips, review, ...choices }: CompareChoices,
): Promise<RunComparison> {
  const { runs, targets } = withOwnTargets(named, chosen);
  const [first, ...others] = runs;
  if (first === undefined || others.length === 0) {
    throw new TouchstoneError('usage-invalid', 'A comparison takes two runs or more.', {
      remedy:
        'Name them: `touchstone compare latest~1 latest`. A run with two targets is compared by its name alone.',
    });
  }
  refuseRepeats(runs, targets);
  for (const { run, store } of runs) {
    refuseFailedOnly(run, 'be compared');
    await requireWhole(run, store);
  }
  const pairs = others.flatMap((other) => pickTargets(first, other, targets));
  const compared: PairComparison[] = [];
  for (const [a, b] of pairs)
    compared.push(await review(await comparePair(a, b, { ...choices, flips }), a, b));
  const isRanked = others.length > 1 && pairs.length === others.length;
  const ranking = isRanked ? await rank(pairs, compared, review) : undefined;
  return {
    version: runComparisonVersion,
    ...correctLooks(compared),
    ...(ranking === undefined ? {} : { ranking }),
  };
}

/** Returns a single run twice, to compare its two targets, or those that are named. */
function withOwnTargets(
  runs: readonly KeptRun[],
  chosen: readonly TargetChoice[] | undefined,
): { readonly runs: readonly KeptRun[]; readonly targets: readonly TargetChoice[] | undefined } {
  const [only] = runs;
  if (only === undefined || runs.length > 1) return { runs, targets: chosen };
  const [a, b, ...more] = withoutConditions(only.run.targets).map(({ name }) => name);
  const isPair = a !== undefined && b !== undefined && more.length === 0;
  const targets = chosen ?? (isPair ? [{ a, b }] : undefined);
  return targets === undefined ? { runs, targets } : { runs: [only, only], targets };
}

/** Refuses to compare a run with itself, unless the targets differ. */
function refuseRepeats(runs: readonly KeptRun[], targets: readonly TargetChoice[] = []): void {
  const ids = runs.map(({ run }) => run.id);
  const repeated = ids.find((id, place) => ids.indexOf(id) !== place);
  if (repeated === undefined || targets.some(({ a, b }) => a !== b)) return;
  throw new TouchstoneError('usage-invalid', `Run ${repeated} is named twice.`, {
    remedy:
      'Name two runs, such as `touchstone compare latest~1 latest`, or two targets: `--target one=other`.',
  });
}

/** Ranks runs that were compared with the first of them, after comparing the others with each other. */
async function rank(
  pairs: readonly (readonly [ComparedRun, ComparedRun])[],
  compared: readonly PairComparison[],
  review: PairReview,
): Promise<RankedRun[]> {
  const runs = [...pairs.slice(0, 1).map(([first]) => first), ...pairs.map(([, other]) => other)];
  const known = compared.map(({ differences }, place) => ({ a: 0, b: place + 1, row: differences[0] }));
  for (const [place, a] of runs.entries()) {
    for (const [later, b] of runs.entries()) {
      if (place === 0 || later <= place) continue;
      const { differences } = await review(await comparePair(a, b, { flips: 0, isHeadlineOnly: true }), a, b);
      known.push({ a: place, b: later, row: differences[0] });
    }
  }
  return rankRuns(
    runs,
    known.flatMap(({ a, b, row }): RankedPair[] => (row === undefined ? [] : [{ a, b, row }])),
  );
}

/**
 * The difference of run `b` minus run `a` on the measure of the ranking; runs are identified by their place in a
 * list.
 */
interface RankedPair {
  readonly a: number;
  readonly b: number;
  readonly row: RunDifference;
}

/**
 * Ranks runs by their differences from the first of them, each with the range of its possible ranks: behind all runs
 * that are visibly better, and before all that are visibly worse (Holm over all pairs). A single rank would not
 * suffice, because being indistinguishable is not transitive: the second run may be as good as the first, and the
 * third as good as the second.
 */
function rankRuns(runs: readonly ComparedRun[], pairs: readonly RankedPair[]): RankedRun[] {
  const adjusted = holm({ pValues: pairs.map(({ row }) => row.pValue ?? 1) }).adjusted;
  const sign = pairs[0]?.row.better === 'lower' ? -1 : 1;
  const gainOf = (pair?: RankedPair) =>
    sign * (pair?.row.difference.value ?? sign * Number.NEGATIVE_INFINITY);
  const gains = runs.map((_, place) =>
    place === 0 ? 0 : gainOf(pairs.find(({ a, b }) => a === 0 && b === place)),
  );
  const order = [...runs.keys()].sort((one, other) => (gains[other] ?? 0) - (gains[one] ?? 0));
  const visible = pairs
    .filter((_, index) => (adjusted[index] ?? 1) < 1 - confidence)
    .map((pair) =>
      gainOf(pair) > 0 ? { winner: pair.b, loser: pair.a } : { winner: pair.a, loser: pair.b },
    );
  const [best = 0] = order;
  return order.map((place) => {
    const found = pairs.findIndex(({ a, b }) => a === Math.min(best, place) && b === Math.max(best, place));
    return {
      rank: 1 + visible.filter(({ loser }) => loser === place).length,
      lastRank: runs.length - visible.filter(({ winner }) => winner === place).length,
      ...nameOf(runs[place]),
      toLeader: toLeader(pairs[found], place),
      adjustedPValue: found === -1 ? null : (adjusted[found] ?? null),
    };
  });
}

function nameOf(run: ComparedRun | undefined): Pick<RankedRun, 'run' | 'target'> {
  return { run: run?.run.id ?? '', target: run?.target ?? '' };
}

function toLeader(pair: RankedPair | undefined, place: number): RankedRun['toLeader'] {
  if (pair === undefined) return null;
  return pair.b === place ? pair.row.difference : mirrored(pair.row.difference);
}

/**
 * Corrects the p-values of a comparison for multiple tests, by Holm's method, and sets the finding of each row. The
 * rows of the verdicts were chosen before looking at the data: they are corrected among themselves, and all others
 * together.
 */
function correctLooks(
  comparisons: readonly PairComparison[],
): Pick<RunComparison, 'comparisons' | 'corrected'> {
  const heads = comparisons.flatMap(({ differences }) => differences.slice(0, 1));
  const others = comparisons.flatMap(({ differences }) => differences.slice(1));
  const corrected = new Map([...correct(heads), ...correct(others)]);
  return {
    comparisons: comparisons.map((comparison) => {
      const differences = comparison.differences.map((row) => corrected.get(row) ?? row);
      return { ...comparison, differences, verdict: verdictOf(comparison.verdict, differences[0]) };
    }),
    corrected: { method: 'holm', verdicts: countTests(heads), others: countTests(others) },
  };
}

function countTests(rows: readonly RunDifference[]): number {
  return rows.filter(({ pValue }) => pValue !== null).length;
}

function correct(rows: readonly RunDifference[]): Map<RunDifference, RunDifference> {
  const adjusted = adjustPValues(rows, ({ pValue }) => pValue);
  const ofSigns = adjustPValues(rows, ({ signPValue }) => signPValue ?? null);
  return new Map(
    rows.map((row) => {
      const adjustedPValue = adjusted.get(row) ?? null;
      const adjustedSignPValue = ofSigns.get(row) ?? null;
      const corrected = {
        ...row,
        adjustedPValue,
        ...(row.signPValue !== undefined && { adjustedSignPValue }),
      };
      return [row, { ...corrected, finding: findingOf(corrected) }];
    }),
  );
}

/**
 * Returns the finding of a row. A category in which even a large difference would not be visible has too few cases,
 * rather than no visible difference.
 */
function findingOf(row: RunDifference): RunDifference['finding'] {
  const { better, difference, measure, judged, adjustedPValue } = row;
  if (judged === 'refused') return 'not-comparable';
  if (adjustedPValue === null || difference.value === null) return 'too-few';
  if (adjustedPValue < 1 - confidence && difference.value !== 0) {
    if (better === null) return 'different';
    return difference.value > 0 === (better === 'higher') ? 'better' : 'worse';
  }
  return (
    findingOnMost(row) ?? (measure === 'category' && difference.tooFew === true ? 'too-few' : 'not-visible')
  );
}

/** Returns the finding of most questions; undefined where as many may be better as worse. */
function findingOnMost(row: RunDifference): 'better-on-most' | 'worse-on-most' | undefined {
  const { better, higher, lower, difference, adjustedSignPValue, judged } = row;
  // A correction by labels is of the mean: the signs are still those that the judge gave.
  if (better === null || typeof adjustedSignPValue !== 'number' || judged === 'corrected') return undefined;
  const sign = better === 'lower' ? -1 : 1;
  const gain = sign * (higher - lower);
  if (adjustedSignPValue >= 1 - confidence || gain * sign * (difference.value ?? 0) <= 0) return undefined;
  return gain > 0 ? 'better-on-most' : 'worse-on-most';
}

function verdictOf(
  verdict: PairComparison['verdict'],
  head: RunDifference | undefined,
): PairComparison['verdict'] {
  if (head === undefined || head.finding === 'too-few') return { ...verdict, outcome: 'not-enough-data' };
  const { finding } = head;
  if (finding === 'different' || finding === 'not-visible')
    return { ...verdict, outcome: 'no-visible-difference' };
  const isOfMean = finding === 'better' || finding === 'worse';
  return { ...verdict, outcome: finding, ...(isOfMean && { isCertain: isCertainWithMissing(head) }) };
}

/** Returns whether a finding would remain if every unmeasured pair had the worst value for it. */
function isCertainWithMissing({ difference, pairs, unit }: RunDifference): boolean {
  const missing = pairs - difference.n;
  if (missing === 0) return true;
  // How much the missing pairs weigh is not known here.
  if (unit !== undefined || difference.effectiveCases !== undefined) return false;
  if (difference.lower === null || difference.upper === null) return false;
  const nearest = Math.max(difference.lower, -difference.upper);
  return nearest * difference.n - missing > 0;
}
