import path from 'node:path';
import type { Receiver } from '../library/api/push/find-receiver.ts';
import { createLocalExecutor } from '../evaluate/executors/local.ts';
import { toTerminalText } from '../core/lib/text/terminal-text.ts';
import { displayPath } from '../core/lib/text/display-path.ts';
import { processRateLimiter } from '../evaluate/models/account/rate-limiter.ts';
import { formatPlural } from '../look/report/format.ts';
import { showCommand } from '../look/report/phrase.ts';
import { createSpendingTally } from '../evaluate/run/limits/budget.ts';
import { isJudgeMissing } from '../evaluate/run/prepare/resume.ts';
import type { RunNeeds, RunObserver } from '../evaluate/run/run-needs.ts';
import type { Run, RunStop } from '../core/schema/run.ts';
import { withEdits } from '../stores/kinds/run-edit.ts';
import type { Store } from '../stores/store.ts';
import { interrupted, listenForInterrupts } from './interrupts.ts';
import type { Output } from './output.ts';
import { exitCodeOf } from './running/exit-code-of.ts';
import { createProgress, type Progress } from './progress.ts';
import { sendEnded } from './running/send-ended.ts';
import { surviveTargetFaults } from './stray-faults.ts';
import { exitCodeAfterWriting, type ReportChoices, writeReport } from './write-report.ts';

/** The store, the output and the options with which a run is executed and reported. */
export interface Execution {
  readonly store: Store;
  readonly output: Output;
  readonly choices: ReportChoices;
  /** Returns the advice on how to continue a run that ended early. */
  readonly resumeHint: (runId: string) => string;
  /** True when a judge that failed cannot be asked again, since its verdicts were recorded. */
  readonly isRecorded?: boolean;
  /** Reports the result and returns the exit code. By default that is the report of the run and its gate. */
  readonly reportResult?: ReportResult;
  /** The server that gets the run when it has ended. */
  readonly receiver?: Receiver;
  /** Called when the run is planned. `print` prints a line without breaking the progress view. */
  readonly onPlanned?: (run: Run, print: (text: string) => void) => void;
}

/** The state after the end of a run. */
export interface EndedRun {
  readonly store: Store;
  readonly wasInterrupted: boolean;
}

/** A function that reports a run that has ended, and returns the exit code. */
export type ReportResult = (finished: Run, ended: EndedRun) => Promise<number>;

/** The work that makes a run. */
export type Work = (needs: RunNeeds) => Promise<Run>;

/** Executes the work that makes a run, shows progress and reports the result. Returns the exit code. */
export async function executeWork(work: Work, execution: Execution): Promise<number> {
  const { store, choices, resumeHint } = execution;
  const spending = createSpendingTally();
  const progress = createProgress({
    spent: spending.read,
    busyAccounts: processRateLimiter.readBusyAccounts,
  });
  const release = surviveTargetFaults(progress.note);
  let planned: Run | undefined;
  const signals = listenForInterrupts(progress.note, () => planned !== undefined);
  let isRecorded = false;
  const observer = createObserver(progress, spending, (run) => {
    planned = run;
    execution.onPlanned?.(run, progress.note);
  });
  try {
    const finished = await work({ store, executor: createLocalExecutor(), observer, signals });
    isRecorded = true;
    progress.end();
    const exitCode = await reportEnd(finished, execution, signals.stop.aborted);
    if (execution.receiver !== undefined) await sendEnded(finished, store, execution.receiver);
    return exitCode;
  } catch (error) {
    if (planned === undefined) throw error;
    if (!(await store.exists())) {
      progress.note(`✗ ${describeDeletion(store, planned)}`);
      return notMeasured;
    }
    progress.note(
      isRecorded
        ? `The run is stored: ${showCommand({ run: planned, storeFolder: choices.store })}`
        : `Answers received so far are stored. ${resumeHint(planned.id)}`,
    );
    throw error;
  } finally {
    progress.end();
    release();
    signals.release();
  }
}

/** Creates the observer that passes the events of a run to the progress view and to the tally of its cost. */
function createObserver(
  progress: Progress,
  spending: ReturnType<typeof createSpendingTally>,
  onPlanned: (run: Run) => void,
): RunObserver {
  return {
    onNotice: ({ message }) => progress.note(message),
    onKept: (trials) => {
      progress.keep(trials);
      for (const { trial } of trials) spending.addTrial(trial);
    },
    onPlanned: (run) => {
      onPlanned(run);
      progress.begin(run);
    },
    onCalling: progress.call,
    onJudging: progress.judge,
    onWaiting: progress.setWaiting,
    onRecorded: spending.addTrial,
    onStopped: (stop) => progress.note(describeStop(stop)),
    onJudged: spending.addJudgements,
    onScored: progress.add,
    onNotNeeded: progress.skip,
    onWorkers: progress.setWorkers,
  };
}

/** Reports a run that has ended, and says how to continue one that ended early. Returns the exit code. */
async function reportEnd(finished: Run, execution: Execution, isStopping: boolean): Promise<number> {
  const { store, resumeHint, reportResult = createRunReport(execution) } = execution;
  const pending = finished.stops?.find(({ reason }) => reason === 'batch');
  if (pending !== undefined) return await reportPending(finished, pending, execution);
  const isInterrupted = finished.status === 'interrupted';
  const exitCode = await reportResult(finished, { store, wasInterrupted: isInterrupted && isStopping });
  if (!(await store.exists())) {
    console.error(`\n✗ ${describeDeletion(store, finished)}`);
    return exitCode === 0 ? notMeasured : exitCode;
  }
  const canJudge = isJudgeMissing(finished) && execution.isRecorded !== true;
  if (isInterrupted || canJudge) console.error(`\n${resumeHint(finished.id)}`);
  if (isEndedByCost(finished)) console.error('Cost limit reached: raise --max-cost to continue.');
  return exitCode;
}

/** Says where the questions of a run are whose verdicts a batch is going to give, in place of a report without them. */
async function reportPending(
  { id }: Run,
  { message }: RunStop,
  { output, choices, resumeHint }: Execution,
): Promise<number> {
  await output.print(choices.json, { run: id, pending: message }, () => '');
  console.error(`${toTerminalText(`${message[0]?.toUpperCase()}${message.slice(1)}`)}.\n${resumeHint(id)}`);
  return interrupted;
}

/** Returns the default report of a result: the report of the run, with the exit code of its gate. */
function createRunReport(execution: Execution): ReportResult {
  return async (finished, { wasInterrupted }) => {
    const exitCode = exitCodeOf(finished, wasInterrupted);
    const { summary } = finished;
    if (summary === undefined) return exitCode;
    // What it is called may have been changed since it began.
    const [called = finished] = await withEdits([finished], execution.store.documents);
    return await exitCodeAfterWriting(exitCode, () => writeReport(called, summary, execution));
  };
}

function isEndedByCost({ stops = [] }: Run): boolean {
  return stops.some(({ reason }) => reason === 'cost');
}

/** The exit code when the store was deleted: answers that are not stored count as not measured. */
const notMeasured = 2;

function describeDeletion({ address }: Store, { id }: Run): string {
  const place = displayPath(path.dirname(address));
  return `The store in ${place} was deleted during the run: nothing of run ${id} is stored.\n  → Leave ${place} in place during a run, and run the same command again.`;
}

/** Describes for the progress view that a limit is reached, or that a target is no longer called. */
function describeStop({ message, target, failures = [] }: RunStop): string {
  const first = target === undefined ? `Finishing the calls in flight: ${message}.` : `Stopped: ${message}.`;
  const kinds = failures.map(
    ({ code, message: text, trials }) =>
      `  ${formatPlural(trials, 'attempt')}: ${code}: ${text.split('\n', 1)[0]}`,
  );
  return [first, ...kinds].join('\n');
}
