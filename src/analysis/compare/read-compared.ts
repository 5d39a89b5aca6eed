import { equalTo, type Filter } from '../../lib/filter/filter.ts';
import { metricsMeasuring } from '../../schema/metric.ts';
import { createErrorReportTest, type Run } from '../../schema/run.ts';
import type { TargetSummary } from '../../schema/summary.ts';
import type { VerdictNumbers } from '../../schema/verdict.ts';
import type { TrialColumns } from '../../stores/store.ts';
import type { ComparedRun } from './compared-run.ts';
import type { ComparedOutcome } from './comparison-measures.ts';

/**
 * Yields, in batches and in the order of the plan, the outcomes of a target that a comparison reads. Where that is wanted, they are
 * made from columns if these say everything, which takes a tenth of the time that whole records take.
 * @param hasNames - False to leave out the ids and categories of the cases: to look them up takes a quarter of the time.
 */
export async function* readCompared(
  of: ComparedRun,
  hasNames: boolean,
): AsyncGenerator<readonly ComparedOutcome[]> {
  const { run, store, target } = of;
  const known = of.hasColumnsRead === true ? await readKnown(of) : undefined;
  if (known === undefined) {
    for await (const outcomes of store.readOutcomes(run.id))
      yield outcomes.filter(({ trial }) => trial.target === target);
    return;
  }
  const columns = hasNames ? [...numberColumns, ...nameColumns] : numberColumns;
  for await (const trials of store.readColumns(run.id, { columns })) {
    const own = trials.filter(({ values }) => values[0] === target);
    yield own.map((trial) => outcomeOf(trial, known));
  }
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
  'target',
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
  target: string,
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

function outcomeOf({ ordinal, values }: TrialColumns, known: KnownOfTarget): ComparedOutcome {
  const [target, status, error, total, passed, cost, totalMs, ...rest] = values as unknown as Values;
  const [inputTokens, outputTokens, metrics, caseId = '', category] = rest;
  return {
    case: { category },
    trial: {
      ordinal,
      caseId,
      target,
      status,
      error: error === null ? undefined : { code: error },
      usage:
        inputTokens === null && outputTokens === null
          ? undefined
          : { inputTokens: inputTokens ?? undefined, outputTokens: outputTokens ?? undefined },
      cost: cost ?? undefined,
      latency: totalMs === null ? undefined : { totalMs },
    },
    verdicts: metrics === null ? {} : verdictsOf(metrics, ordinal, known),
    scorecard: metrics === null ? null : { total, passed: passed === null ? null : passed === 'true' },
  };
}

/** Returns the verdicts with a value, of which a comparison reads nothing more. */
function verdictsOf(
  metrics: string,
  ordinal: number,
  { units, errorMetric, errorReports }: KnownOfTarget,
): ComparedOutcome['verdicts'] {
  const values = JSON.parse(metrics) as Record<string, number | null>;
  const verdicts: Record<string, VerdictNumbers> = {};
  for (const name in values) {
    const value = values[name];
    if (typeof value !== 'number') continue;
    const isReport = name === errorMetric && errorReports.has(ordinal);
    verdicts[name] = { status: 'scored', value, unit: units.get(name), passed: isReport ? false : undefined };
  }
  return verdicts;
}
