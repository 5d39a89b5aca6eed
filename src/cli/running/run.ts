import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../library/config/config.ts';
import { type LoadedEvaluation, loadEvaluation } from '../../library/config/load-evaluation.ts';
import type { RunPurpose } from '../../library/config/run-purpose.ts';
import { parseCaseFilter } from '../../look/queries/filters.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { storeToName } from '../../library/api/open-store.ts';
import { makeRun, readyRun, withGate, withRunStore } from '../../library/api/runs/make-run.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { type DashboardProcess, startDashboard } from '../dashboard-process.ts';
import { type Execution, executeWork, type ReportResult, type Work } from '../execute-run.ts';
import { fleetOf } from '../fleet/local-fleet.ts';
import { interrupted } from '../interrupts.ts';
import { exitCodeOf } from './exit-code-of.ts';
import type { Output } from '../output.ts';
import { admission } from './asked/admission.ts';
import { conditionsOf } from './condition-flags.ts';
import { againCommand, askingArguments, resumeCommand } from './further-commands.ts';
import type { InputOf } from '../program/input.ts';
import type { runInputs } from '../program/shared-inputs.ts';
import { refuseLongPath } from '../program/long-path.ts';
import { printPlan } from './print-plan.ts';
import { telemetryOf } from './telemetry-flags.ts';
import { formatChange, joinWatch, type Watched } from '../watch/watched-run.ts';
import { checkFormats, checkOutputs, exitCodeAfterWriting, writeReport } from '../write-report.ts';

/** The options of `touchstone run`; commands that do less have some of them. */
export type RunFlags = Partial<InputOf<typeof runInputs>>;

/** Asks the questions, records and scores the answers, prints the report and applies the gate. Returns the exit code. */
export async function runConfig(
  { config: configPath, ...flags }: RunFlags & { readonly config?: string },
  output: Output,
): Promise<number> {
  const watched = joinWatch();
  checkFormats(flags);
  refuseLongPath(path.dirname(configPath ?? 'config'));
  if (flags.datasetFormat !== undefined && flags.dataset === undefined) {
    throw new TouchstoneError('usage-invalid', '`--dataset-format` needs `--dataset`.', {
      remedy: 'Add `--dataset FILE`, or set `dataset.format` in the config.',
    });
  }
  const loading = loadEvaluation(configPath, {
    datasetFlags: flags,
    overrides: overridesOf(flags),
    targetNames: flags.target,
    selects: flags.filter === undefined ? undefined : parseCaseFilter(flags.filter),
    limit: flags.limit,
  });
  // A watch waits for changes of what could not be loaded, too.
  if (watched !== undefined) await loading.then(watched.sendFiles, () => watched.sendFiles());
  const loaded = await loading;
  await checkOutputs(flags, { reads: filesReadBy(loaded, flags) });
  return await runLoaded(withGate(loaded, flags), { configPath, flags, output, watched });
}

/** Returns the files that a run reads, besides its config and what the config imports. */
export function filesReadBy(
  { evaluation, folder }: LoadedEvaluation,
  { baseline }: Pick<RunFlags, 'baseline'>,
): string[] {
  const sources = evaluation.dataset.sources.map((source) => path.resolve(folder, source));
  return [...evaluation.dataset.sources, ...sources, ...(baseline === undefined ? [] : [baseline])];
}

/** The flags and the output for a loaded evaluation. */
export interface LoadedExecution {
  /** The config as it was named on the command line. */
  readonly configPath?: string;
  readonly flags: RunFlags;
  readonly output: Output;
  readonly reportResult?: ReportResult;
  /** The watch that has started this process, if one has. */
  readonly watched?: Watched;
}

/** Runs a loaded evaluation, resumes a run of it, or prints what would be called. Returns the exit code. */
export async function runLoaded(loaded: LoadedEvaluation, execution: LoadedExecution): Promise<number> {
  const { flags, output } = execution;
  const isContinued = flags.failed !== undefined || flags.resume !== undefined;
  const isPlan = flags.dryRun === true && flags.resume === undefined;
  const purpose = isPlan ? 'plan' : isContinued ? 'continued' : 'new';
  try {
    return await withRunStore(loaded, flags, purpose, async (store) => await runIn(store, loaded, execution));
  } catch (error) {
    if (!(error instanceof TouchstoneError) || error.code !== 'nothing-failed') throw error;
    return await output.print(flags.json, { failed: 0 }, () => `${error.message}\n`);
  }
}

async function runIn(
  store: Store,
  loaded: LoadedEvaluation,
  { configPath, flags, output, reportResult, watched }: LoadedExecution,
): Promise<number> {
  const ready = await readyRun(loaded, store, {
    ...purposeOf(flags),
    command: askingArguments(configPath, flags),
    resume: await resumeOf(flags, store, watched),
  });
  if (flags.dryRun === true) {
    await printPlan(ready, { output, flags, store });
    return 0;
  }
  const { resumed } = ready;
  const resumeHint = (runId: string) =>
    watched?.isStopped() === true
      ? 'Every answer received is stored.'
      : `To continue: ${resumeCommand(process.argv.slice(2), runId)}`;
  const again = watched === undefined ? againCommand(process.argv.slice(2)) : undefined;
  const choices = { ...flags, store: flags.store ?? (await storeFolderElsewhere(loaded)), again };
  const telemetry = telemetryOf(flags, loaded.config.telemetry);
  const fleet = await fleetOf(store, configPath, { ...flags, store: choices.store });
  const admit = admission(store, resumed);
  const work: Work = (needs) =>
    makeRun(
      ready,
      {
        ...needs,
        ...fleet,
        admit,
        allowsEdits: watched !== undefined,
        isDetached: flags.detach === true,
      },
      telemetry,
    );
  const shown: { dashboard?: DashboardProcess } = {};
  const onPlanned: Execution['onPlanned'] = (planned, print) => {
    // Before, there may be no store to show.
    if (flags.view === true) shown.dashboard ??= startDashboard(choices.store);
    shown.dashboard?.show(planned.id, print);
    watched?.sendPlanned(planned, choices.store);
  };
  const report = reportResult ?? (watched && reportOfWatch(watched, { store, output, choices, resumed }));
  let exitCode: number | undefined;
  try {
    exitCode = await executeWork(work, {
      store,
      output,
      choices,
      resumeHint,
      reportResult: report,
      receiver: receiverOf(loaded, watched),
      onPlanned,
    });
    return exitCode;
  } catch (error) {
    const isUnchanged = error instanceof TouchstoneError && error.code === 'run-not-resumable';
    if (watched?.earlier === undefined || !isUnchanged) throw error;
    console.error('Nothing that is asked or scored has changed.');
    return 0;
  } finally {
    await shown.dashboard?.finish(exitCode === undefined || exitCode === interrupted);
  }
}

/** Returns the server that gets the run when it ends. The runs of a watch, one for each change of a file, are for this machine. */
function receiverOf({ config }: LoadedEvaluation, watched: Watched | undefined): Execution['receiver'] {
  return watched === undefined ? config.report : undefined;
}

/** Returns the name, the note and the tags that flags give a run, and the run of which it asks again what failed. */
function purposeOf({ name, note, tag: tags, failed }: RunFlags): RunPurpose {
  if (typeof failed === 'string') refusePath('--failed', failed);
  return { name, note, tags, failedOf: failed === true ? 'latest' : failed };
}

/** Returns the store of a config as commands typed here need it as `--store`; undefined where they find it by themselves. */
export async function storeFolderElsewhere({
  config,
  folder,
}: LoadedEvaluation): Promise<string | undefined> {
  return await storeToName({ setting: config.store, folder });
}

/** Returns the settings that flags override. Files named on the command line are relative to the current folder. */
export function overridesOf(flags: RunFlags): Partial<Config> {
  const { attempts, concurrency, timeLimit: timeLimitMs, maxCost, maxTime: maxDurationMs } = flags;
  const files = flags.dataset?.map((file) => (file === '-' ? file : path.resolve(file)));
  const dataset = files === undefined ? undefined : { path: files, format: flags.datasetFormat };
  return {
    attempts,
    ...ruleOf(flags),
    judgeSamples: flags.judgeSamples,
    concurrency,
    timeLimitMs,
    maxCost,
    maxDurationMs,
    ...judgeCacheOf(flags),
    ...conditionsOf(flags),
    ...(flags.tools !== undefined && { tools: { mode: flags.tools } }),
    ...(dataset === undefined ? {} : { dataset }),
  };
}

/** Returns the rule on attempts. A rule such as `4 of 5` sets the number of attempts too, whatever the config says. */
function ruleOf({ passes, attempts, curtail }: RunFlags): Pick<Config, 'attempts' | 'passes' | 'curtail'> {
  const rule = passes === undefined ? {} : /^\d+$/.test(passes) ? { passes: Number(passes) } : { passes };
  const isWhole = typeof rule.passes === 'string' && attempts === undefined;
  return { ...rule, ...(isWhole && { attempts: 1 }), ...(curtail === false && { curtail }) };
}

/** Returns the setting for `--no-cache`; nothing without the flag, so that the config decides. */
export function judgeCacheOf({ cache }: Pick<RunFlags, 'cache'>): Pick<Config, 'judgeCache'> {
  return cache === false ? { judgeCache: false } : {};
}

/** Returns the report of a run of a watch: the whole report of the first one, then only what has changed. */
function reportOfWatch(
  watched: Watched,
  execution: Pick<Execution, 'store' | 'output' | 'choices'> & { readonly resumed: Run | undefined },
): ReportResult {
  const { store, output, choices, resumed } = execution;
  return async (finished, { wasInterrupted }) => {
    const exitCode = exitCodeOf(finished, wasInterrupted);
    if (watched.isStopped()) return exitCode;
    if (watched.earlier !== undefined && resumed !== undefined && resumed.id !== finished.id) {
      await output.write(await formatChange(resumed, finished, { store, storeFolder: choices.store }));
      return exitCode;
    }
    const { summary } = finished;
    if (summary === undefined) return exitCode;
    return await exitCodeAfterWriting(exitCode, () => writeReport(finished, summary, execution));
  };
}

/** Returns the run to continue: the one that a watch has made before, or the one of `--resume`. */
async function resumeOf({ resume }: RunFlags, store: Store, watched: Watched | undefined) {
  if (watched?.earlier !== undefined) return await store.readRun(watched.earlier);
  if (typeof resume === 'string') refusePath('--resume', resume);
  return resume;
}

/** Throws `usage-invalid` when an option that names a run has swallowed the config that follows it. */
function refusePath(flag: string, given: string): void {
  if (!existsSync(given)) return;
  const message = `\`${flag}\` expects a run, but ${given} is a file or a folder.`;
  const remedy = `Name the config first: \`touchstone run ${given} ${flag}\`.`;
  throw new TouchstoneError('usage-invalid', message, { remedy });
}
