import type { RegressionCheck } from '../../../core/schema/decision.ts';
import { formatPoints } from '../../../core/lib/text/format-points.ts';
import { withoutFixedCheck } from '../../../decide/analysis/compare/check-fixed-questions.ts';
import type { ComparedRun } from '../../../decide/analysis/compare/compared-run.ts';
import { createDifferenceTally, createRow } from '../../../decide/analysis/compare/differences.ts';
import {
  listCategoryMeasures,
  listSharedMeasures,
} from '../../../decide/analysis/compare/comparison-measures.ts';
import { confidence, toEstimate } from '../../../decide/analysis/summary/estimates.ts';
import { type CertifiedMetric, certifyRun } from '../../../decide/certificates/certify-run.ts';
import {
  type CorrectedDifference,
  correctDifference,
  type DifferenceSide,
} from '../../../decide/certificates/corrected-difference.ts';
import { judgesOf, readTargetJudges, type TargetJudges } from '../../../decide/certificates/target-judges.ts';
import { metricsBehind } from '../../../decide/gate/metrics-behind.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { ComparisonNotice, PairComparison, RunDifference } from '../../../core/schema/run-comparison.ts';
import { boundedMeanBounds } from '../../../core/stats/means/bounded-mean.ts';
import { decideUnknown, type UnknownJudge } from './unknown-judge.ts';

interface JudgedSide extends ComparedRun {
  readonly certified: readonly CertifiedMetric[];
  readonly found: TargetJudges;
  /** The hashes of its cases by their positions. */
  readonly hashes: ReadonlyMap<number, string>;
}

/**
 * Reviews the rows of a comparison that rest on judges with certificates: the score, passes, categories, criteria and metrics. They
 * are corrected to what people would say, by labels of both sides of the same cases or by the error rates of the judge on each
 * target. Where these differ between the targets, or are not known of one of them, and no correction holds, the judge decides the
 * row, not the targets: it is not compared, unless the gate of the second run lets its judges decide (`certified`). Throws
 * `store-damaged`.
 */
export async function reviewJudgedRows(
  pair: PairComparison,
  a: ComparedRun,
  b: ComparedRun,
): Promise<PairComparison> {
  const shared = b.run.metrics.filter(({ name, fingerprint, judge }) => {
    const before = a.run.metrics.find((metric) => metric.name === name);
    return judge !== undefined && before?.fingerprint === fingerprint;
  });
  // A gate that ignores certificates corrects nothing, and neither does a comparison of its run.
  if (shared.length === 0 || b.run.gate.judge?.certified === 'ignore') return pair;
  const names = new Set(shared.map(({ name }) => name));
  const [sideA, sideB] = [await readSide(a, names), await readSide(b, names)];
  if (sideA.certified.length + sideB.certified.length === 0) return pair;
  const reviewed = pair.differences.map((row) => reviewRow(row, sideA, sideB));
  const notices = new Map(
    reviewed.flatMap(({ notice }) => (notice ? [[JSON.stringify(notice), notice]] : [])),
  );
  return {
    ...withRegression(pair, reviewed[0]),
    differences: reviewed.map(({ row }) => row),
    notices: [...pair.notices, ...notices.values()],
  };
}

async function readSide(side: ComparedRun, names: ReadonlySet<string>): Promise<JudgedSide> {
  const { run, store, target } = side;
  const all = await certifyRun(run, store);
  const certified = all.filter(({ metric, states }) => names.has(metric.name) && states.length > 0);
  const found = await readTargetJudges(run, store, { target, certified });
  const hashes = new Map<number, string>();
  if (found.judges.length > 0)
    for await (const { position, hash } of store.readCases(run.id)) hashes.set(position, hash);
  return { ...side, certified, found, hashes };
}

interface ReviewedRow {
  readonly row: RunDifference;
  readonly notice?: ComparisonNotice;
  /** The correction of the row; absent when it was not corrected. */
  readonly correction?: CorrectedDifference;
  /** The decision and the reason of a check for a regression by this row; absent where the check stays, or is corrected. */
  readonly check?: Pick<RegressionCheck, 'decision'> & { readonly reason: string };
}

function reviewRow(row: RunDifference, a: JudgedSide, b: JudgedSide): ReviewedRow {
  const behind = metricsOf(row, b);
  const isJudged = [a, b].some(({ certified }) => certified.some(({ metric }) => behind.has(metric.name)));
  if (!isJudged || row.unit !== undefined || row.isRuleChanged === true) return { row };
  const [unknown] = [b, a].flatMap((side) => unknownOf(side, behind));
  if (unknown !== undefined) return reviewUnknown(row, unknown, { a, b });
  const correction = correct(row, a, b, behind);
  if ('reason' in correction) {
    if (!areTreatedAlike(a, b, behind)) return refuse(row, correction.reason);
    // The judge errs alike on both, so that the direction is right, and the size is smaller than people would see.
    const reason = `the judge's verdicts cannot be corrected: ${correction.reason}`;
    return { row: uncorrected(row), check: { decision: 'inconclusive', reason } };
  }
  return apply(row, correction, a.run.attempts > 1 || b.run.attempts > 1);
}

function uncorrected(row: RunDifference): RunDifference {
  return { ...row, judged: 'uncorrected', said: saidOf(row) };
}

function metricsOf({ measure, name }: RunDifference, { run }: JudgedSide): ReadonlySet<string> {
  if (measure === 'metric' || measure === 'criterion')
    return new Set(metricsBehind({ measure, name }, run.scorecard));
  const isScore = measure === 'score' || measure === 'passed' || measure === 'category';
  return new Set(isScore ? metricsBehind({ measure: 'score' }, run.scorecard) : []);
}

function unknownOf({ found, target }: JudgedSide, behind: ReadonlySet<string>): UnknownJudge[] {
  return [...found.unknown].flatMap(([metric, errors]) =>
    behind.has(metric) ? [{ metric, target, errors }] : [],
  );
}

/** Reviews a row whose judge has no known error rates on one target. */
function reviewUnknown(
  row: RunDifference,
  unknown: UnknownJudge,
  { a, b }: { readonly a: JudgedSide; readonly b: JudgedSide },
): ReviewedRow {
  const { decision, message, reason } = decideUnknown(unknown, a, b);
  const notice: ComparisonNotice = { kind: 'certificate', name: unknown.metric, message };
  if (decision === 'refused') return { ...refuse(row, reason), notice };
  const check = decision === 'alike' ? { check: { decision: 'not-measured', reason } as const } : {};
  return { row: uncorrected(row), notice, ...check };
}

/** Returns whether both targets are judged with the same error rates, so that the direction of a difference is right. */
function areTreatedAlike(a: JudgedSide, b: JudgedSide, behind: ReadonlySet<string>): boolean {
  const [one, other] = [a, b].map(({ found }) =>
    judgesOf(found, behind).map(({ errors }) =>
      JSON.stringify([errors.calibration.labels.hash, errors.rates]),
    ),
  );
  return JSON.stringify(one) === JSON.stringify(other);
}

function correct(
  row: RunDifference,
  a: JudgedSide,
  b: JudgedSide,
  behind: ReadonlySet<string>,
): CorrectedDifference | { readonly reason: string } {
  const shared = listSharedMeasures(a.run, b.run).find(
    ({ measure, name }) => measure === row.measure && name === row.name,
  );
  const readers =
    row.measure === 'category'
      ? [a, b].map(({ run }) => listCategoryMeasures(run, [row.name])[0]?.read)
      : [shared?.older.read, shared?.newer.read];
  const [readA, readB] = readers;
  if (readA === undefined || readB === undefined) return { reason: 'it cannot be read again' };
  const [first, second] = [sideOf(a, behind, readA), sideOf(b, behind, readB)];
  if ('reason' in first) return first;
  if ('reason' in second) return second;
  return correctDifference(first, second, row.measure === 'category');
}

function sideOf(
  { found, hashes }: JudgedSide,
  behind: ReadonlySet<string>,
  read: (outcome: Outcome) => number | undefined,
): DifferenceSide | { readonly reason: string } {
  if ('reason' in found.trials) return found.trials;
  const { trials } = found;
  return { trials, judges: judgesOf(found, behind), read, caseAt: (position) => hashes.get(position) };
}

function refuse(row: RunDifference, reason: string): ReviewedRow {
  const difference = { ...row.difference, value: null, lower: null, upper: null, reason };
  return {
    row: { ...row, difference, pValue: null, sensitivity: null, judged: 'refused', said: saidOf(row) },
  };
}

function saidOf({ meanA, meanB, difference }: RunDifference): NonNullable<RunDifference['said']> {
  return { meanA, meanB, difference: difference.value };
}

const methodNames: Readonly<Record<CorrectedDifference['method'], string>> = {
  'people-alone': 'people alone',
  ppi: 'PPI++',
  'rogan-gladen': 'Rogan-Gladen',
};

/** Why the corrected means of a comparison can be others than the corrected rates in the reports of its runs. */
const whyOther: Readonly<Record<CorrectedDifference['method'], string>> = {
  'people-alone': '',
  ppi: '. The means are over the questions labelled in both, so the report of one run, which has all its answers, can show another corrected rate',
  'rogan-gladen':
    '. Both means are by the error rates of the judge, since a difference takes random labels of both answers to 30 or more questions; the report of one run, by labels of its own answers, can show another corrected rate',
};

function apply(row: RunDifference, correction: CorrectedDifference, isRepeated: boolean): ReviewedRow {
  const corrected =
    correction.exact === undefined ? estimated(row, correction) : ofPeople(row, correction.exact, isRepeated);
  if (corrected === undefined) return refuse(row, 'too few labels for limits that keep their promise');
  const [ofA, ofB] = correction.labels;
  const { meanA, meanB } = saidOf(row);
  const percent = (value: number | null) => (value === null ? 'nothing' : `${formatPoints(value)} %`);
  const message = `is corrected to what people would say (${ofA} labels of A, ${ofB} of B, ${methodNames[correction.method]}); the judge says ${percent(meanA)} and ${percent(meanB)}${whyOther[correction.method]}`;
  return {
    row: { ...corrected, judged: 'corrected', said: saidOf(row) },
    correction,
    ...(row.measure !== 'category' && {
      notice: { kind: 'certificate', name: row.measure === 'passed' ? 'pass rate' : row.name, message },
    }),
  };
}

function ofPeople(
  row: RunDifference,
  pairs: NonNullable<CorrectedDifference['exact']>,
  isRepeated: boolean,
): RunDifference {
  const groups = [...new Set(pairs.map(({ group }) => group))];
  const isClustered = groups.length < pairs.length;
  const tally = createDifferenceTally(isRepeated);
  for (const { first, second, group } of pairs)
    tally.add([first, second], isClustered ? groups.indexOf(group) : undefined);
  const { measure, name, better } = row;
  const made = createRow(tally.summarize(), {
    measure,
    name,
    better,
    unit: undefined,
    isRuleChanged: false,
    isForward: true,
  });
  const { pairs: all, onlyA, onlyB, neither } = row;
  return { ...made, pairs: all, onlyA, onlyB, neither };
}

function estimated(row: RunDifference, correction: CorrectedDifference): RunDifference | undefined {
  const found = correction.at(confidence);
  if (found.status === 'undefined' || found.caution === 'too-few-labels') return undefined;
  const [meanA, meanB] = correction.means;
  const difference = { ...toEstimate(found), n: row.difference.n };
  return { ...row, meanA, meanB, difference, pValue: pValueOf(correction), sensitivity: null };
}

/** Returns the p-value of no difference: 1 minus the greatest confidence whose limits leave out 0. */
function pValueOf({ at }: CorrectedDifference): number {
  let [least, most] = [1e-9, 1 - 1e-9];
  const isWithin = (level: number) => {
    const { lower, upper } = at(level);
    return lower === null || upper === null || (lower <= 0 && upper >= 0);
  };
  if (isWithin(least)) return 1;
  if (!isWithin(most)) return 1 - most;
  for (let step = 0; step < 30; step += 1) {
    const middle = (least + most) / 2;
    if (isWithin(middle)) most = middle;
    else least = middle;
  }
  return 1 - least;
}

/** Returns a comparison whose check for a regression reads the corrected difference, or says that the judge cannot make it. */
function withRegression(compared: PairComparison, head: ReviewedRow | undefined): PairComparison {
  const { regression } = compared;
  if (regression === undefined || head?.row.judged === undefined) return compared;
  const pair = withoutFixedCheck(compared);
  if (regression.decision === 'not-measured') return pair;
  const { needed: _needed, reason: _reason, ...kept } = regression;
  if (head.check !== undefined) return { ...pair, regression: { ...kept, ...head.check } };
  if (head.row.judged === 'uncorrected') return pair;
  if (head.correction === undefined) {
    const { reason = 'its judge treats the targets differently' } = head.row.difference;
    return { ...pair, regression: { ...kept, lower: null, upper: null, decision: 'not-measured', reason } };
  }
  const { margin } = regression;
  const bounds = boundsOf(head.correction, head.row.better === 'lower', regression.confidence);
  const { lower, upper } = bounds;
  const decision = lower > -margin ? 'pass' : upper < -margin ? 'fail' : 'inconclusive';
  return { ...pair, regression: { ...kept, ...bounds, decision } };
}

function boundsOf(
  { exact, at, method }: CorrectedDifference,
  isTurned: boolean,
  level: number,
): { readonly lower: number; readonly upper: number; readonly method: string } {
  const sign = isTurned ? -1 : 1;
  if (exact !== undefined) {
    const values = exact.map(({ first, second }) => sign * (second - first));
    const groups = exact.map(({ group }) => group);
    const clusters = new Set(groups).size < groups.length ? groups : undefined;
    const found = boundedMeanBounds({ values, clusters, range: [-1, 1], confidence: level });
    return { lower: found.lower ?? -1, upper: found.upper ?? 1, method: found.method };
  }
  const { lower, upper } = at(2 * level - 1);
  const [least, most] = [lower ?? -1, upper ?? 1];
  return isTurned ? { lower: -most, upper: -least, method } : { lower: least, upper: most, method };
}
