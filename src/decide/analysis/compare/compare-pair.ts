import { TouchstoneError } from '../../../core/errors.ts';
import { truthOf } from '../../../core/schema/expected.ts';
import type { ListedCases, PairComparison, RunDifference } from '../../../core/schema/run-comparison.ts';
import type { Run } from '../../../core/schema/run.ts';
import { readCaseWeights } from '../case-weights.ts';
import { checkRegressions } from './check-fixed-questions.ts';
import { type ComparedValues, compareValues, mostIds } from './compare-values.ts';
import { type ComparedRun, describeSide } from './compared-run.ts';
import {
  type ComparedOutcome,
  listSharedMeasures,
  ofAnswer,
  type SharedMeasure,
} from './comparison-measures.ts';
import { createRow } from './differences.ts';
import { findNotices, findTargetChanges } from './find-notices.ts';
import { pairCases, type PairedCases } from './pair-cases.ts';
import { mirroredFlip, readFlips } from './read-flips.ts';

/** Options of the comparison of two runs. */
export interface PairChoices {
  /** Largest number of flipped cases that are returned in full. */
  readonly flips: number;
  /** True for as many of either change, rather than of both together, those to the worse first. */
  readonly isOfEither?: boolean;
  /** The margin of the regression check, as a share: the largest acceptable loss. */
  readonly margin?: number;
  /** True to compare only the measure that the verdict is based on, and that in the whole alone. */
  readonly isHeadlineOnly?: boolean;
}

/**
 * Compares two runs, without the correction for multiple tests (see `correctLooks`). The older run stays in memory
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
    // A pair counts by what its case weighs in the newer run, as it belongs to the category that it has there.
    weights: await readCaseWeights(newer.run, newer.store),
    measures: choices.isHeadlineOnly === true ? [headline] : measures,
    isPassedInOlder: createPassTest(older.run, metricOf(headline)),
    isPassedInNewer: createPassTest(newer.run, metricOf(headline)),
    mostFlips: choices.flips,
    isListed: choices.margin !== undefined,
  });
  const rows = values.measured.map((measured, place) =>
    createRow(measured, subjectOf(measures[place] ?? headline, isForward)),
  );
  const categories = choices.isHeadlineOnly === true ? [] : [...values.byCategory];
  const ofCategories = categories.map(([name, measured]) =>
    createRow(measured, { ...subjectOf(headline, isForward), measure: 'category', name }),
  );
  const [row] = rows;
  const { worse, better } = values.flipped;
  const [toWorse, toBetter] = isForward ? [worse, better] : [better, worse];
  const found = [...toWorse.first, ...toBetter.first];
  const listed = choices.isOfEither === true ? found : found.slice(0, choices.flips);
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
      : await checkRegressions(
          { ...values, row, isForward, unread: unread?.message, a, b, cases },
          choices.margin,
        )),
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
    targetChanges,
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
