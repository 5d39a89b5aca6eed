import { type LoadedEvaluation } from '../config/load-evaluation.ts';
import { createLocalExecutor } from '../executors/local.ts';
import { isJudgeMissing } from '../run/resume.ts';
import { run } from '../run/run.ts';
import type { RunNeeds, RunObserver } from '../run/run-needs.ts';
import { formatMoney } from '../reporters/format-money.ts';
import { showCommand } from '../reporters/show-command.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import { createBudget } from './budget.ts';
import { exitCodeOf } from './exit-code.ts';
import { listenForInterrupts } from './interrupts.ts';
import { limitHeap } from './limit-heap.ts';
import type { Output } from './output.ts';
import { createProgress } from './progress/progress.ts';
import { surviveTargetFaults } from './target-faults.ts';
import { type ReportChoices, writeReport } from './write-report.ts';

/** How a run is executed and told. */
export interface Execution {
  readonly store: Store;
  readonly output: Output;
  readonly choices: ReportChoices;
  /** In US dollars; no limit when left out. */
  readonly maxCost?: number | undefined;
  /** How to go on with a run that was ended before it was done. */
  readonly sayHowToGoOn: (runId: string) => string;
}

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
  const { store, output, choices, maxCost, sayHowToGoOn } = execution;
  limitHeap();
  const progress = createProgress({ spent: () => budget.spent(), maxCost });
  const signals = listenForInterrupts(progress.note);
  const budget = createBudget(maxCost, (spent) => {
    progress.note(
      `Answers and judges cost ${formatMoney(spent)}, and the budget is ${formatMoney(maxCost ?? 0)}; finishing what is in flight.`,
    );
    signals.stopNow();
  });
  const release = surviveTargetFaults(progress.note);
  let planned: Run | undefined;
  let isRecorded = false;
  const observer: RunObserver = {
    onNotice: ({ message }) => progress.note(message),
    onKept: (trials) => {
      progress.keep(trials);
      budget.add(trials);
    },
    onPlanned: (run) => progress.begin((planned = run)),
    onCalling: progress.call,
    onJudged: budget.addJudgements,
    onScored: (trials) => {
      progress.add(trials);
      budget.add(trials);
    },
  };
  try {
    const finished = await work({ store, executor: createLocalExecutor(), observer, signals });
    isRecorded = true;
    progress.end();
    if (finished.summary !== undefined) {
      await writeReport(finished, finished.summary, { store, output, choices });
    }
    const isInterrupted = finished.status === 'interrupted';
    if (isInterrupted || isJudgeMissing(finished)) console.error(`\n${sayHowToGoOn(finished.id)}`);
    return exitCodeOf(finished, isInterrupted && !budget.isSpent());
  } catch (error) {
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
