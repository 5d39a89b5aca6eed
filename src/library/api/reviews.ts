import { loadRubrics } from '../config/rubrics/load-rubrics.ts';
import { randomId } from '../../core/lib/random-id.ts';
import { timeNow } from '../../core/lib/time.ts';
import { findRun, findRuns } from '../../look/queries/runs.ts';
import { readProgress } from '../../people/reviews/next-items.ts';
import {
  createReview as storeReview,
  invalid,
  planReview,
  type ReviewPlan,
  type ReviewSettings,
} from '../../people/reviews/plan-review.ts';
import { planPairs, usualPairRubric } from '../../people/reviews/pairs/plan-pairs.ts';
import { notesRubric } from '../../people/reviews/notes-rubric.ts';
import { loadVectors } from './modes/load-vectors.ts';
import type { ReviewProgress } from '../../people/reviews/progress.ts';
import { findTask } from '../../people/reviews/read-view.ts';
import { makeRubric } from '../../decide/certificates/rubric.ts';
import { drawRuleSchema, type ReviewTask } from '../../core/schema/review/review-task.ts';
import type { Rubric } from '../../core/schema/review/rubric.ts';
import { type StoreChoice, withStore } from './open-store.ts';
import { reviewTaskKind } from '../../stores/kinds/review-task.ts';
import { putDocuments } from '../../stores/documents/document-store.ts';

/** Options of creating a review task. */
export interface CreateReviewOptions
  extends StoreChoice,
    Omit<ReviewSettings, 'rubrics' | 'labels' | 'seed' | 'vectors'> {
  /** A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name; `latest` by default. */
  readonly run?: string;
  /** Names under `rubrics` in the config, files with a rubric each, or rubrics themselves. */
  readonly rubrics?: readonly (string | Omit<Rubric, 'version'>)[];
  /**
   * True for notes in place of rubrics: people read conversations, say whether anything is wrong, and note what went wrong first. Half
   * of the answers are then drawn where the scorecard failed them, and 80 in all, unless `draw` and `labels` say otherwise.
   */
  readonly notes?: boolean;
  /**
   * For pairs: the runs whose answers are compared, or one run with several targets; ids, parts of them, `latest`, `latest~1`, names of baselines, or their own names.
   * `run` is then absent. Without `rubrics`, people say which answer helps the person more.
   */
  readonly pairs?: readonly string[];
  /** For pairs: the names of the targets; all targets of the runs by default. */
  readonly targets?: readonly string[];
  /** The number of answers to label; 200 by default, 80 for notes. */
  readonly labels?: number;
  /** The seed of the draw; a random one by default. */
  readonly seed?: number;
  /** The config that declares the rubrics, when the store has another. */
  readonly rubricConfig?: string;
  /** Called with the plan before anything is stored; nothing is, when it returns false. */
  readonly confirm?: (plan: ReviewPlan) => Promise<boolean>;
}

/**
 * Plans a review task over the answers of a run, and stores it, as `touchstone review create` does.
 * @returns The plan: its task, its items, and what the labels can be expected to show.
 * @throws TouchstoneError for an unknown run or rubric, and for settings that cannot be met.
 */
export async function createReview(options: CreateReviewOptions): Promise<ReviewPlan> {
  const {
    run: runId,
    pairs,
    targets,
    rubrics: _named,
    notes: isNotes = false,
    labels = isNotes ? 80 : 200,
    draw = isNotes ? ({ type: 'outcome' } as const) : undefined,
    seed = randomSeed(),
    confirm,
    ...rest
  } = options;
  const { store: ownStore, folder, config, rubricConfig: _declared, ...settings } = rest;
  const [first, ...others] = await resolveRubrics(options);
  checkDraw(draw);
  const isByCluster = draw?.type === 'outcome' && draw.by === 'cluster';
  const choice = {
    store: ownStore,
    folder,
    config,
  };
  return await withStore(choice, async (store) => {
    const createdAt = timeNow();
    const id = `${first.id.replaceAll('.', '-').slice(0, 40)}-${createdAt.slice(0, 10)}-${randomId().slice(0, 4)}`;
    const rubrics = [first, ...others] as const;
    const vectors = isByCluster ? await loadVectors(options.rubricConfig ?? config, folder) : undefined;
    const task = { ...settings, rubrics, labels, draw, vectors, seed, id, createdAt };
    const plan =
      pairs === undefined
        ? await planReview(store, await findRun(store, runId), task)
        : await planPairs(store, await findRuns(store, pairs), {
            ...task,
            ...(targets !== undefined && { targets }),
          });
    if ((await confirm?.(plan)) !== false) await storeReview(store, plan);
    return plan;
  });
}

/** Throws `review-invalid` for a draw that does not exist: in JavaScript, no compiler says so. */
function checkDraw(draw: CreateReviewOptions['draw']): void {
  const known: string[] = drawRuleSchema.options.map(({ shape }) => shape.type.value);
  if (draw === undefined || known.includes(draw.type)) return;
  const meant: string = draw.type;
  const hint = meant === 'verdict' ? ' Half passed and half failed by the judge is `stratified`.' : '';
  throw invalid(`There is no draw of the type "${meant}".${hint} Choose from ${known.join(', ')}.`);
}

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] as number;
}

async function resolveRubrics({
  folder = process.cwd(),
  config,
  rubricConfig,
  rubrics: given = [],
  notes,
  pairs,
}: CreateReviewOptions): Promise<[Rubric, ...Rubric[]]> {
  if (notes === true && (given.length > 0 || pairs !== undefined))
    throw invalid('A review task for notes asks nothing else.');
  const usual = notes === true ? [notesRubric] : [usualPairRubric];
  const isUsual = notes === true || (pairs !== undefined && given.length === 0);
  const named: NonNullable<CreateReviewOptions['rubrics']> = isUsual ? usual : given;
  const home = rubricConfig ?? (typeof config === 'string' ? config : undefined);
  const rubrics = await Promise.all(
    named.map(async (each) => {
      const [written] =
        typeof each === 'string' ? await loadRubrics({ names: [each], config: home, folder }) : [each];
      return makeRubric(written as Omit<Rubric, 'version'>);
    }),
  );
  const [first, ...others] = rubrics;
  if (first === undefined) throw new TypeError('A review task asks at least one rubric.');
  return [first, ...others];
}

/** A review task with its progress. */
export interface ReviewState {
  readonly task: ReviewTask;
  readonly progress: ReviewProgress;
}

/** Lists the review tasks of a store with their progress, the newest first, as `touchstone review list` does. */
export async function listReviews(choice: StoreChoice = {}): Promise<ReviewState[]> {
  return await withStore(choice, async (store) => {
    const states: ReviewState[] = [];
    for (const task of await Array.fromAsync(store.documents.list(reviewTaskKind)))
      states.push({ task, progress: await readProgress(store, task.id) });
    return states;
  });
}

/**
 * Reads a review task with its progress, as `touchstone review show` does.
 * @param taskId - The id of a task, the beginning or end of it, or `latest`.
 * @throws TouchstoneError for an unknown task.
 */
export async function readReview(taskId = 'latest', choice: StoreChoice = {}): Promise<ReviewState> {
  return await withStore(choice, async (store) => {
    const task = await findTask(store.documents, taskId);
    return { task, progress: await readProgress(store, task.id) };
  });
}

/**
 * Ends a review task, or opens it again: a closed one takes no labels. Its labels stay.
 * @throws TouchstoneError for an unknown task.
 */
export async function setReviewStatus(
  taskId: string,
  status: ReviewTask['status'],
  choice: StoreChoice = {},
): Promise<ReviewTask> {
  return await withStore(choice, async (store) => {
    const task = { ...(await findTask(store.documents, taskId)), status };
    await putDocuments(store.documents, reviewTaskKind, [task]);
    return task;
  });
}
