import { TouchstoneError } from '../../../core/errors.ts';
import { nearestName } from '../../../core/lib/text/nearest-name.ts';
import { uncategorized } from '../../../core/schema/case.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { type Trend, type Trends, trendsVersion } from '../../../core/schema/trends.ts';
import { watchOf } from '../../../core/schema/watch/watch-record.ts';
import { withEdits } from '../../../stores/kinds/run-edit.ts';
import type { Store } from '../../../stores/store.ts';
import { joinSeries, type QuestionStep, searchSeries } from './search-series.ts';
import {
  chooseRuns,
  type LonePoint,
  type PlacedRun,
  pointOf,
  type RunChoices,
  summaryOf,
  type TrendReview,
} from './trend-points.ts';
import type { TrendMeasure } from './trend-rules.ts';

/** Options of a trend. */
export interface TrendChoices extends RunChoices {
  /** The targets; by default all that the runs have. */
  readonly targets?: readonly string[];
  /** The only category to include. */
  readonly category?: string;
  /** A metric in place of the score. */
  readonly metric?: string;
}

/**
 * Computes the trends of the targets over their runs, from the stored summaries and, unless that is too much to read,
 * from the results of single questions, which show the chance variation. Values that rest on certified judges are corrected by
 * the review. Throws `usage-invalid`
 * for a target, category or metric that none of the chosen runs has.
 */
export async function traceTrends(
  store: Pick<Store, 'listRuns' | 'readRun' | 'readOutcomes' | 'documents'>,
  choices: TrendChoices,
  review: TrendReview,
): Promise<Trends> {
  const { runs: chosen, superseded } = chooseRuns(
    await withEdits(await store.listRuns(), store.documents),
    choices,
  );
  const runs = await readPlaced(store, chosen);
  const { category } = choices;
  const known = targetsOf(runs);
  for (const name of choices.targets ?? []) checkName('target', name, known);
  if (runs.length > 0) checkNames(runs, choices);
  const trends: Trend[] = [];
  for (const target of choices.targets ?? known) {
    trends.push(await traceTarget(runs, target, { ...choices, store, review }));
  }
  return { version: trendsVersion, category, superseded, trends };
}

/** Reads the chosen runs; one that was deleted in the meantime is skipped. */
async function readPlaced(
  store: Pick<Store, 'readRun' | 'documents'>,
  chosen: readonly { readonly id: string; readonly createdAt: string }[],
): Promise<PlacedRun[]> {
  const placed: PlacedRun[] = [];
  for (const { id, createdAt } of chosen) {
    const run = await store.readRun(id);
    if (run !== undefined) placed.push({ run, createdAt });
  }
  const named = await withEdits(
    placed.map(({ run }) => run),
    store.documents,
  );
  return placed.map(({ run, createdAt }, index) => ({ run: named[index] ?? run, createdAt }));
}

type TargetChoices = TrendChoices & {
  readonly store: Pick<Store, 'readOutcomes'>;
  readonly review: TrendReview;
};

/** Computes the trend of one target over all runs that include it. */
async function traceTarget(
  runs: readonly PlacedRun[],
  target: string,
  { category, metric, store, review }: TargetChoices,
): Promise<Trend> {
  const own = runs.filter(({ run }) => targetNames(run).includes(target));
  const measure = findMeasure(own, target, metric);
  const view = { target, measure, category };
  const lone: LonePoint[] = [];
  for (const placed of own) {
    const { judge, ...corrected } = (await review(placed.run, view)) ?? {};
    const each = pointOf(placed, view);
    lone.push({ ...each, point: { ...each.point, ...corrected }, judge });
  }
  const placed = joinSeries(lone, measure);
  const searches = await searchSeries(placed, {
    measure,
    category,
    readSteps: async (members) => await readSteps(members, { target, measure, store }),
  });
  return { target, measure, points: placed.map(({ point }) => point), searches };
}

/**
 * Returns the measure of a trend: the score or a metric. The metric is the chosen one or, without any scorecard, the
 * first that is a share.
 */
function findMeasure(runs: readonly PlacedRun[], target: string, metric: string | undefined): TrendMeasure {
  const newestFirst = runs.toReversed().map(({ run }) => run);
  const score = { type: 'score', name: 'score' } as const;
  if (metric === undefined && newestFirst.some(({ scorecard }) => scorecard !== null)) return score;
  for (const run of newestFirst) {
    const found = metricsIn(run, target).find((each) =>
      metric === undefined ? each.unit === undefined : each.metric === metric,
    );
    if (found === undefined) continue;
    return { type: 'metric', name: found.metric, unit: found.unit };
  }
  return score;
}

function metricsIn(run: Run, target: string) {
  return summaryOf(run)?.targets.find((each) => each.target === target)?.metrics ?? [];
}

/** Returns the names of the targets, the targets of the newest run first. */
function targetsOf(runs: readonly PlacedRun[]): string[] {
  return [...new Set(runs.toReversed().flatMap(({ run }) => targetNames(run)))];
}

function targetNames({ targets }: Run): string[] {
  return withoutConditions(targets).map(({ name }) => name);
}

function checkNames(runs: readonly PlacedRun[], { category, metric }: TrendChoices): void {
  if (metric !== undefined) {
    checkName('metric', metric, [...new Set(runs.flatMap(({ run }) => run.metrics.map(({ name }) => name)))]);
  }
  if (category === undefined) return;
  const categories = runs.flatMap(({ run }) =>
    (summaryOf(run)?.targets ?? []).flatMap((target) => target.categories.map((each) => each.category)),
  );
  checkName('category', category, [...new Set(categories)]);
}

function checkName(kind: 'target' | 'category' | 'metric', name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? `Choose from ${known.join(', ')}.` : `Did you mean ${nearest}?`;
  throw new TouchstoneError('usage-invalid', `None of these runs has a ${kind} "${name}".`, {
    remedy: known.length === 0 ? 'Make a run first: `touchstone run`.' : hint,
  });
}

/** Largest number of outcomes that are read for a series. */
const mostOutcomes = 200_000;

/** The target and measure to read, with the store. */
interface StepView {
  readonly target: string;
  readonly measure: TrendMeasure;
  readonly store: Pick<Store, 'readOutcomes'>;
}

/**
 * Reads the steps between the runs of a series, question by question; undefined when that would be too much to read, and for
 * runs without common questions.
 */
async function readSteps(runs: readonly Run[], view: StepView): Promise<QuestionStep[][] | undefined> {
  const outcomes = runs.reduce(
    (sum, { dataset, targets, attempts }) => sum + dataset.cases * targets.length * attempts,
    0,
  );
  // The days of a watch have no question in common.
  if (outcomes > mostOutcomes || runs.some((run) => watchOf(run) !== undefined)) return undefined;
  const steps: QuestionStep[][] = [];
  let earlier: ReadonlyMap<number, QuestionMean> | undefined;
  for (const run of runs) {
    const means = await readMeans(run, view);
    if (earlier !== undefined) steps.push(stepsBetween(earlier, means));
    earlier = means;
  }
  return steps;
}

interface QuestionMean extends Omit<QuestionStep, 'difference'> {
  sum: number;
  /** The number of attempts behind the sum. */
  attempts: number;
}

/**
 * Reads the mean of the attempts at each measured question by its position, which is the same in all plans of a
 * series.
 */
async function readMeans(run: Run, { target, measure, store }: StepView): Promise<Map<number, QuestionMean>> {
  const means = new Map<number, QuestionMean>();
  const add = (outcome: Outcome): void => {
    if (outcome.trial.target !== target) return;
    const value = valueOf(outcome, measure);
    if (value === undefined) return;
    const position = Math.floor(outcome.trial.ordinal / (run.targets.length * run.attempts));
    const { category = uncategorized, cluster } = outcome.case;
    const ofCase = run.dataset.caseWeights === undefined ? 1 : (outcome.case.weight ?? 1);
    const mean = means.get(position) ?? { category, cluster, weight: ofCase, sum: 0, attempts: 0 };
    const weight = outcome.weight ?? 1;
    mean.sum += value * weight;
    mean.attempts += weight;
    means.set(position, mean);
  };
  for await (const outcomes of store.readOutcomes(run.id)) outcomes.forEach(add);
  return means;
}

function valueOf({ trial, scorecard, verdicts }: Outcome, { type, name }: TrendMeasure): number | undefined {
  if (trial.status !== 'completed') return undefined;
  if (type === 'score') return scorecard?.total ?? undefined;
  const verdict = verdicts[name];
  return verdict?.status === 'scored' ? verdict.value : undefined;
}

function stepsBetween(
  earlier: ReadonlyMap<number, QuestionMean>,
  later: ReadonlyMap<number, QuestionMean>,
): QuestionStep[] {
  return [...later].flatMap(([position, { category, cluster, weight, sum, attempts }]) => {
    const before = earlier.get(position);
    if (before === undefined) return [];
    return [{ difference: sum / attempts - before.sum / before.attempts, category, cluster, weight }];
  });
}
