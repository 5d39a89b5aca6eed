import { TouchstoneError } from '../../errors.ts';
import { truthOf } from '../../schema/expected.ts';
import type {
  ListedCases,
  PairComparison,
  RegressionCheck,
  RunDifference,
} from '../../schema/run-comparison.ts';
import type { Run } from '../../schema/run.ts';
import { boundedMeanBounds } from '../../stats/means/bounded-mean.ts';
import { nonInferiority } from '../../stats/paired/equivalence.ts';
import { trialsWithoutFailure } from '../../stats/planning/sample-size.ts';
import { confidence } from '../summary/estimates.ts';
import { type ComparedValues, compareValues, mostIds } from './compare-values.ts';
import { type ComparedRun, describeSide } from './compared-run.ts';
import {
  type ComparedOutcome,
  listSharedMeasures,
  ofAnswer,
  type SharedMeasure,
} from './comparison-measures.ts';
import { leastPairs, createRow } from './differences.ts';
import { findNotices, findTargetChanges } from './find-notices.ts';
import { pairCases, type PairedCases } from './pair-cases.ts';
import { mirroredFlip, readFlips } from './read-flips.ts';

/** Options of the comparison of two runs. */
export interface PairChoices {
  /** Largest number of flipped cases that are returned in full. */
  readonly flips: number;
  /** The margin of the regression check, as a share: the largest acceptable loss. */
  readonly margin?: number | undefined;
  /** True to compare only the measure that the verdict is based on. */
  readonly isHeadlineOnly?: boolean;
}

/**
 * Compares two runs, without the correction for multiple tests (see `correctLooks`). The older run is kept in memory
 * and the newer one is streamed, whichever is A: so A against B is the mirror image of B against A. Throws
 * `usage-invalid` when the two have no measure in common.
 */
export async function comparePair(
  a: ComparedRun,
  b: ComparedRun,
  choices: PairChoices,
): Promise<PairComparison> {
  const isForward = isOlder(a, b);
  const [older, newer] = isForward ? [a, b] : [b, a];
  const measures = await headlineFirst(listSharedMeasures(older.run, newer.run), newer);
  const [headline] = measures;
  if (headline === undefined) throw nothingShared(a, b);
  const cases = await pairCases(older, newer);
  const values = await compareValues({
    older,
    newer,
    cases,
    measures: choices.isHeadlineOnly === true ? [headline] : measures,
    isPassedInOlder: createPassTest(older.run, metricOf(headline)),
    isPassedInNewer: createPassTest(newer.run, metricOf(headline)),
    mostFlips: choices.flips,
    isListed: choices.margin !== undefined,
  });
  const rows = values.measured.map((measured, place) =>
    createRow(measured, subjectOf(measures[place] ?? headline, isForward)),
  );
  const ofCategories = Array.from(values.byCategory, ([name, measured]) =>
    createRow(measured, { ...subjectOf(headline, isForward), measure: 'category', name }),
  );
  const [row] = rows;
  const { worse, better } = values.flipped;
  const [toWorse, toBetter] = isForward ? [worse, better] : [better, worse];
  const listed = [...toWorse.first, ...toBetter.first].slice(0, choices.flips);
  const flips = await readFlips(listed, { older, newer });
  const notices = findNotices(a, b);
  const unread = notices.find(({ kind }) => kind === 'unread');
  return {
    a: describeSide(a),
    b: describeSide(b),
    notices,
    ...describeTargets(a, b),
    pairing: describePairing(cases, isForward),
    verdict: { outcome: 'not-enough-data', measure: headline.measure, name: headline.name, isCertain: true },
    ...(choices.margin === undefined || row === undefined
      ? {}
      : {
          regression: checkRegression({ ...values, row, isForward, unread: unread?.message }, choices.margin),
        }),
    differences: [...rows, ...severalCategories(ofCategories)],
    notMeasured: {
      inA: listFirst(isForward ? values.onlyInNewer : values.onlyInOlder),
      inB: listFirst(isForward ? values.onlyInOlder : values.onlyInNewer),
    },
    flipsToWorse: toWorse.count,
    flipsToBetter: toBetter.count,
    passedInBoth: values.passedInBoth,
    failedInBoth: values.failedInBoth,
    flips: isForward ? flips : flips.map(mirroredFlip),
  };
}

function describeTargets(
  a: ComparedRun,
  b: ComparedRun,
): Pick<PairComparison, 'targetChanges' | 'isInterleaved'> {
  const [targetA, targetB] = [a, b].map(({ run, target }) => run.targets.find(({ name }) => name === target));
  const targetChanges = findTargetChanges(targetA, targetB);
  return {
    ...(targetChanges !== undefined && { targetChanges }),
    ...(a.run.id === b.run.id && a.run.isInterleaved === true && { isInterleaved: true }),
  };
}

/** Returns whether A is the older run; the order is total, so that A against B mirrors B against A. */
export function isOlder(a: ComparedRun, b: ComparedRun): boolean {
  const [keyA, keyB] = [a, b].map(({ run, target }) => `${run.createdAt} ${run.id} ${target}`);
  return (keyA ?? '') <= (keyB ?? '');
}

/** Number of outcomes read to learn the units of metrics. */
const mostPeeked = 500;

/** Puts the headline measure first: the score, otherwise the first metric that is a share and better when higher. */
async function headlineFirst(
  measures: readonly SharedMeasure[],
  newer: ComparedRun,
): Promise<SharedMeasure[]> {
  const score = measures.find(({ measure }) => measure === 'score');
  if (score === undefined) await learnUnits(measures, newer);
  const headline =
    score ?? measures.find((shared) => shared.measure === 'metric' && shared.newer.better() === 'higher');
  if (headline === undefined) return [...measures];
  return [headline, ...measures.filter((measure) => measure !== headline)];
}

async function learnUnits(measures: readonly SharedMeasure[], { run, store }: ComparedRun): Promise<void> {
  let peeked = 0;
  for await (const outcomes of store.readOutcomes(run.id)) {
    for (const outcome of outcomes) for (const { newer } of measures) newer.read(outcome);
    peeked += outcomes.length;
    if (peeked >= mostPeeked) return;
  }
}

function metricOf({ measure, name }: SharedMeasure): string | undefined {
  return measure === 'metric' ? name : undefined;
}

function subjectOf({ measure, name, newer, isRuleChanged }: SharedMeasure, isForward: boolean) {
  return { measure, name, unit: newer.unit(), better: newer.better(), isRuleChanged, isForward };
}

/** Returns the rows of categories if there are several: a single category has the same cases as all other rows. */
function severalCategories(rows: readonly RunDifference[]): RunDifference[] {
  return rows.length < 2 ? [] : rows.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function describePairing(cases: PairedCases, isForward: boolean): PairComparison['pairing'] {
  const newIds = new Set(cases.onlyNewer);
  const [older, newer] = [cases.onlyOlder, cases.onlyNewer].map(listCases);
  return {
    pairs: cases.pairs,
    onlyA: (isForward ? older : newer) ?? listCases([]),
    onlyB: (isForward ? newer : older) ?? listCases([]),
    edited: listCases(cases.onlyOlder.filter((id) => newIds.has(id))),
    ...(cases.clusters === undefined ? {} : { clusters: cases.clusterCount }),
  };
}

function listCases(ids: readonly string[]): ListedCases {
  return { count: ids.length, ids: ids.slice(0, mostIds) };
}

function listFirst({ count, first }: ComparedValues['onlyInOlder']): ListedCases {
  return { count, ids: [...first] };
}

function nothingShared(a: ComparedRun, b: ComparedRun): TouchstoneError {
  const message = `Runs ${a.run.id} and ${b.run.id} have no measure in common.`;
  return new TouchstoneError('usage-invalid', message, {
    remedy: `Score both by the same rules: \`touchstone rescore ${a.run.id}\`.`,
  });
}

/**
 * Creates a test of whether an outcome passed: by the scorecard, otherwise by the metric of the comparison if it is
 * boolean. The test returns undefined for an outcome that was not measured.
 */
function createPassTest(
  run: Run,
  metric: string | undefined,
): (outcome: ComparedOutcome) => boolean | undefined {
  if (run.scorecard !== null) {
    return ofAnswer(({ scorecard }) =>
      typeof scorecard?.total === 'number' ? scorecard.passed === true : undefined,
    );
  }
  if (metric === undefined) return () => undefined;
  return ofAnswer(({ verdicts }) => {
    const truth = truthOf({}, verdicts[metric]);
    return truth === 'true' || truth === 'false' ? truth === 'true' : undefined;
  });
}

/** The inputs of a regression check. */
interface RegressionNeeds extends Pick<ComparedValues, 'headline'> {
  readonly row: RunDifference;
  readonly isForward: boolean;
  /** The description of unread expectations in one of the runs, if there are any. */
  readonly unread?: string | undefined;
}

/**
 * Checks that B is not worse than A by more than a margin on the measure of the verdict: `pass` when the one-sided
 * lower bound of B minus A lies above −margin, `fail` when the upper one lies below it. It never passes when the two
 * runs were scored by different rules, or when pairs measured in only one of them could change the result.
 */
function checkRegression(needs: RegressionNeeds, margin: number): RegressionCheck {
  const { row, headline, unread } = needs;
  const { lower, upper, method, estimate } = boundDifference(needs, margin);
  const bounds = { margin, lower, upper, confidence, method };
  if (unread !== undefined) {
    return { ...bounds, decision: 'not-measured', reason: `one of the runs ${unread}` };
  }
  if (row.isRuleChanged) {
    return { ...bounds, decision: 'not-measured', reason: 'the two runs were scored by other rules' };
  }
  const n = headline.differences.length;
  if (n < leastPairs) {
    return {
      ...bounds,
      decision: 'not-measured',
      reason: `fewer than ${leastPairs} pairs are measured in both`,
    };
  }
  const decision = decide({ lower, upper, estimate: estimate ?? 0 }, margin);
  const worst = worstCase(lower ?? estimate ?? 0, row);
  if (decision === 'pass' && !(worst > -margin || (worst === 0 && margin === 0))) {
    const side = row.onlyB === 0 ? 'A only' : row.onlyA === 0 ? 'B only' : 'one of the two only';
    return { ...bounds, decision: 'not-measured', reason: `too many pairs are measured in ${side}` };
  }
  const needed = decision === 'inconclusive' ? findNeeded(needs, margin) : undefined;
  return { ...bounds, decision, ...(needed !== undefined && { needed }) };
}

/**
 * Computes one-sided bounds of B minus A: for shares, which lie in [−1, 1], by `boundedMeanBounds`; for quantities by
 * Student's t.
 */
function boundDifference({ row, isForward, headline }: RegressionNeeds, margin: number) {
  const { clusters } = headline;
  // The candidate is B; a measure that is better when lower is mirrored.
  const isTurned = isForward === (row.better === 'lower');
  const differences = headline.differences.map((difference) => (isTurned ? 0 - difference : difference));
  if (row.unit === undefined)
    return boundedMeanBounds({ values: differences, clusters, range: [-1, 1], confidence });
  return nonInferiority({ differences, ...(clusters !== undefined && { clusters }), margin, confidence });
}

interface BoundedDifference {
  /** The bounds; null for quantities whose differences are all equal, which say nothing about other cases. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly estimate: number;
}

function decide({ lower, upper, estimate }: BoundedDifference, margin: number): RegressionCheck['decision'] {
  if (lower === null || upper === null)
    return estimate <= -margin && estimate !== 0 ? 'fail' : 'inconclusive';
  if (lower > -margin) return 'pass';
  return upper < -margin ? 'fail' : 'inconclusive';
}

/**
 * Returns the least number of pairs needed, if there are fewer; undefined for quantities with a unit, whose loss has
 * no upper limit.
 */
function findNeeded({ row, headline }: RegressionNeeds, margin: number): number | undefined {
  if (row.unit !== undefined || margin <= 0 || margin >= 1) return undefined;
  const independent = new Set(headline.clusters ?? headline.differences.keys()).size;
  const needed = trialsWithoutFailure({ share: margin, confidence });
  return independent < needed ? needed : undefined;
}

/** Returns the lower bound if B had the worst value on every pair that only one of the two measured. */
function worstCase(lower: number, { difference: { n }, onlyA, onlyB, unit }: RunDifference): number {
  const unmeasured = onlyA + onlyB;
  if (unmeasured === 0) return lower;
  return unit === undefined ? (lower * n - unmeasured) / (n + unmeasured) : Number.NEGATIVE_INFINITY;
}
