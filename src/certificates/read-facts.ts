import { plannedCategories } from '../analysis/summary/categories.ts';
import { equivalentVersions } from '../reviews/rubric.ts';
import { isPreference, type Judgement, modelsOf } from '../schema/judgement.ts';
import type { Calibration, Certificate } from '../schema/review/certificate.ts';
import { labelsInForce } from '../schema/review/label.ts';
import type { Run, RunMetric } from '../schema/run.ts';
import { judgementsOf } from '../schema/verdict.ts';
import type { Store } from '../stores/store.ts';
import type { CertificateFacts } from './certificate-ends.ts';
import { readDrift } from './read-drift.ts';

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

/** Returns whether the newest task that asks a rubric asks it in words that nobody said to mean the same. */
async function isRubricChanged({ reviews }: Store, { rubric }: Calibration): Promise<boolean> {
  const tasks = await reviews.listTasks();
  const newest = tasks.flatMap(({ rubrics }) => rubrics).find(({ id }) => id === rubric.id);
  if (newest === undefined) return false;
  return !equivalentVersions(rubric, await reviews.readEquivalences()).has(newest.version);
}

/** Counts the labels of a certificate that no longer count; null when the store does not have their task. */
async function countGone({ reviews }: Store, { task, labels }: Calibration): Promise<number | null> {
  if ((await reviews.readTask(task)) === undefined) return null;
  const inForce = new Set(labelsInForce(await reviews.readMarks(task)).map(({ id }) => id));
  return labels.ids.filter((id) => !inForce.has(id)).length;
}
