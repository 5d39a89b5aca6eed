import { TouchstoneError } from '../../errors.ts';
import { truthOf } from '../../schema/criterion-truth.ts';
import type { Outcome } from '../../schema/result.ts';
import type { ListedCases, PairComparison, RunDifference } from '../../schema/run-comparison.ts';
import type { Run } from '../../schema/run.ts';
import { ofAnswer } from '../targets/comparison-measures.ts';
import { checkRegression } from './check-regression.ts';
import { compareValues } from './compare-values.ts';
import { type ComparedRun, describeSide } from './compared-run.ts';
import { findNotices } from './find-notices.ts';
import { findTargetChanges } from './find-target-changes.ts';
import { pairCases, type PairedCases } from './pair-cases.ts';
import { mirroredFlip, readFlips } from './read-flips.ts';
import { listSharedMeasures, type SharedMeasure } from './shared-measures.ts';
import { tellDifference } from './tell-difference.ts';

/** How much of a comparison is wanted. */
export interface PairChoices {
  /** Most flipped cases that are told in full. */
  readonly flips: number;
  /** Where a regression is looked for: the difference that would not matter, as a share. */
  readonly margin?: number | undefined;
  /** Only the measure that the verdict rests on. */
  readonly isHeadlineOnly?: boolean;
}

const mostIds = 1000;

/**
 * Compares two runs of which neither is corrected yet for the number of looks (see `correctLooks`). The older run is held in
 * memory and the newer streams by, whichever is A: so that A against B is B against A seen from the other side.
 * Throws `usage-invalid` when the two have no measure in common.
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
    isPassedInOlder: tellPass(older.run, metricOf(headline)),
    isPassedInNewer: tellPass(newer.run, metricOf(headline)),
  });
  const told = values.measured.map((measured, place) =>
    tellDifference(measured, subjectOf(measures[place] ?? headline, isForward)),
  );
  const ofCategories = Array.from(values.byCategory, ([name, measured]) =>
    tellDifference(measured, { ...subjectOf(headline, isForward), measure: 'category', name }),
  );
  const [row = told[0]] = told;
  const first = isForward ? 'worse' : 'better';
  const flips = await readFlips(values.flipped, { older, newer, first, most: choices.flips });
  const toWorse = values.flipped.filter(({ change }) => (change === 'worse') === isForward).length;
  const notices = findNotices(a, b);
  const unread = notices.find(({ kind }) => kind === 'unread');
  return {
    a: describeSide(a),
    b: describeSide(b),
    notices,
    ...tellTargets(a, b),
    pairing: tellPairing(cases, isForward),
    verdict: { outcome: 'not-enough-data', measure: headline.measure, name: headline.name, isCertain: true },
    ...(choices.margin === undefined || row === undefined
      ? {}
      : {
          regression: checkRegression({ ...values, row, isForward, unread: unread?.message }, choices.margin),
        }),
    differences: [...told, ...severalCategories(ofCategories)],
    notMeasured: {
      inA: listCases(isForward ? values.onlyInNewer : values.onlyInOlder),
      inB: listCases(isForward ? values.onlyInOlder : values.onlyInNewer),
    },
    flipsToWorse: toWorse,
    flipsToBetter: values.flipped.length - toWorse,
    flips: isForward ? flips : flips.map(mirroredFlip),
  };
}

function tellTargets(
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

function isOlder(a: ComparedRun, b: ComparedRun): boolean {
  const [keyA, keyB] = [a, b].map(({ run, target }) => `${run.createdAt} ${run.id} ${target}`);
  return (keyA ?? '') <= (keyB ?? '');
}

/** Outcomes that are looked at to learn the units of metrics. */
const mostPeeked = 500;

/** The score, else the first metric that is a share, of which more is better. */
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

/** A single category is what all rows are about. */
function severalCategories(rows: readonly RunDifference[]): RunDifference[] {
  return rows.length < 2 ? [] : rows.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function tellPairing(cases: PairedCases, isForward: boolean): PairComparison['pairing'] {
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

function nothingShared(a: ComparedRun, b: ComparedRun): TouchstoneError {
  const message = `Runs ${a.run.id} and ${b.run.id} have no measure in common.`;
  return new TouchstoneError('usage-invalid', message, {
    remedy: `Score both by the same rules: \`touchstone rescore ${a.run.id}\`.`,
  });
}

/**
 * How a run tells whether an outcome passed: by its scorecard, else by the metric that the comparison rests on where that is
 * true or false. Undefined for what was not measured.
 */
function tellPass(run: Run, metric: string | undefined): (outcome: Outcome) => boolean | undefined {
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
