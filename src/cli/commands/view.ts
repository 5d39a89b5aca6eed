import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findRun } from '../../queries/runs.ts';
import { readAssets } from '../../server/assets.ts';
import { serveDashboard } from '../../server/serve.ts';
import { memoryAddress } from '../../stores/memory.ts';
import type { Store } from '../../stores/store.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';
import { formatError } from '../print-error.ts';

/** The options of `touchstone view`, as parsed from the command line. */
export interface ViewFlags {
  readonly store?: string;
  readonly port?: number;
  /** False with `--no-open`. */
  readonly open: boolean;
}

/**
 * Runs `touchstone view [run]`: serves the dashboard to this machine until the user interrupts it, and opens it in the
 * browser. Returns the exit code.
 */
export async function viewCommand(given: string | undefined, flags: ViewFlags): Promise<number> {
  const output = claimStdout();
  const assets = readAssets();
  const store = keepStore(flags.store);
  const path = given === undefined ? '/' : `/runs/${(await findRun(await store.open(), given)).id}`;
  const server = await serveDashboard({
    openStore: store.open,
    storeFolder: flags.store,
    assets,
    port: flags.port,
    onFault: (fault) => console.error(formatError(fault, false)),
  });
  const signals = listenForInterrupts(() => {});
  try {
    const address = server.addressOf(path);
    await output.write(`The dashboard: ${address}\nCtrl-C ends it.\n`);
    if (flags.open && mayOpenBrowser()) openBrowser(address);
    if (!signals.stop.aborted) await once(signals.stop, 'abort');
    return 0;
  } finally {
    signals.release();
    await server.close();
    await store.close();
  }
}

/** Keeps the store open between requests. Where there is none yet, each request looks for it again. */
function keepStore(folder: string | undefined) {
  let kept: Promise<Store> | undefined;
  return {
    open: async (): Promise<Store> => {
      const store = await (kept ??= openStore(folder));
      if (store.address === memoryAddress) kept = undefined;
      return store;
    },
    close: async (): Promise<void> => {
      await (await kept)?.close();
    },
  };
}

/** Returns whether a user is there to look at a browser: not in a build, and not when the output goes elsewhere. */
function mayOpenBrowser(): boolean {
  const { CI } = process.env;
  return process.stdout.isTTY && (CI === undefined || CI === '' || CI === 'false');
}

/** Opens an address in the browser of the user. Where there is none, the printed address is enough. */
function openBrowser(address: string): void {
  const programs: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    // `start` is a command of the shell; its first argument is the title of a window.
    win32: ['cmd', '/c', 'start', '""'],
  };
  const [program, ...args] = programs[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
