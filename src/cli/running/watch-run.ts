import { once } from 'node:events';
import path from 'node:path';
import { findConfig } from '../../library/config/load-config.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { StartedProcess } from '../../core/lib/programs/start.ts';
import { askToEnd } from '../../core/lib/programs/stop.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import type { RunFlags } from './run.ts';
import { type DashboardProcess, startDashboard } from '../dashboard-process.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { isBuild } from '../open-browser.ts';
import { startOwnProcess } from '../own-process.ts';
import { watchFiles } from '../watch/watch-files.ts';
import { type WatchedMessage, watchVariable } from '../watch/watched-run.ts';

/** The time without a change after which changes count as complete, in milliseconds: an editor writes in several steps. */
const settledMs = 150;

/**
 * Makes a run and, after every change of the files that it depends on, another one that continues it, until the user
 * interrupts. Each run is a process of its own, since Node.js loads a module only once. Returns the exit code of the last run.
 */
export async function watchRun({
  config: configPath,
  ...flags
}: RunFlags & { readonly config?: string }): Promise<number> {
  refuseCombinations(flags);
  const folder = path.dirname(await findConfig(configPath));
  const ignored = new Set(
    [flags.store, ...(flags.output ?? [])].flatMap((file) => (file ? path.resolve(file) : [])),
  );
  const changes = createChanges();
  const watcher = watchFiles({
    folder,
    ignores: (file) =>
      ignored.has(file) || /^(?:\.git|\.touchstone|node_modules|__pycache__)$/.test(path.basename(file)),
    onChange: changes.add,
  });
  let child: StartedProcess | undefined;
  const forward = () => child && askToEnd(child, 'SIGINT');
  const signals = listenForInterrupts(() => {});
  signals.stop.addEventListener('abort', forward);
  signals.abort.addEventListener('abort', forward);
  let dashboard: DashboardProcess | undefined;
  let earlier: string | undefined;
  let exitCode = 0;
  const onMessage = (message: WatchedMessage): void => {
    if (message.type === 'files') {
      changes.follow(message.files);
      watcher.add(message.files);
      return;
    }
    earlier = message.run;
    if (flags.view !== true) return;
    dashboard ??= startDashboard(message.storeFolder);
    // The page of the latest run goes on with each new one.
    dashboard.show('latest', console.error);
  };
  try {
    while (!signals.stop.aborted) {
      child = startRun(earlier, onMessage);
      const over = new AbortController();
      let isStale = false;
      const signal = AbortSignal.any([over.signal, signals.stop]);
      void stopWhenChanged(child, { changes, signal }).then((isStopped) => {
        isStale = isStopped;
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      over.abort();
      exitCode = code ?? 1;
      child = undefined;
      const isAgain = isStale || changes.isPending();
      changes.clear();
      if (signals.stop.aborted || isAgain) continue;
      console.error(`\nWatching ${displayPath(folder)} for changes; Ctrl-C ends it.`);
      await changes.next(signals.stop, false);
    }
    return exitCode;
  } finally {
    signals.release();
    watcher.close();
    await dashboard?.finish(true);
  }
}

/** Throws `usage-invalid` for options that make no sense together with a run that is repeated. */
function refuseCombinations({ json, dryRun, workers, dataset = [] }: RunFlags): void {
  const refuse = (message: string, remedy: string) => {
    throw new TouchstoneError('usage-invalid', message, { remedy });
  };
  if (isBuild())
    refuse('`--watch` never ends by itself, so it is refused in a build.', 'Leave it out where CI is set.');
  if (json === true)
    refuse('`--watch` prints no JSON document.', 'Omit `--json`; `touchstone show --json` prints a run.');
  if (dryRun === true) refuse('`--watch` and `--dry-run` exclude each other.', 'Leave out one of them.');
  if (workers !== undefined)
    refuse('A watch makes its runs in one process.', 'Leave out `--workers` or `--watch`.');
  if (dataset.includes('-')) refuse('Standard input cannot be watched.', 'Name a file with `--dataset`.');
}

/** Starts a run with the arguments of this process, as a continuation of an earlier one. */
function startRun(earlier: string | undefined, onMessage: (message: WatchedMessage) => void): StartedProcess {
  const args = process.argv.slice(2).filter((arg) => arg !== '--watch' && arg !== '--view');
  const child = startOwnProcess(args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    environment: { [watchVariable]: earlier ?? '' },
  });
  child.on('message', onMessage);
  return child;
}

/**
 * Stops a run after a change of a file that it depends on: the calls in flight are finished, and nothing else is started.
 * Returns whether the run was stopped.
 */
async function stopWhenChanged(
  child: StartedProcess,
  { changes, signal }: { readonly changes: Changes; readonly signal: AbortSignal },
): Promise<boolean> {
  const file = await changes.next(signal, true);
  if (file === undefined || !child.connected) return false;
  console.error(`${displayPath(file)} has changed: the run continues with it after the calls in flight.`);
  // A run that has just ended needs no word.
  child.send({ type: 'stop' }, () => {});
  return true;
}

type Changes = ReturnType<typeof createChanges>;

/** Creates the memory of changes: those since the last run began, and the files that runs depend on. */
function createChanges() {
  const changed = new Set<string>();
  const followed = new Set<string>();
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  const pending = () => [...changed].find((file) => followed.has(file));
  const wake = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const look of waiting) look();
    }, settledMs);
  };
  return {
    add: (file: string): void => {
      changed.add(file);
      wake();
    },
    follow: (files: readonly string[]): void => {
      for (const file of files) followed.add(file);
      wake();
    },
    /** Returns whether a file that runs depend on has changed since changes were forgotten. */
    isPending: (): boolean => pending() !== undefined,
    clear: (): void => changed.clear(),
    /**
     * Waits until changes have settled, and returns a changed file; undefined when the signal is aborted before. While a run
     * writes files of its own, only files count that runs depend on.
     */
    next: async (signal: AbortSignal, isRunning: boolean): Promise<string | undefined> =>
      await new Promise((resolve) => {
        const finish = (file?: string) => {
          waiting.delete(look);
          signal.removeEventListener('abort', onAbort);
          resolve(file);
        };
        const onAbort = () => finish();
        const look = () => {
          const file = isRunning ? pending() : [...changed][0];
          if (file === undefined) return;
          // What follows is a change after this one.
          changed.clear();
          finish(file);
        };
        waiting.add(look);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) finish();
      }),
  };
}
