import { setTimeout as wait } from 'node:timers/promises';
import { TouchstoneError } from '../../errors.ts';
import { inBatches } from '../../lib/async-iterables.ts';
import type { Run } from '../../schema/run.ts';
import type { Claim, Store } from '../../stores/store.ts';
import { touchstoneVersion } from '../../version.ts';
import type { Evaluation } from '../evaluation.ts';
import { createRunControl } from '../limits/run-control.ts';
import { openParticipants } from '../participants.ts';
import { ordinalsOf, type PlanPart, planParts } from '../prepare/plan-parts.ts';
import { findDifferences, isScored } from '../prepare/resume.ts';
import { callAndScore, type Stages } from '../run.ts';
import { countSpending, type RunNeeds } from '../run-needs.ts';
import { addDonePart, readDoneParts, type WorkerRecord, workerRecordName } from './fleet-records.ts';

/** The milliseconds between two looks for a part that another process has given up. */
const lookEveryMs = 500;

/** The surroundings of a process that works on the run of another one. */
export interface WorkNeeds extends RunNeeds {
  /** The name of this process, which no other one has. */
  readonly worker: string;
}

/**
 * Works on a run that another process has planned: claims one part of the plan after the other, makes the trials that are missing
 * there, and scores them, by the same stages as a run in one process. Ends when every part is done, or when it is stopped.
 * Throws `worker-unfit` when the evaluation is not that of the run.
 */
export async function workOnRun(runId: string, evaluation: Evaluation, needs: WorkNeeds): Promise<void> {
  const { store, worker } = needs;
  const run = await store.readRun(runId);
  if (run === undefined) throw new TouchstoneError('run-not-found', `There is no run ${runId} in the store.`);
  requireSame(run, evaluation);
  await using _participants = await openParticipants(evaluation);
  await using control = createRunControl(evaluation, { ...needs, runId });
  const observer = countSpending(needs.observer, control.budget);
  const stages = { ...needs, observer, control, keepsDone: true };
  try {
    await workThroughParts(run, evaluation, stages);
  } finally {
    const { accounts = [] } = control.finish({ ...run, accounts: [] });
    const value: WorkerRecord = { accounts };
    await store.shared.change(workerRecordName(runId, worker), () => ({ value, result: undefined }));
  }
}

/** Throws `worker-unfit` when what this process would ask or score is not what the run has. */
function requireSame(run: Run, evaluation: Evaluation): void {
  const isOther = run.touchstoneVersion !== touchstoneVersion;
  const differences = isOther
    ? [`Touchstone: it has ${run.touchstoneVersion}, now ${touchstoneVersion}`]
    : findDifferences(run, evaluation);
  if (differences.length === 0) return;
  throw new TouchstoneError(
    'worker-unfit',
    `This worker cannot work on run ${run.id}:\n  ${differences.join('\n  ')}`,
  );
}

async function workThroughParts(run: Run, evaluation: Evaluation, stages: Stages): Promise<void> {
  const { store, control } = stages;
  const { stop } = control.signals;
  const parts = planParts(run);
  // Each process begins somewhere else, so that few of them want the same part.
  const first = Math.floor(Math.random() * parts.length);
  const inTurn = [...parts.slice(first), ...parts.slice(0, first)];
  while (!stop.aborted) {
    const done = await readDoneParts(run.id, store);
    const open = inTurn.filter(({ name }) => !done.has(name));
    if (open.length === 0) return;
    let hasClaimed = false;
    for (const part of open) {
      if (stop.aborted) return;
      const claim = await claimPart(run.id, part, store);
      if (claim === undefined) continue;
      await using held = claim;
      // Another process may have done it since the list was read.
      if ((await readDoneParts(run.id, store)).has(part.name)) continue;
      hasClaimed = true;
      await workOnPart(run, evaluation, { ...stages, part, claim });
      if (!stop.aborted && !held.lost.aborted) await addDonePart(run.id, part, store);
    }
    if (!hasClaimed) await wait(lookEveryMs, undefined, { signal: stop }).catch(() => {});
  }
}

/** Claims a part; undefined when another process works on it. */
async function claimPart(runId: string, { name }: PlanPart, store: Store): Promise<Claim | undefined> {
  if (await store.isClaimed(runId, name)) return undefined;
  try {
    return await store.claimRun(runId, name);
  } catch (error) {
    if (error instanceof TouchstoneError && error.code === 'run-in-progress') return undefined;
    throw error;
  }
}

/** Makes and scores what is missing in a part. */
async function workOnPart(
  run: Run,
  evaluation: Evaluation,
  stages: Stages & { readonly part: PlanPart; readonly claim: Claim },
): Promise<void> {
  const { store, part, claim, control } = stages;
  // A process that died while it asked a judge has left its questions locked.
  await store.releaseQuestions(run.id, undefined, part.name);
  const unscored = await findUnscored(run, part, store);
  const { stop, abort } = control.signals;
  const signals = {
    stop: AbortSignal.any([stop, claim.lost]),
    abort: AbortSignal.any([abort, claim.lost]),
  };
  const resumed = { run, unscored: inBatches(store.readResults(run.id, unscored)) };
  await callAndScore(resumed, evaluation, { ...stages, control: { ...control, signals } });
}

/** Returns the ordinals of the trials of a part that are made but not scored. */
async function findUnscored(run: Run, part: PlanPart, store: Store): Promise<number[]> {
  const unscored: number[] = [];
  for await (const result of store.readResults(run.id, ordinalsOf(part, run))) {
    if (result.trial.status !== 'cancelled' && !isScored(result)) unscored.push(result.trial.ordinal);
  }
  return unscored;
}
