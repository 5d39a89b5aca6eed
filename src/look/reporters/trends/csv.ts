import { changesAt, type TrendsInput } from '../../report/trends.ts';
import type { TrendPoint } from '../../../core/schema/trends.ts';
import { csvLine } from '../csv.ts';

const columns = [
  'target',
  'measure',
  'unit',
  'run',
  'name',
  'created_at',
  'commit',
  'branch',
  'dirty',
  'series',
  'left_out',
  'value',
  'lower',
  'upper',
  'n',
  'corrected',
  'corrected_lower',
  'corrected_upper',
  'pass_rate',
  'measured',
  'planned',
  'coverage',
  'latency_p50_ms',
  'latency_p90_ms',
  'latency_p99_ms',
  'cost_per_call_usd',
  'changes',
] as const;

/** Formats trends for a spreadsheet: a row for each run of each target, with unrounded numbers. */
export function trendsCsv({ trends: { trends } }: TrendsInput): string {
  const rows = trends.flatMap(({ target, measure, points, searches }) =>
    points.map((point) => {
      const changes = changesAt(searches, point.run).map(({ search, change }) => {
        return `${search.name} ${change.finding}`;
      });
      return {
        target,
        measure: measure.name,
        unit: measure.unit,
        ...cellsOf(point),
        changes: changes.join('; '),
      };
    }),
  );
  return csvLine(columns) + rows.map((row) => csvLine(columns.map((name) => row[name]))).join('');
}

function cellsOf(point: TrendPoint) {
  const { git, value, latency } = point;
  return {
    run: point.run,
    name: point.name,
    created_at: point.createdAt,
    commit: git?.commit,
    branch: git?.branch,
    dirty: git?.dirty,
    series: point.series,
    left_out: point.leftOut,
    value: value.value,
    lower: value.lower,
    upper: value.upper,
    n: value.n,
    corrected: point.corrected?.value,
    corrected_lower: point.corrected?.lower,
    corrected_upper: point.corrected?.upper,
    pass_rate: point.passRate?.value,
    measured: point.measured,
    planned: point.planned,
    coverage: point.coverage,
    latency_p50_ms: latency?.p50,
    latency_p90_ms: latency?.p90,
    latency_p99_ms: latency?.p99,
    cost_per_call_usd: point.cost,
  };
}
