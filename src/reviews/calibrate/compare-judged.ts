import type { ComparedRun } from '../../analysis/compare/compared-run.ts';
import { createDifferenceTally, createRow } from '../../analysis/compare/differences.ts';
import { listCategoryMeasures, listSharedMeasures } from '../../analysis/compare/comparison-measures.ts';
import { confidence, toEstimate } from '../../analysis/summary/estimates.ts';
import { type CertifiedMetric, certifyRun } from '../../certificates/certify-run.ts';
import {
  type CorrectedDifference,
  correctDifference,
  type DifferenceSide,
} from '../../certificates/corrected-difference.ts';
import type { JudgeErrors } from '../../certificates/judge-errors.ts';
import { judgesOf, readTargetJudges, type TargetJudges } from '../../certificates/target-judges.ts';
import { metricsBehind } from '../../gate/metrics-behind.ts';
import type { Outcome } from '../../schema/result.ts';
import type { ComparisonNotice, PairComparison, RunDifference } from '../../schema/run-comparison.ts';
import { boundedMeanBounds } from '../../stats/means/bounded-mean.ts';

interface JudgedSide extends ComparedRun {
  readonly certified: readonly CertifiedMetric[];
  readonly found: TargetJudges;
  /** The hashes of its cases by their positions. */
  readonly hashes: ReadonlyMap<number, string>;
}

/**
 * Reviews the rows of a comparison that rest on judges with certificates: the score, passes, categories, criteria and metrics. They
 * are corrected to what people would say, by labels of both sides of the same cases or by the error rates of the judge on each
 * target. Where these differ between the targets and no correction holds, the judge decides the row, not the targets: it is not
 * compared. Throws `store-damaged`.
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
  if (shared.length === 0) return pair;
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
}

function reviewRow(row: RunDifference, a: JudgedSide, b: JudgedSide): ReviewedRow {
  const behind = metricsOf(row, b);
  const isJudged = [a, b].some(({ certified }) => certified.some(({ metric }) => behind.has(metric.name)));
  if (!isJudged || row.unit !== undefined || row.isRuleChanged === true) return { row };
  const [unknown] = [b, a].flatMap((side) => unknownOf(side, behind));
  if (unknown !== undefined) return reviewUnknown(row, unknown, { a, b });
  const correction = correct(row, a, b, behind);
  if ('reason' in correction) {
    if (areTreatedAlike(a, b, behind)) return { row };
    return refuse(row, correction.reason);
  }
  return apply(row, correction, a.run.attempts > 1 || b.run.attempts > 1);
}

function metricsOf({ measure, name }: RunDifference, { run }: JudgedSide): ReadonlySet<string> {
  if (measure === 'metric' || measure === 'criterion')
    return new Set(metricsBehind({ measure, name }, run.scorecard));
  const isScore = measure === 'score' || measure === 'passed' || measure === 'category';
  return new Set(isScore ? metricsBehind({ measure: 'score' }, run.scorecard) : []);
}

interface UnknownJudge {
  readonly metric: string;
  readonly target: string;
  readonly errors: Extract<JudgeErrors, { status: 'unknown' }>;
}

function unknownOf({ found, target }: JudgedSide, behind: ReadonlySet<string>): UnknownJudge[] {
  return [...found.unknown].flatMap(([metric, errors]) =>
    behind.has(metric) ? [{ metric, target, errors }] : [],
  );
}

/** Reviews a row whose judge has no known error rates on one target: it is refused when they are known to differ among targets. */
function reviewUnknown(
  row: RunDifference,
  { metric, target, errors }: UnknownJudge,
  { a, b }: { readonly a: JudgedSide; readonly b: JudgedSide },
): ReviewedRow {
  const fingerprints = [a, b].map(
    ({ run, target: own }) => run.targets.find(({ name }) => name === own)?.fingerprint,
  );
  // The same version has the same judge, whatever its error rates are.
  if (fingerprints[0] !== undefined && fingerprints[0] === fingerprints[1]) return { row };
  const why = errors.why.replace(/\.$/, '').replace(/^./, (letter) => letter.toLowerCase());
  const advice = `label about 200 answers of ${target}: \`${errors.remedy}\``;
  const notice = (message: string): ComparisonNotice => ({ kind: 'certificate', name: metric, message });
  if (!isUnlike(a, metric) && !isUnlike(b, metric)) {
    const message = `is judged, and it is unknown whether its judge treats both targets alike (${why}); to know it, ${advice}`;
    return { row, notice: notice(message) };
  }
  const message = `is not comparable by this judge, nor is what rests on it: ${why}; ${advice}`;
  return {
    ...refuse(row, 'the error rates of the judge differ between the targets'),
    notice: notice(message),
  };
}

/** Returns whether a certificate says that the error rates of a judge differ between targets. */
function isUnlike({ certified }: JudgedSide, metric: string): boolean {
  return certified.some(
    (each) =>
      each.metric.name === metric &&
      each.states.some(({ certificate }) =>
        certificate.calibration.conditions.some(
          ({ id, state }) => id === 'targets-alike' && state === 'failed',
        ),
      ),
  );
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

function apply(row: RunDifference, correction: CorrectedDifference, isRepeated: boolean): ReviewedRow {
  const corrected =
    correction.exact === undefined ? estimated(row, correction) : ofPeople(row, correction.exact, isRepeated);
  if (corrected === undefined) return refuse(row, 'too few labels for limits that keep their promise');
  const [ofA, ofB] = correction.labels;
  const { meanA, meanB } = saidOf(row);
  const percent = (value: number | null) => (value === null ? 'nothing' : `${(value * 100).toFixed(1)} %`);
  const message = `is corrected to what people would say (${ofA} labels of A, ${ofB} of B, ${methodNames[correction.method]}); the judge says ${percent(meanA)} and ${percent(meanB)}`;
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
    tally.add(first, second, isClustered ? groups.indexOf(group) : undefined);
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
function withRegression(pair: PairComparison, head: ReviewedRow | undefined): PairComparison {
  const { regression } = pair;
  if (regression === undefined || head?.row.judged === undefined) return pair;
  if (regression.decision === 'not-measured') return pair;
  const { needed: _needed, reason: _reason, ...kept } = regression;
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
