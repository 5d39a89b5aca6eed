import { equivalentVersions } from '../reviews/rubric.ts';
import { pairLabels } from '../reviews/calibrate/pair-labels.ts';
import type { Certificate } from '../schema/review/certificate.ts';
import type { Drift } from '../schema/review/certification.ts';
import type { LabelMark } from '../schema/review/label.ts';
import type { ReviewItem, ReviewTask } from '../schema/review/review-task.ts';
import type { Rubric } from '../schema/review/rubric.ts';
import { passedBy } from '../schema/verdict.ts';
import { type FreshLabel, watchDrift } from '../stats/judges/drift-watch.ts';
import { rateWithin } from '../stats/judges/rogan-gladen.ts';
import type { Store } from '../stores/store.ts';

/** A certificate ends when so many of the last checks are outside their limits. */
const watched = { checks: 20, outside: 3 };

/** A fresh label with the time at which the last label of its item was given. */
interface TimedLabel extends FreshLabel {
  readonly at: string;
}

/**
 * Holds a judge against labels that were given since its certificate was made, to answers of other review tasks that were
 * drawn at random or as every nth. Returns null when there are none.
 */
export async function readDrift(store: Store, { calibration, madeAt }: Certificate): Promise<Drift | null> {
  const rubrics = await store.reviews.readRubrics();
  const rubric = rubrics.find(
    ({ id, version }) => id === calibration.rubric.id && version === calibration.rubric.version,
  );
  const { truePositiveRate: tpr, trueNegativeRate: tnr } = calibration.rates;
  const sensitivity = rateWithin({ ...tpr, rate: tpr.value }, tpr.confidence);
  const specificity = rateWithin({ ...tnr, rate: tnr.value }, tnr.confidence);
  if (rubric === undefined || sensitivity === undefined || specificity === undefined) return null;
  const tasks = (await store.reviews.listTasks()).filter(
    ({ id, draw, rubrics: asked }) =>
      id !== calibration.task &&
      (draw.type === 'random' || draw.type === 'every-nth') &&
      asked.some((each) => each.id === rubric.id),
  );
  const fresh: TimedLabel[] = [];
  for (const task of tasks) fresh.push(...(await readFresh(store, task, { rubric, calibration })));
  const labels = fresh.filter(({ at }) => at > madeAt).toSorted((one, other) => (one.at < other.at ? -1 : 1));
  if (labels.length === 0) return null;
  const limits = { leastSensitivity: tpr.lower ?? 0, leastSpecificity: tnr.lower ?? 0 };
  return toDrift(labels.length, watchDrift({ labels, sensitivity, specificity, ...limits }));
}

function toDrift(labels: number, watch: ReturnType<typeof watchDrift>): Drift {
  const checks = watch.checks.slice(-watched.checks);
  const outside = checks.filter(({ isOutside }) => isOutside).length;
  const { alarmAt, value, limit } = watch.cusum;
  return {
    labels,
    waiting: watch.waiting,
    checks,
    // A sum that has fallen again after an alarm is still an alarm.
    cusum: { value: alarmAt === null ? value : Math.max(value, limit), limit },
    isDrifted: alarmAt !== null || outside >= watched.outside,
  };
}

async function readFresh(
  store: Store,
  task: ReviewTask,
  { rubric, calibration }: { readonly rubric: Rubric } & Pick<Certificate, 'calibration'>,
): Promise<TimedLabel[]> {
  const run = await store.readRun(task.frame.run);
  const { name, fingerprint } = calibration.metric;
  const isSameJudge = run?.metrics.some((each) => each.name === name && each.fingerprint === fingerprint);
  if (run === undefined || isSameJudge !== true) return [];
  const [items, marks] = [await store.reviews.readItems(task.id), await store.reviews.readMarks(task.id)];
  const passed = await readVerdicts(store, run.id, name, items);
  const { answers } = pairLabels({
    items,
    marks,
    rubric,
    versions: equivalentVersions(rubric, await store.reviews.readEquivalences()),
    passedOf: ({ position }) => passed.get(position) ?? null,
    clusterOf: ({ subject }) => subject.caseId,
  });
  const times = lastTimes(marks);
  return answers.map(({ item, truth, passed: said }) => ({
    truth,
    isAlike: truth === said,
    at: times.get(item) ?? '',
  }));
}

/** Reads the verdicts of a metric on items, by their positions. */
async function readVerdicts(
  store: Store,
  run: string,
  metric: string,
  items: readonly ReviewItem[],
): Promise<Map<number, boolean | null>> {
  const positions = new Map(
    items.flatMap(({ subject, position }) =>
      subject.ordinal === undefined ? [] : [[subject.ordinal, { position, key: subject.trialKey }] as const],
    ),
  );
  const found = new Map<number, boolean | null>();
  const ordinals = [...positions.keys()].toSorted((one, other) => one - other);
  for await (const { trial, verdicts } of store.readResults(run, ordinals)) {
    const item = positions.get(trial.ordinal);
    if (item?.key === trial.key) found.set(item.position, passedBy(verdicts[metric]));
  }
  return found;
}

function lastTimes(marks: readonly LabelMark[]): Map<number, string> {
  const times = new Map<number, string>();
  for (const { item, at } of marks) if (item !== null && at > (times.get(item) ?? '')) times.set(item, at);
  return times;
}
