import { mergeIterables } from '../../../core/lib/async-iterables.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import { dayErased } from '../../../core/schema/erasure/erasure.ts';
import type { CasedTrial } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { inputMessages, notRecordedCode, type Trial, type TrialSpec } from '../../../core/schema/trial.ts';
import { blobReaderOf } from '../../../stores/blobs/blob-store.ts';
import type { CallDesk } from '../batches/call-desk.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Curtailment } from '../limits/curtailment.ts';
import { createQueueBreaker } from '../limits/queue-breaker.ts';
import type { RunControl } from '../limits/run-control.ts';
import { pendingTrials } from '../prepare/pending-trials.ts';
import type { PlanPart } from '../prepare/plan-parts.ts';
import type { Recorder } from '../record/record.ts';
import type { RunNeeds } from '../run-needs.ts';
import { askAgain } from './ask-again.ts';
import type { KeepBlob } from './keep-files.ts';
import { createLocalTrialMaker } from './local-trial-maker.ts';

/** The parts of a run that calling works with. */
export interface CallNeeds extends Omit<RunNeeds, 'signals'> {
  readonly control: RunControl;
  readonly record: Recorder;
  readonly curtailment: Curtailment;
  /** The calls that batches answer. */
  readonly calls?: CallDesk;
  /** The part of the run to work through; all of it by default. */
  readonly part?: PlanPart;
  /** Called when the last trials of all queues have begun. */
  readonly onAllBegun?: () => void;
}

/**
 * Makes every trial of the plan that is not stored yet, and yields it once it is recorded. Each target has a queue of its
 * own, so a slow or dead target delays no other; the conditions of a target share its queue, since they call the same bot.
 * In an interleaved run all targets take turns in one queue and end together.
 */
export function callTargets(
  run: Run,
  participants: Participants,
  needs: CallNeeds,
): AsyncIterable<CasedTrial[]> {
  const queues = Map.groupBy(participants.targets, ({ name, condition }) =>
    run.isInterleaved === true ? 'all' : (condition?.of ?? name),
  );
  const begun = new Set<string>();
  const onLastBegun = (queue: string) => {
    begun.add(queue);
    if (begun.size === queues.size) needs.onAllBegun?.();
  };
  return mergeIterables(
    Array.from(queues, ([queue, targets]) =>
      workThroughQueue(
        run,
        { ...participants, targets },
        { ...needs, queue, onLastBegun: () => onLastBegun(queue) },
      ),
    ),
  );
}

/** The recorded answers that are read at a time: no bot is asked, and they are stored in one write. */
const readAtOnce = 100;

/** The surroundings of one queue of trials. */
interface QueueNeeds extends CallNeeds {
  readonly queue: string;
  /** Called, perhaps several times, when its last trial has begun. */
  readonly onLastBegun: () => void;
}

type Participants = Pick<Evaluation, 'targets' | 'users' | 'secrets'>;

async function* workThroughQueue(
  run: Run,
  { targets, users, secrets }: Participants,
  {
    store,
    executor,
    observer,
    control,
    record,
    curtailment,
    part,
    queue,
    onLastBegun,
    calls,
    ...needs
  }: QueueNeeds,
): AsyncGenerator<CasedTrial[]> {
  const { settings } = run;
  const { budget, limits: shared, signals, onLate } = control;
  const breaker = createQueueBreaker(withoutConditions(targets), settings, control);
  const { stop } = breaker;
  const readBlob = blobReaderOf(store);
  const keepBlob: KeepBlob = async (blob) => await store.blobs.keep(run.id, [blob]);
  const files = { readBlob, keepBlob };
  const limits = { ...settings, abort: signals.abort, stop, takeRepeat: shared.takeRepeat, onLate, ...files };
  const { createTrialMaker = createLocalTrialMaker } = needs;
  const again = { budget, onNotice: observer.onNotice };
  const maker = createTrialMaker({ targets, users, secrets, limits, calls });
  const call = async (spec: TrialSpec) => {
    // What a batch has answered is paid for already.
    const isPaid = (await calls?.isAnswered(spec)) === true;
    if (stop.aborted || !(isPaid || (await budget.admit(spec.target)))) return undefined;
    observer.onCalling?.(1);
    const made = notAsked(spec) ?? (await maker.make(spec));
    const trial = await askAgain(made, spec, run, { ...again, maker, isPaid });
    if (trial === undefined) {
      if (!isPaid) budget.withdraw(spec.target);
      observer.onCalling?.(-1);
      return undefined;
    }
    const recorded = await record(trial);
    if (isPaid) {
      budget.addKept(trial.trial);
      budget.addWaiting();
    } else budget.settle(trial.trial);
    const counted = breaker.add(trial.trial);
    if (recorded === undefined) {
      // It was paid for, but is not going to be judged.
      budget.addScored(1);
      onLate(trial.trial.cost);
    } else observer.onRecorded?.(trial.trial);
    observer.onCalling?.(-1);
    await counted;
    return recorded;
  };
  const names = new Set(targets.map(({ name }) => name));
  const pending = curtailment.needed(pendingTrials(run, names, store, part), stop);
  const isRead = targets.every(({ target }) => target.recordedAt !== undefined);
  const most = isRead ? Math.max(settings.concurrency, readAtOnce) : settings.concurrency;
  const concurrency = Math.min(most, ...targets.map(({ target }) => target.maxConcurrency ?? most));
  const execution = { concurrency, stop, pool: queue, onLastBegun };
  for await (const group of executor.execute(pending, call, execution)) {
    const made = group.filter((trial) => trial !== undefined);
    if (made.length > 0) yield made;
  }
}

/** Returns the trial of a case whose question was erased, which is not asked again; undefined for any other case. */
function notAsked({ case: testCase, ...spec }: TrialSpec): CasedTrial | undefined {
  const erased = dayErased(testCase);
  if (erased === undefined) return undefined;
  const message = `the question was erased on ${erased}`;
  const trial: Trial = {
    ...spec,
    caseId: testCase.id,
    status: 'failed',
    error: { code: notRecordedCode, message },
    transcript: inputMessages(testCase.input),
    answer: null,
    startedAt: new Date().toISOString(),
    retries: 0,
    erased,
  };
  return { case: testCase, trial };
}
