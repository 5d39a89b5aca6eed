import { equalTo, type Filter } from '../../../core/lib/filter/filter.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { metricsMeasuring } from '../../../core/schema/metric.ts';
import { createErrorReportTest, type Run } from '../../../core/schema/run.ts';
import type { TargetSummary } from '../../../core/schema/summary.ts';
import type { VerdictNumbers } from '../../../core/schema/verdict.ts';
import type { TrialColumns } from '../../../stores/store.ts';
import type { ComparedRun } from './compared-run.ts';
import type { ComparedOutcome } from './comparison-measures.ts';

/** The outcomes to read. */
interface ComparedChoice {
  /** False to leave out the ids and categories of the cases: to look them up takes a quarter of the time. */
  readonly hasNames: boolean;
  /** True when outcomes are still used after the next one. Otherwise each may be the same object with other values. */
  readonly areKept: boolean;
}

/**
 * Yields, in batches and in the order of the plan, the outcomes of a target that a comparison reads. Where that is wanted, they are
 * made from columns if these say everything, which takes a tenth of the time that whole records take.
 */
export async function* readCompared(
  of: ComparedRun,
  { hasNames, areKept }: ComparedChoice,
): AsyncGenerator<Iterable<ComparedOutcome>> {
  const { run, store, target } = of;
  const known = of.hasColumnsRead === true ? await readKnown(of) : undefined;
  if (known === undefined) {
    for await (const outcomes of store.readOutcomes(run.id))
      yield outcomes.filter(({ trial }) => trial.target === target);
    return;
  }
  const columns = hasNames ? [...numberColumns, ...nameColumns] : numberColumns;
  const index = run.targets.findIndex(({ name }) => name === target);
  const isOwn = ({ ordinal }: TrialColumns) =>
    Math.floor(ordinal / run.attempts) % run.targets.length === index;
  let reused = createOutcome(of, known);
  function* outcomesOf(trials: readonly TrialColumns[]): Generator<ComparedOutcome> {
    for (const trial of trials) {
      if (!isOwn(trial)) continue;
      if (areKept) reused = createOutcome(of, known as KnownOfTarget);
      yield reused(trial);
    }
  }
  for await (const trials of store.readColumns(run.id, { columns })) yield outcomesOf(trials);
}

/** The facts that the columns of a target leave out. */
interface KnownOfTarget {
  /** The units of the metrics that measure quantities. */
  readonly units: ReadonlyMap<string, string | undefined>;
  /** The metric by which an answer is an error report. */
  readonly errorMetric: string | undefined;
  /** The ordinals of the trials whose answer is an error report. */
  readonly errorReports: ReadonlySet<number>;
}

/**
 * Reads what the columns of a target leave out, from the summary of its run. Returns undefined where whole records are needed:
 * while the run is not complete, and where it is read from verdicts whether an answer passed.
 */
async function readKnown({ run, store, target }: ComparedRun): Promise<KnownOfTarget | undefined> {
  const { scorecard, status, summary } = run;
  if (status !== 'completed' || scorecard === null || scorecard.outcomes !== undefined) return undefined;
  const numbers = summary?.targets.find((each) => each.target === target);
  if (numbers === undefined || numbers.counts.spoilt !== undefined) return undefined;
  const errorReports = await findErrorReports({ run, store, target }, numbers);
  if (errorReports === undefined) return undefined;
  const units = new Map(numbers.metrics.map(({ metric, unit }) => [metric, unit]));
  return { units, errorMetric: errorMetricOf(run), errorReports };
}

function errorMetricOf(run: Pick<Run, 'metrics'>): string | undefined {
  return metricsMeasuring(run, 'no-error')[0]?.name;
}

/** Finds the answers that are error reports; undefined when they are not as many as the summary counted. */
async function findErrorReports(
  { run, store, target }: ComparedRun,
  { counts }: TargetSummary,
): Promise<ReadonlySet<number> | undefined> {
  const metric = errorMetricOf(run);
  if (metric === undefined || counts.errorReports === 0) return new Set();
  const where: Filter = [
    equalTo('target', [target]),
    equalTo('status', ['completed']),
    { field: `metric.${metric}`, operator: '<', values: [1] },
  ];
  const suspects: number[] = [];
  for await (const trials of store.readColumns(run.id, { where })) {
    for (const { ordinal } of trials) suspects.push(ordinal);
  }
  const isErrorReport = createErrorReportTest(run);
  const found = new Set<number>();
  const results = suspects.length === 0 ? [] : store.readResults(run.id, suspects);
  for await (const result of results) if (isErrorReport(result)) found.add(result.trial.ordinal);
  return found.size === counts.errorReports ? found : undefined;
}

const numberColumns = [
  'status',
  'error',
  'total',
  'passed',
  'cost',
  'latencyMs',
  'inputTokens',
  'outputTokens',
  'metrics',
] as const;
const nameColumns = ['id', 'category'] as const;

/** The values of the columns above, in their order. */
type Values = readonly [
  status: ComparedOutcome['trial']['status'],
  error: string | null,
  total: number | null,
  passed: string | null,
  cost: number | null,
  latencyMs: number | null,
  inputTokens: number | null,
  outputTokens: number | null,
  metrics: string | null,
  id?: string,
  category?: string,
];

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** A verdict without a value, of which a comparison reads nothing more. */
const missing: VerdictNumbers = { status: 'failed' };

/**
 * Creates an outcome. The function that is returned sets it to the values of a trial: with a new object for each of a million
 * trials and verdicts, a third of the time goes to removing these again.
 */
function createOutcome(
  { run, target }: ComparedRun,
  { units, errorMetric, errorReports }: KnownOfTarget,
): (trial: TrialColumns) => ComparedOutcome {
  const usage: Writable<NonNullable<ComparedOutcome['trial']['usage']>> = {};
  const latency = { totalMs: 0 };
  const scorecard: Writable<NonNullable<ComparedOutcome['scorecard']>> = { total: null, passed: null };
  const trial: Writable<ComparedOutcome['trial']> = {
    ordinal: 0,
    caseId: '',
    target,
    status: 'completed',
    error: undefined,
    usage,
    cost: undefined,
    latency,
  };
  const ofCase: Writable<ComparedOutcome['case']> = { category: undefined };
  const measured = run.metrics.map(({ name }) => {
    return {
      name,
      verdict: {
        status: 'scored' as const,
        value: 0,
        unit: units.get(name),
        passed: undefined as boolean | undefined,
      },
    };
  });
  const verdicts: Record<string, VerdictNumbers> = Object.fromEntries(
    measured.map(({ name }) => [name, missing]),
  );
  const outcome = { case: ofCase, trial, verdicts, scorecard: scorecard as ComparedOutcome['scorecard'] };

  function setVerdicts(metrics: string | null, ordinal: number): void {
    const values = metrics === null ? {} : (parseJson(metrics) as Record<string, number | null>);
    for (const { name, verdict } of measured) {
      const value = values[name];
      verdicts[name] = typeof value === 'number' ? verdict : missing;
      if (typeof value === 'number') verdict.value = value;
      if (name === errorMetric) verdict.passed = errorReports.has(ordinal) ? false : undefined;
    }
  }

  return ({ ordinal, values }) => {
    const [
      status,
      error,
      total,
      passed,
      cost,
      totalMs,
      inputTokens,
      outputTokens,
      metrics,
      caseId,
      category,
    ] = values as unknown as Values;
    ofCase.category = category;
    trial.ordinal = ordinal;
    trial.caseId = caseId ?? '';
    trial.status = status;
    trial.error = error === null ? undefined : { code: error };
    usage.inputTokens = inputTokens ?? undefined;
    usage.outputTokens = outputTokens ?? undefined;
    trial.usage = inputTokens === null && outputTokens === null ? undefined : usage;
    trial.cost = cost ?? undefined;
    latency.totalMs = totalMs ?? 0;
    trial.latency = totalMs === null ? undefined : latency;
    scorecard.total = total;
    scorecard.passed = passed === null ? null : passed === 'true';
    outcome.scorecard = metrics === null ? null : scorecard;
    setVerdicts(metrics, ordinal);
    return outcome;
  };
}
