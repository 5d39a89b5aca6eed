import { TouchstoneError } from '../../core/errors.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { parseTrialFilter } from '../../look/queries/filters.ts';
import { findTrials } from '../../look/queries/trials.ts';
import {
  type DrawRule,
  type ReviewItem,
  type ReviewTask,
  reviewTaskSchema,
} from '../../core/schema/review/review-task.ts';
import type { Rubric } from '../../core/schema/review/rubric.ts';
import type { Run } from '../../core/schema/run.ts';
import { createRandom } from '../../core/stats/random.ts';
import type { Store } from '../../stores/store.ts';
import { type Draw, drawEntries, type DrawSettings, type FrameEntry, shuffle } from './draw/draw.ts';
import { clusterAnswers, type TextVectors } from './cluster-answers.ts';
import { type ExpectedHalfWidth, halfWidthOf, notesOn } from './plan-notes.ts';
import { readPilot } from './read-pilot.ts';
import { type ReadFrame, readFrame } from './frame.ts';
import { expectedSeconds } from './progress.ts';
import { addReviewRecords } from '../../stores/reviews/review-records.ts';
import { rubricKind } from '../../stores/kinds/rubric.ts';
import { putDocuments } from '../../stores/documents/document-store.ts';

/** The rule of a draw as a user chooses it; the metric belongs to the first rubric. */
export type DrawChoice =
  | { readonly type: 'random' }
  | { readonly type: 'stratified'; readonly byCategory?: boolean }
  /** By the outcome of the scorecard; `by: 'cluster'` needs the vectors of an embedder. */
  | { readonly type: 'outcome'; readonly by?: 'category' | 'cluster' }
  | { readonly type: 'neyman'; readonly pilot: string }
  | { readonly type: 'uncertainty'; readonly floor?: number }
  | { readonly type: 'every-nth'; readonly n: number }
  | { readonly type: 'by-hand' };

/** The settings of a review task. */
export interface ReviewSettings {
  /** The questions; the draw depends on the verdicts of the criterion of the first. */
  readonly rubrics: readonly [Rubric, ...Rubric[]];
  /** The number of answers to label. */
  readonly labels: number;
  readonly draw?: DrawChoice;
  /** A filter of the trials, such as `category=hybrid target=bot`. */
  readonly filter?: readonly string[];
  /** The places in the plan of the only answers, in place of those that a filter matches. */
  readonly ordinals?: readonly number[];
  readonly seed: number;
  /** For a draw by cluster: what maps texts to vectors. */
  readonly vectors?: TextVectors;
  /** The number of people who label each item of a share of the items; every other item is labelled by one. */
  readonly overlap?: { readonly people: number; readonly share: number };
  readonly people?: readonly string[];
  readonly adjudicators?: readonly string[];
  readonly repeats?: number;
  readonly controls?: number;
  /** A day, such as 2026-12-31. */
  readonly due?: string;
}

/** The settings of a review task with its name. */
export interface TaskSettings extends ReviewSettings {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A planned task, of which nothing is stored yet. */
export interface ReviewPlan {
  readonly task: ReviewTask;
  readonly items: readonly ReviewItem[];
  readonly rubrics: readonly Rubric[];
  /** The number of labels: the product of items and people. */
  readonly labels: number;
  /** The expected time of work, in hours, at 40 seconds a label. */
  readonly hours: number;
  /**
   * The half-width that the 95 % interval of the corrected pass rate is expected to have if the judge is right about nine
   * of ten answers, and the one it will not exceed; null for draws that are not for estimates, and where it is unknown.
   */
  readonly halfWidth: ExpectedHalfWidth | null;
  /** Sentences about what the plan cannot do. */
  readonly notes: readonly string[];
}

/**
 * Plans a review task over the answers of a run: draws the items, and says what the labels can be expected to show. Stores
 * nothing. Throws `review-invalid` for settings that cannot be met, `review-not-found` for an unknown pilot, and
 * `usage-invalid` for an invalid filter.
 */
export async function planReview(store: Store, run: Run, settings: TaskSettings): Promise<ReviewPlan> {
  requireScale(settings.rubrics, false);
  const { rubrics, draw: choice = { type: 'stratified' }, filter = [] } = settings;
  const rule = ruleOf(choice, settings);
  const metric = 'metric' in rule ? rule.metric : undefined;
  checkMetric(run, metric);
  if (rule.type === 'outcome') checkScorecard(run);
  const pilot = rule.type === 'neyman' ? await readPilot(store, rule.pilot, rubrics[0]) : undefined;
  const where = parseTrialFilter(filter, run);
  const ordinals = settings.ordinals?.toSorted((one, other) => one - other);
  const read = await readFrame(store, run, {
    ordinals: ordinals ?? (await findTrials(store, run, { where })),
    filter,
    metric,
    isByOutcome: rule.type === 'outcome',
    without: pilot?.answers ?? new Set(),
  });
  if (read.entries.length === 0) {
    const why = read.frame.excluded.map(({ reason, count }) => `${reason}: ${count}`).join(', ');
    throw invalid(`Run ${run.id} has no answers to label${why === '' ? '' : ` (${why})`}.`);
  }
  const draw = await drawItems(store, settings, { rule, read, spreads: pilot?.spreads });
  if (draw.drawn.length === 0) throw invalid('The draw is empty.');
  return toPlan(settings, { rule, read, draw, judged: judgedMetrics(run, rubrics) });
}

/** Draws the items of a task by a rule; the clusters of a draw by cluster come from vectors. */
async function drawItems(
  store: Store,
  { labels, seed, vectors }: TaskSettings,
  { rule, read, spreads }: Pick<DrawnTask, 'rule' | 'read'> & Pick<DrawSettings, 'spreads'>,
): Promise<Draw> {
  const count = rule.type === 'outcome' ? rule.clusters?.count : undefined;
  const isByCluster = count !== undefined && vectors !== undefined;
  const clusters = isByCluster ? await clusterAnswers(store, read, { vectors, count, seed }) : [];
  const picked = rule.type === 'by-hand' ? [...read.entries.keys()] : [];
  return drawEntries(read.entries, { rule, count: labels, seed, spreads, clusters, picked });
}

function judgedMetrics({ metrics }: Run, rubrics: readonly Rubric[]): NonNullable<ReviewTask['judged']> {
  const named = new Set(rubrics.map(({ criterion }) => criterion));
  return metrics
    .filter(({ name }) => named.has(name))
    .map(({ name, fingerprint }) => ({ metric: name, fingerprint }));
}

/** Throws `review-invalid` for a rubric about pairs in a task about single answers, or the other way round. */
export function requireScale(rubrics: readonly Rubric[], isPairs: boolean): void {
  const other = rubrics.find(({ scale }) => (scale.type === 'pair') !== isPairs);
  if (other === undefined) return;
  const [is, wanted] = isPairs ? ['a single answer', 'pairs'] : ['pairs of answers', 'single answers'];
  throw new TouchstoneError(
    'review-invalid',
    `The rubric ${other.id} is about ${is}, and the task about ${wanted}.`,
    {
      remedy: isPairs
        ? 'Set `scale: pair` in the rubric, or leave `--rubric` out.'
        : 'Name the runs whose answers are compared: `touchstone review create --pairs A B`.',
    },
  );
}

export function invalid(message: string): TouchstoneError {
  return new TouchstoneError('review-invalid', message);
}

/** The number of clusters of similar conversations in a draw by cluster. */
const clusterCount = 8;

function ruleOf(choice: DrawChoice, { rubrics, vectors }: TaskSettings): DrawRule {
  const metric = rubrics[0].criterion;
  switch (choice.type) {
    case 'stratified':
      return { type: choice.type, metric, byCategory: choice.byCategory === true };
    case 'outcome': {
      if (choice.by !== 'cluster') return choice;
      if (vectors === undefined) throw invalid('A draw by cluster needs an embedder.');
      return { ...choice, clusters: { embedder: vectors.fingerprint, count: clusterCount } };
    }
    case 'neyman':
      return { type: choice.type, metric, pilot: choice.pilot };
    case 'uncertainty':
      return { type: choice.type, metric, floor: choice.floor ?? 0.2 };
    default:
      return choice;
  }
}

function checkScorecard({ id, scorecard }: Run): void {
  if (scorecard !== null) return;
  throw new TouchstoneError(
    'review-invalid',
    `Run ${id} has no scorecard, so that no answer of it passed or failed.`,
    { remedy: 'Draw without outcomes: `--draw random`.' },
  );
}

function checkMetric({ id, metrics }: Run, metric: string | undefined): void {
  const known = metrics.map(({ name }) => name);
  if (metric === undefined || known.includes(metric)) return;
  throw new TouchstoneError(
    'review-invalid',
    `Run ${id} has no verdicts of the metric "${metric}", which the rubric is about.${didYouMean(metric, known)}`,
    {
      remedy: `Set the criterion of the rubric to one of ${known.join(', ')}; or draw without verdicts: \`--draw random\`.`,
    },
  );
}

/** The drawn items of a task, with the frame that they were drawn from. */
interface DrawnTask {
  readonly rule: DrawRule;
  readonly read: ReadFrame;
  readonly draw: Draw;
  /** The judged metrics that the rubrics are about; empty for a task about pairs. */
  readonly judged: NonNullable<ReviewTask['judged']>;
  /** The targets of a task about pairs. */
  readonly pairs?: ReviewTask['pairs'];
}

/** Returns the plan of a task whose items are drawn. Throws `review-invalid` for settings that cannot be used. */
export function toPlan(settings: TaskSettings, { rule, read, draw, judged, pairs }: DrawnTask): ReviewPlan {
  const { rubrics, id, createdAt, seed, overlap = { people: 1, share: 0 }, due } = settings;
  const severalOf = choosePositions(draw.drawn.length, overlap.share, seed);
  const items = draw.drawn.map(({ index, stratum, probability }, position): ReviewItem => {
    const { subject } = read.entries[index] as FrameEntry;
    const people = severalOf.has(position) ? overlap.people : 1;
    return { task: id, position, subject, stratum, probability, people };
  });
  const task: ReviewTask = {
    id,
    createdAt,
    rubrics: rubrics.map((rubric) => ({ id: rubric.id, version: rubric.version })),
    frame: read.frame,
    draw: rule,
    strata: [...draw.strata],
    ...(judged.length > 0 && { judged }),
    items: items.length,
    seed,
    pairs,
    overlap,
    people: [...(settings.people ?? [])],
    adjudicators: [...(settings.adjudicators ?? [])],
    repeats: { share: settings.repeats ?? 0.05, afterMs: 86_400_000 },
    controls: { share: settings.controls ?? 0.05 },
    due,
    status: 'open',
  };
  const parsed = reviewTaskSchema.safeParse(task);
  if (!parsed.success) {
    const [problem] = parsed.error.issues;
    throw invalid(`The setting ${problem?.path.join('.')} cannot be used: ${problem?.message}.`);
  }
  const labels = items.reduce((sum, { people }) => sum + people, 0) * rubrics.length;
  const hours = (labels * expectedSeconds) / 3600;
  const notes = notesOn(task, settings.labels);
  return { task, items, rubrics, labels, hours, halfWidth: halfWidthOf(task), notes };
}

/** Chooses at random the positions of the items that several people label. */
function choosePositions(count: number, share: number, seed: number): Set<number> {
  const positions = Array.from({ length: count }, (_, position) => position);
  const random = createRandom(seed).fork('several people');
  return new Set(shuffle(positions, random).slice(0, Math.round(count * share)));
}

/** Stores a planned task with its rubrics and items. A task is never stored without its items. */
export async function createReview(store: Store, { task, items, rubrics }: ReviewPlan): Promise<ReviewTask> {
  for (const rubric of rubrics) await putDocuments(store.documents, rubricKind, [rubric]);
  await addReviewRecords(store.documents, { tasks: [task], items });
  return task;
}
