import { findRun } from '../../../look/queries/runs.ts';
import type { ReviewTask } from '../../../core/schema/review/review-task.ts';
import type { Rubric } from '../../../core/schema/review/rubric.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';

/**
 * Finds the run whose judge is compared with the labels of a task: the one that a user names, or else the newest run that scored the labelled
 * answers again with the judged metric, since a judge that was changed is the one that decides from then on; without any, the run
 * of the task. Throws `run-not-found`.
 */
export async function findJudgedRun(
  store: Store,
  { frame }: Pick<ReviewTask, 'frame'>,
  { criterion }: Pick<Rubric, 'criterion'>,
  given?: string,
): Promise<Run> {
  if (given !== undefined) return await findRun(store, given);
  const heads = await store.listRuns();
  const family = new Set([frame.run]);
  // From the oldest on, since answers that were scored again may be scored once more.
  for (const { id, rescoredFrom } of heads.toReversed())
    if (rescoredFrom !== undefined && family.has(rescoredFrom)) family.add(id);
  for (const { id, status } of heads) {
    if (!family.has(id) || id === frame.run || status !== 'completed') continue;
    const run = await store.readRun(id);
    if (run?.metrics.some(({ name, judge }) => name === criterion && judge !== undefined)) return run;
  }
  return await findRun(store, frame.run);
}
