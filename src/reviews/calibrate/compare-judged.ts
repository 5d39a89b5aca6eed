import type { ComparedRun } from '../../analysis/compare/compared-run.ts';
import { toEstimate } from '../../analysis/summary/estimates.ts';
import { findCalibration, type JudgedTarget, ratesOf, treatmentOf } from '../../certificates/treats-alike.ts';
import { readSummary } from '../../run/summarize.ts';
import type { Estimate } from '../../schema/estimate.ts';
import type { Calibration } from '../../schema/review/certificate.ts';
import type { JudgedRate } from '../../schema/review/certification.ts';
import type { ComparisonNotice, PairComparison, RunDifference } from '../../schema/run-comparison.ts';
import { normalCdf, normalQuantile } from '../../stats/normal.ts';
import type { Subject } from '../../schema/review/label.ts';
import { ppiDifference } from '../../stats/judges/ppi-difference.ts';
import type { PpiMean } from '../../stats/judges/ppi-mean.ts';
import type { Store } from '../../stores/store.ts';
import { readAnswers } from './read-answers.ts';
import { readCalibration } from './read-calibration.ts';

/**
 * Reviews the rows of a comparison that rest on a judge. Where its certificate says that its error rates differ between the two
 * targets, the difference is corrected by labels of both sides, or else refused: such a judge, not the targets, decides it.
 */
export async function reviewJudgedRows(
  pair: PairComparison,
  a: ComparedRun,
  b: ComparedRun,
): Promise<PairComparison> {
  const targets = [targetOf(a), targetOf(b)] as const;
  if (targets[0].fingerprint === targets[1].fingerprint) return pair;
  let reviewed = pair;
  for (const metric of b.run.metrics) {
    const isSame = a.run.metrics.some(
      ({ name, fingerprint }) => name === metric.name && fingerprint === metric.fingerprint,
    );
    if (metric.judge === undefined || !isSame) continue;
    const calibration = await findCalibration(metric.fingerprint, targets, {
      gate: b.run.gate,
      store: b.store,
    });
    if (calibration !== undefined) reviewed = await reviewMetric(reviewed, calibration, { a, b });
  }
  return reviewed;
}

interface Sides {
  readonly a: ComparedRun;
  readonly b: ComparedRun;
}

function targetOf({ run, target }: ComparedRun): JudgedTarget {
  return { name: target, fingerprint: run.targets.find(({ name }) => name === target)?.fingerprint };
}

async function reviewMetric(
  pair: PairComparison,
  calibration: Calibration,
  { a, b }: Sides,
): Promise<PairComparison> {
  const { metric } = calibration;
  const rows = pair.differences.filter((row) => isOf(row, metric.name, b));
  if (rows.length === 0) return pair;
  const [ofA, ofB] = [targetOf(a), targetOf(b)];
  const treatment = treatmentOf(calibration, ofA, ofB);
  if (treatment === 'alike') return pair;
  if (treatment === 'unknown') {
    const message = 'is judged, and it is unknown whether its judge treats both targets alike';
    return withNotice(pair, { kind: 'judge', name: metric.name, message });
  }
  const areLabelled = ratesOf(calibration, ofA) !== undefined && ratesOf(calibration, ofB) !== undefined;
  const corrected = areLabelled ? await correct(calibration, { a, b }) : undefined;
  const changed = rows.map((row): [RunDifference, RunDifference] => [
    row,
    corrected === undefined ? refuse(row) : apply(row, corrected, { a, b }),
  ]);
  const byRow = new Map(changed);
  const differences = pair.differences.map((row) => byRow.get(row) ?? row);
  const notice: ComparisonNotice = {
    kind: 'judge',
    name: metric.name,
    message:
      corrected === undefined
        ? 'is not comparable by this judge: its error rates differ between the targets, and labels of both are missing'
        : `is corrected by labels of both targets (${corrected.labels}), since the error rates of its judge differ between them`,
  };
  return withNotice({ ...withRegression(pair, differences[0]), differences }, notice);
}

/** Returns whether a row is about a metric: by its own name, or as a criterion of the scorecard. */
function isOf({ measure, name }: RunDifference, metric: string, { run }: ComparedRun): boolean {
  if (measure === 'metric') return name === metric;
  const criterion = run.scorecard?.criteria.find((each) => each.name === name);
  return measure === 'criterion' && criterion?.metric === metric;
}

function withNotice(pair: PairComparison, notice: ComparisonNotice): PairComparison {
  return { ...pair, notices: [...pair.notices, notice] };
}

/** A difference of B minus A that people would see. */
interface CorrectedDifference {
  readonly difference: Estimate;
  readonly standardError: number;
  /** The labels behind it, in words. */
  readonly labels: string;
}

/** Corrects the difference by labels of both answers to the same cases, else by the corrected rate of each target. */
async function correct(calibration: Calibration, { a, b }: Sides): Promise<CorrectedDifference | undefined> {
  if (a.run.id === b.run.id && a.run.id === calibration.run) {
    const paired = await readPairedDifference(b.store, calibration, { from: a.target, to: b.target });
    if (paired !== undefined)
      return {
        difference: toEstimate(paired.found),
        standardError: paired.found.standardError ?? 0,
        labels: `PPI++ on ${paired.labels} cases labelled on both sides`,
      };
  }
  const [rateA, rateB] = [await rateOf(a, calibration), await rateOf(b, calibration)];
  if (rateA === undefined || rateB === undefined) return undefined;
  const value = rateB.value - rateA.value;
  const standardError = Math.hypot(rateA.standardError, rateB.standardError);
  const confidence = 0.95;
  const margin = normalQuantile((1 + confidence) / 2) * standardError;
  const difference: Estimate = {
    value,
    lower: Math.max(-1, value - margin),
    upper: Math.min(1, value + margin),
    n: Math.min(rateA.n, rateB.n),
    confidence,
    method: 'rates-of-targets',
  };
  return { difference, standardError, labels: `${rateA.labels} and ${rateB.labels}, each target by its own` };
}

/** Returns the corrected rate of a target with its standard error; undefined when labels are too few. */
async function rateOf({ run, store, target }: ComparedRun, { metric }: Calibration) {
  const { judged = [] } = await readSummary(run, store);
  const rates: readonly JudgedRate[] = judged.find((each) => each.metric === metric.name)?.targets ?? [];
  const { corrected, said } = rates.find((rate) => rate.target === target) ?? {};
  if (!corrected || corrected.caution === 'too-few-labels') return undefined;
  const { value, lower, upper, confidence } = corrected.estimate;
  if (value === null || lower === null || upper === null) return undefined;
  const standardError = (upper - lower) / (2 * normalQuantile((1 + confidence) / 2));
  return { value, standardError, n: said?.n ?? 0, labels: corrected.labels };
}

/** Returns a row without its difference: the judge decides it, not the targets. */
function refuse(row: RunDifference): RunDifference {
  const reason = 'the error rates of the judge differ between the targets';
  const difference: Estimate = { ...row.difference, value: null, lower: null, upper: null, reason };
  return { ...row, difference, pValue: null, sensitivity: null, judged: 'refused' };
}

function apply(
  row: RunDifference,
  { difference, standardError }: CorrectedDifference,
  { b }: Sides,
): RunDifference {
  const isNegative =
    row.measure === 'criterion' &&
    b.run.scorecard?.criteria.find(({ name }) => name === row.name)?.negative === true;
  const turned = isNegative ? mirror(difference) : difference;
  const pValue =
    standardError > 0 ? 2 * (1 - normalCdf(Math.abs(difference.value ?? 0) / standardError)) : null;
  return { ...row, difference: turned, pValue, sensitivity: null, judged: 'corrected' };
}

function mirror(estimate: Estimate): Estimate {
  const turn = (value: number | null) => (value === null ? null : 0 - value);
  const { value, lower, upper } = estimate;
  return { ...estimate, value: turn(value), lower: turn(upper), upper: turn(lower) };
}

/** Returns a comparison whose check for a regression says that the judge cannot make it. */
function withRegression(pair: PairComparison, head: RunDifference | undefined): PairComparison {
  if (pair.regression === undefined || head?.judged === undefined) return pair;
  const reason =
    head.judged === 'refused'
      ? 'the error rates of the judge differ between the targets'
      : 'the difference was corrected by labels, the margin is not checked by them';
  return { ...pair, regression: { ...pair.regression, decision: 'not-measured', reason } };
}

/** The least number of cases with labels on both sides. */
const leastPairs = 30;

/** A difference of pass rates by labels of both answers to the same cases, and the number of these cases. */
interface PairedDifference {
  readonly found: PpiMean;
  readonly labels: number;
}

/** The answers of both targets to one attempt at a case. */
interface AnswerPair {
  readonly cluster: string;
  readonly passed: Map<string, boolean>;
  readonly truth: Map<string, boolean>;
}

/**
 * Estimates how much more often people would pass the answers of one target than those of another, by PPI++ on the differences
 * of the same cases. Returns undefined unless the labels were drawn at random and enough cases are labelled on both sides.
 */
async function readPairedDifference(
  store: Store,
  calibration: Calibration,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<PairedDifference | undefined> {
  const { task, run: runId, rubric, metric, draw } = calibration;
  const run = await store.readRun(runId);
  if (draw.type !== 'random' || run === undefined || (await store.reviews.readTask(task)) === undefined)
    return undefined;
  const { paired } = await readCalibration(store, { run: runId, rubric: rubric.id, task });
  const subjects = new Map(
    (await store.reviews.readItems(task)).map(({ position, subject }) => [position, subject]),
  );
  const pairs = new Map<string, AnswerPair>();
  for (const { subject, passed, cluster } of await readAnswers(store, run, metric.name)) {
    if (passed === null) continue;
    const pair = pairs.get(keyOf(subject)) ?? { cluster, passed: new Map(), truth: new Map() };
    pair.passed.set(subject.target, passed);
    pairs.set(keyOf(subject), pair);
  }
  for (const { item, truth } of paired.answers) {
    const subject = subjects.get(item);
    if (subject !== undefined) pairs.get(keyOf(subject))?.truth.set(subject.target, truth);
  }
  const whole = [...pairs.values()].filter(({ passed }) => passed.has(from) && passed.has(to));
  const isLabelled = ({ truth }: AnswerPair) => truth.has(from) && truth.has(to);
  const [labelled, others] = [whole.filter(isLabelled), whole.filter((pair) => !isLabelled(pair))];
  if (labelled.length < leastPairs) return undefined;
  const side = (target: string) => ({
    labels: labelled.map(({ truth }) => Number(truth.get(target))),
    scores: labelled.map(({ passed }) => Number(passed.get(target))),
    otherScores: others.map(({ passed }) => Number(passed.get(target))),
  });
  const clusters = {
    labelled: labelled.map(({ cluster }) => cluster),
    others: others.map(({ cluster }) => cluster),
  };
  const isClustered = new Set(whole.map(({ cluster }) => cluster)).size < whole.length;
  const found = ppiDifference({ a: side(to), b: side(from), ...(isClustered && { clusters }) });
  return found.status === 'defined' ? { found, labels: labelled.length } : undefined;
}

function keyOf({ caseHash, attempt }: Pick<Subject, 'caseHash' | 'attempt'>): string {
  return `${caseHash} ${attempt}`;
}
