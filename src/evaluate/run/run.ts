import { noticeExpectations } from '../../decide/gate/unread-expectations.ts';
import type { CasedTrial, ScoredTrial } from '../../core/schema/result.ts';
import type { BatchView } from '../../core/schema/api/waiting-view.ts';
import type { Run, RunStop } from '../../core/schema/run.ts';
import { readUnscored } from './batches/read-unscored.ts';
import { createRunBatches, type RunBatches } from './batches/run-batches.ts';
import { callTargets } from './call/call.ts';
import type { Evaluation, ResolvedScorecard } from './evaluation.ts';
import { leaveToFleet } from './fleet/fleet.ts';
import { takeToolReports } from './fleet/fleet-records.ts';
import { beginWaitingReport, type WaitingReport } from './fleet/waiting-report.ts';
import { createCurtailment } from './limits/curtailment.ts';
import { admitBatch, createRunControl, type RunControl } from './limits/run-control.ts';
import { watchStopRequest } from './limits/stop-request.ts';
import { watchGate } from './limits/watch-gate.ts';
import { batchedOf, openForRun } from './participants.ts';
import { warnOfSelfJudging } from './prepare/begin-run.ts';
import { findLineage } from './prepare/lineage.ts';
import type { PlanPart } from './prepare/plan-parts.ts';
import { noticeTools, refusePorts } from './prepare/notice-tools.ts';
import { prepareRun, resumeRun } from './prepare/prepare-run.ts';
import type { ResumedRun } from './prepare/resume.ts';
import { createRecorder, createScoreRecorder } from './record/record.ts';
import { countSpending, type RunNeeds, type RunObserver } from './run-needs.ts';
import { blobReaderOf } from '../../stores/blobs/blob-store.ts';
import { createJudgementCache } from './scoring/judgement-cache.ts';
import { score } from './scoring/score.ts';
import { finishRun } from './summarize.ts';

/**
 * Runs an evaluation: prepare → call → record → score → summarize and decide. With `resume`, continues a run that was
 * interrupted, or whose dataset has changed since. Returns the run as it is stored, with its summary.
 * Throws `TouchstoneError` for whatever is wrong before the first call; then no new run is left behind.
 */
export async function run(evaluation: Evaluation, needs: RunNeeds, resume?: Run): Promise<Run> {
  const notify = (message: string) => needs.observer.onNotice?.({ message });
  if (needs.fleet !== undefined) refusePorts(evaluation);
  await using _participants = await openForRun(evaluation);
  await using plan = await prepareRun(evaluation, needs, resume);
  // What is wrong with the dataset comes alone: notes are for a run that begins.
  const { notices = [], tools } = evaluation;
  [...notices, ...((await tools?.learn()) ?? []), ...warnOfSelfJudging(evaluation)].forEach(notify);
  await noticeTools(plan, evaluation, needs);
  await needs.admit?.(plan.run.id);
  await needs.resetLimits?.(plan.run.id);
  await using control = createRunControl(evaluation, { ...needs, runId: plan.run.id });
  await using _stopping = await watchStopRequest(plan.run.id, needs.store, control.stop);
  const observer = countSpending(needs.observer, control.budget);
  const resumed = await resumeRun(plan, evaluation, { ...needs, observer });
  noticeExpectations(resumed.run, evaluation.caseChecks).forEach(notify);
  observer.onPlanned(resumed.run);
  // Its processes count what they spend themselves.
  const { signals, onLate } = control;
  const left = await leaveToFleet(resumed, evaluation, {
    ...needs,
    // Each of its processes says that a target is not asked any more.
    observer: { ...needs.observer, onStopped: control.stop },
    signals,
    onLate,
    onLeft: (trial) => control.budget.addKept(trial),
  });
  if (left.isComplete === true) control.throwFault();
  const stages = { ...needs, observer, control, claimed: plan.claimed };
  const pending = left.isComplete === true ? undefined : await callAndScore(left, evaluation, stages);
  const finished = await finishRun(withStop(control.finish(left.run), pending), needs.store);
  if (tools === undefined) return finished;
  const others = await takeToolReports(finished.id, needs.store);
  const record = await tools.finish(finished, { store: needs.store, others, notify });
  const withTools: Run = { ...finished, tools: record };
  await needs.store.updateRun(withTools);
  return withTools;
}

/** The surroundings of the stages that make and score trials. */
export interface Stages extends RunNeeds {
  readonly observer: Required<RunObserver>;
  readonly control: RunControl;
  /** The earlier runs that are claimed with this one, which continues them. */
  readonly claimed?: readonly string[];
  /** The part of the run to work through, when other processes work through others. */
  readonly part?: PlanPart;
  /** Called when the last missing trials have begun, so that the next part can begin while their calls are in flight. */
  readonly onAllBegun?: () => void;
}

/**
 * Makes and records every trial that is missing, and scores it together with those that are not scored yet. Returns why some are not
 * scored although the run was not stopped: they wait for a batch.
 */
export async function callAndScore(
  resumed: ResumedRun,
  evaluation: Evaluation,
  stages: Stages,
): Promise<RunStop | undefined> {
  const { run, unscored } = resumed;
  const { store, observer, control } = stages;
  const { onNotNeeded, onNotice, onJudged } = observer;
  const { metrics, secrets, settings, hidesFiles, reusesJudgements: reuses } = evaluation;
  await using waiting = beginWaitingReport(run.id, { store, readRefused: evaluation.readRefused });
  const batches = createRunBatches(run.id, evaluation, {
    ...stages,
    ...(batchedOf(evaluation.targets).length > 0 && { lineage: (await findLineage(run, store)).first.id }),
    signals: control.signals,
    pace: stages.batchPace,
    ...batchReports(waiting, observer),
    mayCost: (reserved, cost) => admitBatch(control, settings.maxCost, { reserved, cost }),
  });
  const curtailment = createCurtailment(curtailable(run, batches), { store, onNotNeeded });
  const record = control.guard(createRecorder(run.id, store, { keepsDone: stages.keepsDone }));
  const judgements = createJudgementCache(run.id, {
    store,
    reuses,
    part: stages.part?.name,
    onNotice,
    onKept: onJudged,
    batched: batches?.desk,
  });
  const scores = createScoreRecorder(run.id, store);
  const checkGate = await watchGate(run, store, control);

  const calling = { ...stages, record, curtailment, calls: batches?.calls };
  const called = callTargets(run, evaluation, calling);
  const trials = inTurn(countUnscored(unscored, stages), called);
  const rules = { metrics, secrets, hidesFiles, scorecard: guardScorecard(evaluation.scorecard, control) };
  const onJudging = (change: number) => {
    waiting.countJudging(change);
    observer.onJudging(change);
  };
  const onPending = () => {
    // No judge is asked about it now, so that calls need not wait for what that costs.
    control.budget.addScored(1);
    batches?.onPending();
  };
  const readBlob = blobReaderOf(store);
  const scoring = { ...stages, signals: control.signals, judgements, onJudging, onPending, readBlob };
  const keep = control.guard(async (scored: ScoredTrial[]) => {
    checkGate(scored);
    curtailment.add(scored);
    observer.onScored(scored);
    await scores.add(scored);
  });
  for await (const scored of score(trials, rules, scoring)) await keep(scored);
  await scores.finish();
  control.throwFault();
  // One process submits the batches of a run. The others only put questions aside.
  if (stages.part !== undefined || batches === undefined) return undefined;
  const batched = { ...evaluation, targets: batchedOf(evaluation.targets) };
  const pending = await batches.finish(async () => {
    const answered = inTurn(readUnscored(run, store), callTargets(run, batched, calling));
    for await (const scored of score(answered, rules, scoring)) await keep(scored);
    await scores.finish();
  });
  control.throwFault();
  return pending;
}

/** Returns the reports of batches, to the observer and to other commands. */
function batchReports(waiting: WaitingReport, { onNotice, onWaiting }: Required<RunObserver>) {
  return {
    onNotice: (message: string) => onNotice({ message }),
    onBatches: (batches: readonly BatchView[]) => {
      waiting.setBatches(batches);
      onWaiting(batches.length === 0 ? undefined : { judging: 0, refused: [], batches: [...batches] });
    },
  };
}

/** Returns a run whose attempts may be spared. While verdicts wait for a batch, it is not known which could be. */
function curtailable(run: Run, batches: RunBatches | undefined): Run {
  return batches === undefined ? run : { ...run, caseRule: undefined };
}

/** Adds that a run waits for batches, unless a limit has stopped it. */
function withStop(run: Run, stop: RunStop | undefined): Run {
  const isStopped = run.stops?.some(({ target }) => target === undefined) === true;
  return stop === undefined || isStopped ? run : { ...run, stops: [...(run.stops ?? []), stop] };
}

/** Yields the trials that were recorded in an earlier part of the run or by another process, and counts what they cost. */
async function* countUnscored(
  trials: AsyncIterable<CasedTrial[]>,
  { observer, control: { budget }, keepsDone }: Stages,
): AsyncGenerator<CasedTrial[]> {
  for await (const batch of trials) {
    for (const { trial } of batch) {
      // With a fleet, it was counted when the run was begun or by the process that has made it.
      if (keepsDone !== true) budget.addKept(trial);
      budget.addWaiting();
      observer.onRecorded(trial);
    }
    yield batch;
  }
}

/** Yields one source after the other without reading ahead: scoring that is too slow has to hold up the calls. */
async function* inTurn<Item>(...sources: readonly AsyncIterable<Item>[]): AsyncGenerator<Item> {
  for (const source of sources) yield* source;
}

/** Wraps a scorecard so that the run ends when evaluating it fails. */
function guardScorecard(
  scorecard: ResolvedScorecard | null,
  { guard }: RunControl,
): ResolvedScorecard | null {
  return scorecard && { ...scorecard, evaluate: guard((verdicts) => scorecard.evaluate(verdicts)) };
}
