import type { RunHead } from '../../../core/schema/api/run-head.ts';
import { notMeasured } from '../../../core/schema/estimate.ts';
import type { Run } from '../../../core/schema/run.ts';
import { type Summary, summarySchema, type TargetSummary } from '../../../core/schema/summary.ts';
import type { TrendPoint } from '../../../core/schema/trends.ts';
import { watchOf } from '../../../core/schema/watch/watch-record.ts';
import type { TrendMeasure } from './trend-rules.ts';

/** A run of one target before it is assigned to a series. */
export interface LonePoint {
  readonly run: Run;
  /** The summary of the target; undefined when the run has none. */
  readonly summary: TargetSummary | undefined;
  readonly point: Omit<TrendPoint, 'series' | 'breaks'>;
  /** The key of the error rates of the certified judges behind the value; undefined for a value without such a judge. */
  readonly judge?: string;
}

/** The value of a run as certificates of judges correct it. */
export interface ReviewedPoint extends Pick<TrendPoint, 'corrected' | 'notCorrected'> {
  /** A key that is the same for runs that are judged with the same error rates. */
  readonly judge: string;
}

/** A function that corrects the value of a run; undefined for a value that rests on no certified judge. */
export type TrendReview = (run: Run, view: PointView) => Promise<ReviewedPoint | undefined>;

/** The target and the measure of a point. */
export interface PointView {
  readonly target: string;
  readonly measure: TrendMeasure;
  readonly category: string | undefined;
}

/** Builds the point of a run, with the reason if it cannot be part of a series. */
export function pointOf({ run, createdAt }: PlacedRun, view: PointView): LonePoint {
  const whole = summaryOf(run);
  const summary = whole?.targets.find(({ target }) => target === view.target);
  const part = partOf(summary, view);
  const leftOut = whyLeftOut(run, summary, part);
  const point = {
    run: run.id,
    name: run.name,
    createdAt,
    git: run.git,
    description: run.description,
    watch: watchOf(run),
    ...part,
    ...usageOf(summary),
    ...(leftOut !== undefined && { leftOut }),
  };
  return { run, summary, point };
}

type Part = Pick<TrendPoint, 'value' | 'passRate' | 'measured' | 'planned' | 'coverage'>;

/** Returns the value of the whole run, or of a category. */
function partOf(summary: TargetSummary | undefined, { measure, category }: PointView): Part {
  const part =
    category === undefined ? summary : summary?.categories.find((each) => each.category === category);
  if (summary === undefined || part === undefined) {
    return { value: notMeasured('not measured'), measured: 0, planned: 0, coverage: 0 };
  }
  if (measure.type === 'metric') {
    const metric = part.metrics?.find((each) => each.metric === measure.name);
    if (metric === undefined)
      return { value: notMeasured('not measured'), measured: 0, planned: 0, coverage: 0 };
    const asked = metric.planned - metric.notApplicable;
    const coverage = asked === 0 ? 0 : metric.scored / asked;
    return { value: metric.estimate, measured: metric.scored, planned: asked, coverage };
  }
  const { measured, planned: whole, notNeeded = 0 } = part.counts;
  const planned = whole - notNeeded;
  const coverage = category === undefined ? summary.coverage : planned === 0 ? 0 : measured / planned;
  return {
    value: part.score,
    ...(category === undefined && { passRate: summary.passRate }),
    measured,
    planned,
    coverage,
  };
}

/** The least share of measured trials: a run with less says too little about the others. */
const leastCoverage = 0.9;

function whyLeftOut(run: Run, summary: TargetSummary | undefined, part: Part): string | undefined {
  if (run.failedOf !== undefined) return 'only failed ones, again';
  if (run.status === 'interrupted') return 'interrupted';
  if (run.status !== 'completed') return 'not finished';
  if (run.summary !== undefined && summary === undefined) return 'stored by an older version';
  if (part.value.value === null) return 'not measured';
  if (part.coverage >= leastCoverage - 1e-9) return undefined;
  return `only ${Math.floor(part.coverage * 100)} % measured`;
}

/** Returns the latency and the cost of a call, without intervals. */
function usageOf(summary: TargetSummary | undefined): Pick<TrendPoint, 'latency' | 'cost'> {
  if (summary === undefined) return { latency: null, cost: null };
  const { latency, cost } = summary.usage;
  return {
    latency: latency === null ? null : { p50: latency.p50, p90: latency.p90, p99: latency.p99 },
    cost: cost.sum === null ? null : cost.sum / cost.reported,
  };
}

/** Returns the stored summary of a run; undefined for one that an older version stored in another form. */
export function summaryOf({ summary }: Run): Summary | undefined {
  return summarySchema.safeParse(summary).data;
}

/** Options for choosing the runs of a trend. */
export interface RunChoices {
  /** Returns whether a run is considered at all; every run is by default. */
  readonly where?: (run: RunHead) => boolean;
  /** The number of newest runs; all by default. */
  readonly last?: number;
  /** The earliest moment, in milliseconds since 1970. */
  readonly since?: number;
  /** The only git branch. */
  readonly branch?: string;
}

/** A run with the time at which its answers were given. */
export interface PlacedRun {
  readonly run: Run;
  readonly createdAt: string;
}

/** The chosen runs, the oldest first, and the number of runs replaced by a newer scoring of the same answers. */
interface ChosenRuns {
  readonly runs: readonly { readonly id: string; readonly createdAt: string }[];
  readonly superseded: number;
}

/**
 * Chooses the runs of a trend and sorts them by the time at which their answers were given. Answers that were scored
 * several times count once, by their newest completed scoring, at the time and the commit of the answers.
 */
export function chooseRuns(
  kept: readonly RunHead[],
  { where = () => true, last, since, branch }: RunChoices,
): ChosenRuns {
  const byId = new Map(kept.map((run) => [run.id, run]));
  const scorings = Map.groupBy(kept.filter(where), (run) => originOf(run, byId).id);
  const placed = [...scorings.values()].map((runs) => {
    const newest = newestOf(runs);
    return { run: newest, createdAt: originOf(newest, byId).createdAt, others: runs.length - 1 };
  });
  const chosen = placed
    .filter(({ createdAt }) => since === undefined || Date.parse(createdAt) >= since)
    .filter(({ run }) => branch === undefined || run.git?.branch === branch)
    .toSorted((a, b) => compareTexts(a.createdAt, b.createdAt) || compareTexts(a.run.id, b.run.id));
  const newest = chosen.slice(last === undefined ? 0 : Math.max(0, chosen.length - last));
  return {
    runs: newest.map(({ run: { id }, createdAt }) => ({ id, createdAt })),
    superseded: newest.reduce((sum, { others }) => sum + others, 0),
  };
}

/** Returns the run in which the answers were given, as far as it is stored. */
function originOf(run: RunHead, byId: ReadonlyMap<string, RunHead>): RunHead {
  const seen = new Set<string>();
  let origin = run;
  while (origin.rescoredFrom !== undefined && !seen.has(origin.id)) {
    seen.add(origin.id);
    const earlier = byId.get(origin.rescoredFrom);
    if (earlier === undefined) return origin;
    origin = earlier;
  }
  return origin;
}

/** Returns the newest scoring. An interrupted scoring does not replace a completed one. */
function newestOf(runs: readonly RunHead[]): RunHead {
  const done = runs.filter(({ status }) => status === 'completed');
  const candidates = done.length > 0 ? done : runs;
  return candidates.reduce((newest, run) => (run.createdAt > newest.createdAt ? run : newest));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
