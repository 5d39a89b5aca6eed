import { TouchstoneError } from '../../../core/errors.ts';
import { parseTrialFilter } from '../../../look/queries/filters.ts';
import { findTrials } from '../../../look/queries/trials.ts';
import type { Subject } from '../../../core/schema/review/label.ts';
import type { DrawRule, ReviewItem, ReviewTask } from '../../../core/schema/review/review-task.ts';
import type { Rubric } from '../../../core/schema/review/rubric.ts';
import type { Run, RunMetric } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';
import { answerKey, readFrame } from '../frame.ts';
import { findTask, readView } from '../read-view.ts';
import { equivalentVersions } from '../../../decide/certificates/rubric.ts';
import type { CalibrationInput } from './calibrate.ts';
import {
  type LabelsAndVerdicts,
  type PairedLabels,
  pairLabels,
} from '../../../decide/certificates/pair-labels.ts';
import { type Half, chooseSplit, findLeaks, halfOf, textsIn } from './tuned-judge.ts';
import { findJudgedRun } from './find-judged-run.ts';
import { type JudgedAnswer, readAnswers, readReplies } from './read-answers.ts';
import { readItems, readMarks } from '../../../stores/reviews/review-records.ts';
import { equivalenceKind } from '../../../stores/kinds/rubric.ts';
import { reviewTaskKind } from '../../../stores/kinds/review-task.ts';

/** The choice of what a judge is compared with. */
export interface CalibrationChoice {
  /** The run whose pass rate is corrected; by default the newest that scored the answers of the task again with this metric, or else the run of the task. */
  readonly run?: string;
  /** The id of the rubric. */
  readonly rubric: string;
  /** The review task, by its id, the beginning or end of it; the newest with the rubric by default. */
  readonly task?: string;
  /** True when the judge was tuned on labels: then only the certify half counts. Found out for most judges that were. */
  readonly isTuned?: boolean;
}

/**
 * Reads the labels of a review task and the verdicts of the judge on the same answers. Throws `review-not-found`,
 * `run-not-found`, and `review-invalid` for a rubric or a metric by which no judge can be compared with labels.
 */
export async function readCalibration(store: Store, choice: CalibrationChoice): Promise<CalibrationInput> {
  const task = await chooseTask(store, choice);
  const { rubrics } = await readView(store.documents, task.id);
  const rubric = rubrics.find(({ id }) => id === choice.rubric) ?? throwNoRubric(choice.rubric, task);
  const run = await findJudgedRun(store, task, rubric, choice.run);
  const metric = judgedMetric(run, rubric);
  const items = await readItems(store.documents, task.id);
  const own = await readAnswers(store, run, metric.name);
  const drawn = await drawnFrom(store, run, task);
  const isFromFrame = drawn !== undefined;
  const labelled = isFromFrame ? own : await readElsewhere(store, task, metric);
  const byItem = matchItems(items, labelled);
  const pair = pairer(
    {
      marks: await readMarks(store.documents, task.id),
      rubric,
      versions: equivalentVersions(rubric, await Array.fromAsync(store.documents.list(equivalenceKind))),
    },
    byItem,
  );
  const all = pair(items);
  const { models, prompts } = await readReplies(store, run, own);
  const settledAt = new Set(all.answers.map(({ item }) => item));
  const settledItems = items.filter(({ position }) => settledAt.has(position));
  const leaks = findLeaks([...prompts, ...textsIn(metric.use)], textsOf(settledItems, byItem));
  const leakedIn = (half: Half) => leaks.filter(({ half: of }) => of === half);
  const rule = chooseSplit({
    task,
    metric,
    labelled: await fingerprintAt(store, task, metric.name),
    isTuned: choice.isTuned === true,
    tuningItemsInPrompt: leakedIn('tune').length,
  });
  const isForTuning = ({ subject }: ReviewItem) => rule.part === 'certify' && halfOf(subject) === 'tune';
  const tuning = settledItems.filter(isForTuning);
  const paired = {
    ...(tuning.length === 0 ? all : pair(items.filter((item) => !isForTuning(item)))),
    ratings: all.ratings,
  };
  const keysOf = (some: readonly ReviewItem[]) =>
    new Set(some.flatMap((item) => byItem.get(item)?.key ?? []));
  const usable = own.filter(({ passed, key }) => passed !== null && (drawn?.has(key) ?? true));
  // An item without a settled label, or one for tuning, is an answer like any other that was not drawn.
  const settled = new Set(paired.answers.map(({ item }) => item));
  const labelledKeys = keysOf(items.filter(({ position }) => settled.has(position)));
  return {
    judge: { ...metric.judge, models },
    metric: { name: metric.name, fingerprint: metric.fingerprint },
    rubric: { id: rubric.id, version: rubric.version },
    run: run.id,
    task: task.id,
    frame: task.frame,
    draw: task.draw,
    split: { ...rule, tuning: tuning.length },
    strata: task.strata,
    population: {
      dataset: run.dataset.hash,
      targets: run.targets.map(({ name, fingerprint }) => ({ name, fingerprint })),
      categories: countCategories(usable),
      at: run.createdAt,
    },
    paired,
    answers: usable.map(({ passed, cluster, key, subject }) => ({
      passed: passed === true,
      target: subject.target,
      cluster,
      isLabelled: labelledKeys.has(key),
    })),
    isFromFrame,
    drawFault: drawFaultOf(task, run, isFromFrame),
    samples: own.flatMap(({ samples }) => (samples.length < 2 ? [] : [samples])),
    leaks: leakedIn('certify'),
  };
}

/** Returns a function that pairs the labels of some items of a task with the verdicts of the judge. */
function pairer(
  labels: Pick<LabelsAndVerdicts, 'marks' | 'rubric' | 'versions'>,
  byItem: ReadonlyMap<ReviewItem, JudgedAnswer>,
): (items: readonly ReviewItem[]) => PairedLabels {
  return (items) =>
    pairLabels({
      ...labels,
      items,
      passedOf: (item) => byItem.get(item)?.passed ?? null,
      clusterOf: (item) => byItem.get(item)?.cluster ?? item.subject.caseId,
    });
}

function textsOf(items: readonly ReviewItem[], byItem: ReadonlyMap<ReviewItem, JudgedAnswer>) {
  return items.map((item) => ({
    caseId: item.subject.caseId,
    half: halfOf(item.subject),
    question: byItem.get(item)?.question ?? '',
    answer: byItem.get(item)?.answer ?? '',
  }));
}

function countCategories(answers: readonly JudgedAnswer[]): CalibrationInput['population']['categories'] {
  const groups = Map.groupBy(answers, ({ category }) => category);
  return Array.from(groups, ([category, own]) => ({
    category,
    answers: own.length,
    cases: new Set(own.map(({ subject }) => subject.caseHash)).size,
  }));
}

/** Returns the fingerprint that a metric had in the run whose answers a task was drawn from. */
async function fingerprintAt(
  store: Store,
  { frame }: ReviewTask,
  metric: string,
): Promise<string | undefined> {
  const run = await store.readRun(frame.run);
  return run?.metrics.find(({ name }) => name === metric)?.fingerprint;
}

/** Finds the review task that is named, or the newest one that asks a rubric. Throws `review-not-found`. */
export async function chooseTask(
  { documents }: Store,
  { rubric, task }: CalibrationChoice,
): Promise<ReviewTask> {
  if (task !== undefined && task !== 'latest') return await findTask(documents, task);
  const found = (await Array.fromAsync(documents.list(reviewTaskKind))).find(({ rubrics }) =>
    rubrics.some(({ id }) => id === rubric),
  );
  if (found !== undefined) return found;
  throw new TouchstoneError('review-not-found', `There is no review task with the rubric "${rubric}".`, {
    remedy: `Create one: \`touchstone review create --rubric ${rubric} --doubled 20%\`.`,
  });
}

/** Throws `review-invalid` for a task that does not ask a rubric. */
export function throwNoRubric(rubric: string, { id, rubrics }: ReviewTask): never {
  const asked = rubrics.map((each) => each.id).join(', ');
  throw new TouchstoneError('review-invalid', `The review task ${id} asks ${asked}, not "${rubric}".`);
}

/** Returns the metric that a rubric is about, which has to ask a judge for yes or no. */
export function judgedMetric(
  { id, metrics }: Run,
  rubric: Rubric,
): RunMetric & Required<Pick<RunMetric, 'judge'>> {
  if (rubric.passing === undefined) {
    throw new TouchstoneError(
      'review-invalid',
      `The rubric ${rubric.id} says of no value that it passes, so that labels cannot be compared with verdicts.`,
      { remedy: 'Set `passing` in the rubric, such as `passing: [4, 5]`.' },
    );
  }
  const metric = metrics.find(({ name }) => name === rubric.criterion);
  if (metric?.judge !== undefined) return { ...metric, judge: metric.judge };
  const what = metric === undefined ? 'has no metric' : 'asks no judge for the metric';
  throw new TouchstoneError(
    'review-invalid',
    `Run ${id} ${what} "${rubric.criterion}", which the rubric ${rubric.id} is about.`,
    { remedy: 'Name a run with that metric, or set the criterion of the rubric to a metric with a judge.' },
  );
}

/** Returns the answers of a run that a task was drawn from; undefined when they are not the same answers. */
async function drawnFrom(store: Store, run: Run, task: ReviewTask): Promise<Set<string> | undefined> {
  const read = await readTaskFrame(store, run, task);
  if (read?.frame.hash !== task.frame.hash) return undefined;
  return new Set(read.entries.map(({ subject }) => answerKey(subject)));
}

async function readTaskFrame(store: Store, run: Run, { draw, frame }: ReviewTask) {
  const metric = metricOf(draw);
  if (metric !== undefined && !run.metrics.some(({ name }) => name === metric)) return undefined;
  const pilot = draw.type === 'neyman' ? await readItems(store.documents, draw.pilot) : [];
  const without = new Set(pilot.map(({ subject }) => answerKey(subject)));
  const ordinals = await findTrials(store, run, { where: parseTrialFilter(frame.filter, run) });
  const isByOutcome = draw.type === 'outcome';
  return await readFrame(store, run, { ordinals, filter: frame.filter, metric, isByOutcome, without });
}

function metricOf(draw: DrawRule): string | undefined {
  return 'metric' in draw ? draw.metric : undefined;
}

/** Reads the answers that labels from elsewhere are about, with the verdicts of the very same judge. */
async function readElsewhere(
  store: Store,
  { frame }: ReviewTask,
  metric: RunMetric,
): Promise<JudgedAnswer[]> {
  const run = await store.readRun(frame.run);
  const isSame = run?.metrics.some(
    ({ name, fingerprint }) => name === metric.name && fingerprint === metric.fingerprint,
  );
  return run === undefined || isSame !== true ? [] : await readAnswers(store, run, metric.name);
}

/** Finds the answer of each item: the answer of the same trial, else the same answer to the same case. */
function matchItems(
  items: readonly ReviewItem[],
  answers: readonly JudgedAnswer[],
): Map<ReviewItem, JudgedAnswer> {
  const byKey = new Map(answers.map((answer) => [answer.key, answer]));
  const byContent = new Map(answers.map((answer) => [contentKey(answer.subject), answer]));
  return new Map(
    items.flatMap((item) => {
      const found = byKey.get(answerKey(item.subject)) ?? byContent.get(contentKey(item.subject));
      return found === undefined ? [] : [[item, found] as const];
    }),
  );
}

function contentKey({ caseHash, answerHash }: Subject): string {
  return `${caseHash} ${answerHash}`;
}

/** Returns the reason why labels of a task do not stand for the answers of a run; null when they do. */
function drawFaultOf({ draw, frame }: ReviewTask, { id }: Run, isFromFrame: boolean): string | null {
  if (draw.type === 'by-hand') return 'The answers were picked by hand, which is not for estimates.';
  if (!isFromFrame) return `The labels are for answers of run ${frame.run}, not of run ${id}.`;
  if (frame.filter.length === 0) return null;
  return `The labels are of the answers that match ${frame.filter.join(' ')} alone, not of all.`;
}
