import { existsSync } from 'node:fs';
import { type LoadedEvaluation, storeFileIn } from '../config/load-evaluation.ts';
import { messageOf } from '../errors.ts';
import { createLocalExecutor } from '../executors/local.ts';
import { displayPath } from '../lib/text/display-path.ts';
import { processRateLimiter } from '../models/account/rate-limiter.ts';
import { formatPlural } from '../report/format.ts';
import { showCommand } from '../report/phrase.ts';
import { createSpendingTally } from '../run/limits/budget.ts';
import { isJudgeMissing } from '../run/prepare/resume.ts';
import type { RunNeeds, RunObserver } from '../run/run-needs.ts';
import { run } from '../run/run.ts';
import type { Run, RunStop } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import { listenForInterrupts } from './interrupts.ts';
import type { Output } from './output.ts';
import { exitCodeOf } from './program/gate-flags.ts';
import { createProgress } from './progress.ts';
import { type ReportChoices, writeReport } from './write-report.ts';

/** How a run is executed and told. */
export interface Execution {
  readonly store: Store;
  readonly output: Output;
  readonly choices: ReportChoices;
  /** How to go on with a run that was ended before it was done. */
  readonly sayHowToGoOn: (runId: string) => string;
  /** Tells what came of the run and gives the exit code; when left out, that is its report and its gate. */
  readonly tellResult?: TellResult | undefined;
}

/** What is at hand when a run has ended. */
export interface EndedRun {
  readonly store: Store;
  readonly wasInterrupted: boolean;
}

/** Tells what came of a run that has ended, and gives the exit code. */
export type TellResult = (finished: Run, ended: EndedRun) => Promise<number>;

/** Runs a loaded evaluation, or goes on with a run of it; shows its progress, reports it and gives the exit code. */
export async function executeRun(
  { evaluation }: LoadedEvaluation,
  execution: Execution & { readonly resume?: Run | undefined },
): Promise<number> {
  return await executeWork((needs) => run(evaluation, needs, execution.resume), execution);
}

/** Does what makes a run, shows its progress, reports it and gives the exit code. */
export async function executeWork(
  work: (needs: RunNeeds) => Promise<Run>,
  execution: Execution,
): Promise<number> {
  const { choices, sayHowToGoOn } = execution;
  const { store, tellResult = reportIn(execution) } = execution;
  const spending = createSpendingTally();
  const progress = createProgress({
    spent: spending.read,
    busyAccounts: processRateLimiter.readBusyAccounts,
  });
  const release = surviveTargetFaults(progress.note);
  let planned: Run | undefined;
  const signals = listenForInterrupts(progress.note, () => planned !== undefined);
  let isRecorded = false;
  const observer: RunObserver = {
    onNotice: ({ message }) => progress.note(message),
    onKept: (trials) => {
      progress.keep(trials);
      for (const { trial } of trials) spending.addTrial(trial);
    },
    onPlanned: (run) => {
      planned = run;
      progress.begin(run);
    },
    onCalling: progress.call,
    onRecorded: spending.addTrial,
    onStopped: (stop) => progress.note(describeStop(stop)),
    onJudged: spending.addJudgements,
    onScored: progress.add,
    onNotNeeded: progress.spare,
  };
  try {
    const finished = await work({ store, executor: createLocalExecutor(), observer, signals });
    isRecorded = true;
    progress.end();
    const isInterrupted = finished.status === 'interrupted';
    const wasInterrupted = isInterrupted && signals.stop.aborted;
    const exitCode = await tellResult(finished, { store, wasInterrupted });
    if (isGone(store)) {
      console.error(`\n✗ ${goneMessage(store, finished)}`);
      return exitCode === 0 ? exitCodeOfNothing : exitCode;
    }
    if (isInterrupted || isJudgeMissing(finished)) console.error(`\n${sayHowToGoOn(finished.id)}`);
    if (isEndedByCost(finished)) console.error('Cost limit reached: raise --max-cost to continue.');
    return exitCode;
  } catch (error) {
    if (planned !== undefined && isGone(store)) {
      progress.note(`✗ ${goneMessage(store, planned)}`);
      return exitCodeOfNothing;
    }
    if (isRecorded && planned !== undefined) {
      progress.note(`The run is kept: ${showCommand({ run: planned, storeFolder: choices.store })}`);
    } else if (planned !== undefined) progress.note(`What was answered is kept. ${sayHowToGoOn(planned.id)}`);
    throw error;
  } finally {
    progress.end();
    release();
    signals.release();
  }
}

function reportIn(execution: Execution): TellResult {
  return async (finished, { wasInterrupted }) => {
    if (finished.summary !== undefined) await writeReport(finished, finished.summary, execution);
    return exitCodeOf(finished, wasInterrupted);
  };
}

function isEndedByCost({ stops = [] }: Run): boolean {
  return stops.some(({ reason }) => reason === 'cost');
}

/** What is not kept was not measured. */
const exitCodeOfNothing = 2;

/** A file that is deleted while it is open can be written to all the same, and is gone when it is closed. */
function isGone({ folder }: Store): boolean {
  return folder !== undefined && !existsSync(storeFileIn(folder));
}

function goneMessage({ folder = '' }: Store, { id }: Run): string {
  const place = displayPath(folder);
  return `The store in ${place} was deleted while the run went on: nothing of run ${id} is kept.\n  → Leave ${place} alone during a run, and run the same command again.`;
}

/** What is said on the progress view when a limit is reached, or a target is not asked any more. */
function describeStop({ message, target, failures = [] }: RunStop): string {
  const first = target === undefined ? `Finishing what is in flight: ${message}.` : `Stopped: ${message}.`;
  const kinds = failures.map(
    ({ code, message: said, trials }) =>
      `  ${formatPlural(trials, 'trial')}: ${code}: ${said.split('\n', 1)[0]}`,
  );
  return [first, ...kinds].join('\n');
}

/**
 * A promise or a timer that a target left behind and that fails is told, and does not end the run. Gives what ends
 * this.
 */
function surviveTargetFaults(tell: (message: string) => void): () => void {
  const onFault = (fault: unknown) => tell(`A target failed outside of any call: ${messageOf(fault)}`);
  process.on('unhandledRejection', onFault);
  process.on('uncaughtException', onFault);
  return () => {
    process.off('unhandledRejection', onFault);
    process.off('uncaughtException', onFault);
  };
}
