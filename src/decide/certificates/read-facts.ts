import { plannedCategories } from '../analysis/summary/categories.ts';
import { pairLabels } from './pair-labels.ts';
import { equivalentVersions } from './rubric.ts';
import { isPreference, type Judgement, modelsOf } from '../../core/schema/judgement.ts';
import type { Calibration, Certificate } from '../../core/schema/review/certificate.ts';
import type { Drift } from '../../core/schema/review/certification.ts';
import { type LabelMark, labelsInForce } from '../../core/schema/review/label.ts';
import type { ReviewItem, ReviewTask } from '../../core/schema/review/review-task.ts';
import type { Rubric } from '../../core/schema/review/rubric.ts';
import type { Run, RunMetric } from '../../core/schema/run.ts';
import { judgementsOf, passedBy } from '../../core/schema/verdict.ts';
import {
  type DriftSum,
  type DriftWatch,
  type FreshLabel,
  watchDrift,
} from '../../core/stats/judges/drift-watch.ts';
import { rateWithin } from '../../core/stats/judges/rogan-gladen.ts';
import type { Store } from '../../stores/store.ts';
import type { CertificateFacts } from './certificate-ends.ts';
import { readItems, readMarks } from '../../stores/reviews/review-records.ts';
import { equivalenceKind, rubricKind } from '../../stores/kinds/rubric.ts';
import { reviewTaskKind } from '../../stores/kinds/review-task.ts';

/** Reads the facts by which the certificate of a judged metric may have ended for a run. */
export async function readFacts(
  store: Store,
  run: Run,
  metric: RunMetric,
  certificate: Certificate,
): Promise<CertificateFacts> {
  const { calibration } = certificate;
  const isSame = calibration.metric.fingerprint === metric.fingerprint;
  return {
    run,
    metric,
    replies: isSame ? await readReplies(store, run, metric) : null,
    categories: await plannedCategories(run, store),
    isRubricChanged: await isRubricChanged(store, calibration),
    labelsGone: await countGone(store, calibration),
    drift: isSame ? await readDrift(store, certificate) : null,
  };
}

/** Reads which models replied to the judge of a metric, as they name themselves; null when no reply is known. */
async function readReplies(store: Store, run: Run, metric: RunMetric): Promise<CertificateFacts['replies']> {
  const fingerprint = metric.judge?.fingerprint;
  const own = await collectReplies(store, run, ({ judge }) => judge.fingerprint === fingerprint);
  if (own.judgements > 0) return own.replies;
  // The judgements of a panel have the fingerprints of its members, so that only verdicts name them.
  const ids = new Set<string>();
  for await (const { verdicts } of store.readResults(run.id)) {
    const verdict = verdicts[metric.name];
    if (verdict !== undefined) for (const id of judgementsOf({ verdict })) ids.add(id);
  }
  return ids.size === 0 ? null : (await collectReplies(store, run, ({ id }) => ids.has(id))).replies;
}

async function collectReplies(
  store: Store,
  run: Run,
  isOwn: (judgement: Judgement) => boolean,
): Promise<{ readonly judgements: number; readonly replies: CertificateFacts['replies'] }> {
  const models = new Set<string>();
  let [judgements, replies, isUnnamed] = [0, 0, false];
  for await (const judgement of store.readJudgements(run.id)) {
    if (isPreference(judgement) || !isOwn(judgement)) continue;
    judgements += 1;
    for (const model of modelsOf(judgement)) models.add(model);
    for (const { answeredBy, reply } of judgement.calls) {
      if (reply === null) continue;
      replies += 1;
      if (answeredBy === undefined) isUnnamed = true;
    }
  }
  return { judgements, replies: replies === 0 ? null : { models: [...models].toSorted(), isUnnamed } };
}

/** Returns whether the newest task that asks a rubric asks it in words that were not said to mean the same. */
async function isRubricChanged({ documents }: Store, { rubric }: Calibration): Promise<boolean> {
  const tasks = await Array.fromAsync(documents.list(reviewTaskKind));
  const newest = tasks.flatMap(({ rubrics }) => rubrics).find(({ id }) => id === rubric.id);
  if (newest === undefined) return false;
  return !equivalentVersions(rubric, await Array.fromAsync(documents.list(equivalenceKind))).has(
    newest.version,
  );
}

/** Counts the labels of a certificate that no longer count; null when the store does not have their task. */
async function countGone({ documents }: Store, { task, labels }: Calibration): Promise<number | null> {
  if ((await documents.get(reviewTaskKind, [task])) === undefined) return null;
  const inForce = new Set(labelsInForce(await readMarks(documents, task)).map(({ id }) => id));
  return labels.ids.filter((id) => !inForce.has(id)).length;
}

/** A fresh label with the time at which the last label of its item was given. */
interface TimedLabel extends FreshLabel {
  readonly at: string;
}

/**
 * Compares a judge with labels that were given since its certificate was made, to answers of other review tasks that were
 * drawn at random or as every nth. Returns null when there are none.
 */
async function readDrift(store: Store, { calibration, madeAt }: Certificate): Promise<Drift | null> {
  const rubrics = await Array.fromAsync(store.documents.list(rubricKind));
  const rubric = rubrics.find(
    ({ id, version }) => id === calibration.rubric.id && version === calibration.rubric.version,
  );
  const { truePositiveRate: tpr, trueNegativeRate: tnr } = calibration.rates;
  const sensitivity = rateWithin({ ...tpr, rate: tpr.value }, tpr.confidence);
  const specificity = rateWithin({ ...tnr, rate: tnr.value }, tnr.confidence);
  if (rubric === undefined || sensitivity === undefined || specificity === undefined) return null;
  const tasks = (await Array.fromAsync(store.documents.list(reviewTaskKind))).filter(
    ({ id, draw, rubrics: asked }) =>
      id !== calibration.task &&
      (draw.type === 'random' || draw.type === 'every-nth') &&
      asked.some((each) => each.id === rubric.id),
  );
  const fresh: TimedLabel[] = [];
  for (const task of tasks) fresh.push(...(await readFresh(store, task, { rubric, calibration })));
  const labels = fresh
    .filter(({ at }) => at > madeAt)
    .toSorted((one, other) => one.at.localeCompare(other.at));
  if (labels.length === 0) return null;
  return toDrift(labels.length, watchDrift({ labels, sensitivity, specificity }));
}

function toDrift(labels: number, { waiting, recent, stricter, lenient, isDrifted }: DriftWatch): Drift {
  return {
    labels,
    waiting,
    checks: [...recent],
    stricter: toSum(stricter),
    lenient: toSum(lenient),
    isDrifted,
  };
}

/** Returns a cumulative sum as it is shown: one that has fallen again after an alarm is still an alarm. */
function toSum({ labels, value, limit, alarmAt }: DriftSum): Drift['lenient'] {
  return { labels, value: alarmAt === null ? value : Math.max(value, limit), limit };
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
  const [items, marks] = [
    await readItems(store.documents, task.id),
    await readMarks(store.documents, task.id),
  ];
  const passed = await readVerdicts(store, run.id, name, items);
  const { answers } = pairLabels({
    items,
    marks,
    rubric,
    versions: equivalentVersions(rubric, await Array.fromAsync(store.documents.list(equivalenceKind))),
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
