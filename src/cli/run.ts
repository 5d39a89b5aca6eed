import path from 'node:path';
import type { Config } from '../config/config.ts';
import { loadEvaluation, storeFileIn, storeFileOf } from '../config/load-evaluation.ts';
import { parseFilter } from '../config/parse-filter.ts';
import { createLocalExecutor } from '../executors/local.ts';
import { loadCases } from '../run/load.ts';
import { run } from '../run/run.ts';
import type { Run } from '../schema/run.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../stores/store.ts';
import { exitCodeOf } from './exit-code.ts';
import { findRun, findUnfinishedRun } from './find-run.ts';
import { listenForInterrupts } from './interrupts.ts';
import { limitHeap } from './limit-heap.ts';
import { claimStdout, type Output } from './output.ts';
import { createProgress } from './progress.ts';
import { checkOutputs, type ReportChoices, writeReport } from './write-report.ts';
import type { LoadedEvaluation } from '../config/load-evaluation.ts';

/** The options of `touchstone run`, as the command line gives them. */
export interface RunFlags extends ReportChoices {
  readonly dataset?: string[];
  readonly datasetFormat?: 'jsonl' | 'json' | 'csv' | 'yaml';
  readonly target?: string[];
  readonly attempts?: number;
  readonly filter?: string[];
  readonly limit?: number;
  readonly resume?: string | true;
  readonly concurrency?: number;
  readonly timeLimit?: number;
  readonly maxCost?: number;
  readonly dryRun?: boolean;
  readonly failUnder?: number;
  readonly store?: string;
}

/** `touchstone run [config]`: asks, records, scores, reports, decides. Gives the exit code. */
export async function runCommand(given: string | undefined, flags: RunFlags): Promise<number> {
  const output = claimStdout();
  checkOutputs(flags);
  const loaded = await loadEvaluation(given, {
    overrides: overridesOf(flags),
    targetNames: flags.target,
    selects: flags.filter === undefined ? undefined : parseFilter(flags.filter),
    limit: flags.limit,
  });
  if (flags.dryRun === true) return await printPlan(loaded, flags, output);
  return await executeRun(withGate(loaded, flags), flags, output);
}

/** What the flags say in place of the config. Files named on the command line are relative to where it was typed. */
function overridesOf(flags: RunFlags): Partial<Config> {
  const { attempts, concurrency, timeLimit: timeLimitMs } = flags;
  const files = flags.dataset?.map((file) => (file === '-' ? file : path.resolve(file)));
  const dataset = files === undefined ? undefined : { path: files, format: flags.datasetFormat };
  return { attempts, concurrency, timeLimitMs, ...(dataset === undefined ? {} : { dataset }) };
}

/** A threshold on the command line joins what else the config's gate says. */
function withGate(loaded: LoadedEvaluation, { failUnder }: RunFlags): LoadedEvaluation {
  if (failUnder === undefined) return loaded;
  const { evaluation } = loaded;
  return { ...loaded, evaluation: { ...evaluation, gate: { ...evaluation.gate, failUnder } } };
}

/** Runs a loaded evaluation, shows its progress, reports it and gives the exit code. */
export async function executeRun(loaded: LoadedEvaluation, flags: RunFlags, output: Output): Promise<number> {
  limitHeap();
  const store = openSqliteStore(
    flags.store === undefined ? storeFileOf(loaded) : storeFileIn(path.resolve(flags.store)),
  );
  const progress = createProgress();
  const signals = listenForInterrupts(() =>
    progress.note('Finishing what is in flight. Ctrl-C again cancels it.'),
  );
  const budget = createBudget(flags.maxCost, () => {
    progress.note(`The budget of $${flags.maxCost} is spent; finishing what is in flight.`);
    signals.stopNow();
  });
  const release = surviveTargetFaults((message) => progress.note(message));
  try {
    const resume = flags.resume === undefined ? undefined : await findRunToResume(store, flags.resume);
    const observer = {
      onNotice: ({ message }: { message: string }) => progress.note(message),
      onPlanned: (planned: Run) => progress.begin(planned),
      onScored: (trials: readonly ScoredTrial[]) => {
        progress.add(trials);
        budget.add(trials);
      },
    };
    const finished = await run(
      loaded.evaluation,
      { store, executor: createLocalExecutor(), observer, signals },
      resume,
    );
    progress.end();
    if (finished.summary !== undefined) {
      await writeReport(finished, finished.summary, { store, output, choices: flags });
    }
    const wasInterrupted = finished.status === 'interrupted' && !budget.isSpent();
    if (finished.status === 'interrupted')
      console.error(`\nGo on with: touchstone run --resume ${finished.id}`);
    return exitCodeOf(finished, wasInterrupted);
  } finally {
    progress.end();
    release();
    signals.release();
    await store.close();
  }
}

async function findRunToResume(store: Store, resume: string | true): Promise<Run> {
  return resume === true ? await findUnfinishedRun(store) : await findRun(store, resume);
}

/** Adds up what targets say their answers cost, and tells once when there is no money left. */
function createBudget(maxCost: number | undefined, onSpent: () => void) {
  let spent = 0;
  let isSpent = false;
  return {
    add: (trials: readonly ScoredTrial[]) => {
      for (const { trial } of trials) spent += trial.cost ?? 0;
      if (isSpent || maxCost === undefined || spent < maxCost) return;
      isSpent = true;
      onSpent();
    },
    isSpent: () => isSpent,
  };
}

/** A promise or a timer that a target left behind and that fails is told, and does not end the run. */
function surviveTargetFaults(tell: (message: string) => void): () => void {
  const onFault = (fault: unknown) => {
    tell(`A target failed outside of any call: ${fault instanceof Error ? fault.message : String(fault)}`);
  };
  process.on('unhandledRejection', onFault);
  process.on('uncaughtException', onFault);
  return () => {
    process.off('unhandledRejection', onFault);
    process.off('uncaughtException', onFault);
  };
}

/** `--dry-run`: says what would be called, and calls nothing. */
async function printPlan({ evaluation }: LoadedEvaluation, flags: RunFlags, output: Output): Promise<number> {
  let cases = 0;
  for await (const { case: testCase } of loadCases(evaluation.dataset, { onNotice: () => {} })) {
    if (cases < evaluation.limit && evaluation.selects(testCase)) cases += 1;
  }
  const { attempts, targets, settings } = evaluation;
  const calls = cases * targets.length * attempts;
  const plan = { cases, targets: targets.map(({ name }) => name), attempts, calls, ...settings, price: null };
  if (flags.json === true) await output.write(`${JSON.stringify(plan, null, 2)}\n`);
  else {
    await output.write(
      `Would call: ${cases} cases × ${targets.length} targets (${plan.targets.join(', ')}) × ${attempts} attempts = ${calls} calls\n` +
        `At most ${settings.concurrency} at a time for each target, ${settings.timeLimitMs} ms and ${settings.maxRetries} retries for each call.\n` +
        'Price: unknown; no target says beforehand what an answer costs.\nNothing was called.\n',
    );
  }
  return 0;
}
