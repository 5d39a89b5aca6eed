import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { personSchema } from '../schema/review/label.ts';
import { readAssets } from '../server/assets.ts';
import { serveDashboard } from '../server/serve.ts';
import { memoryAddress } from '../stores/memory.ts';
import type { Store } from '../stores/store.ts';
import { listenForInterrupts } from './interrupts.ts';
import { mayOpenBrowser, openBrowser } from './open-browser.ts';
import { openStore } from './open-store.ts';
import { claimStdout } from './output.ts';
import { formatError } from './print-error.ts';

/** The options of the commands that serve pages, as parsed from the command line. */
export interface ServeFlags {
  readonly store?: string;
  readonly port?: number;
  /** False with `--no-open`. */
  readonly open: boolean;
}

/** The page to open first: the words before its address, and its path, which may depend on the store. */
export interface FirstPage {
  readonly title: string;
  readonly findPath: (openStore: () => Promise<Store>) => Promise<string>;
}

/**
 * Serves the dashboard to this machine until the user interrupts it, and opens a page of it in the browser. Returns the exit
 * code.
 */
export async function servePages({ title, findPath }: FirstPage, flags: ServeFlags): Promise<number> {
  const output = claimStdout();
  const assets = readAssets();
  const store = keepStore(flags.store);
  const path = await findPath(store.open);
  const server = await serveDashboard({
    openStore: store.open,
    storeFolder: flags.store,
    person: async () => await readGitPerson(process.cwd()),
    assets,
    port: flags.port,
    onFault: (fault) => console.error(formatError(fault, false)),
  });
  const signals = listenForInterrupts(() => {});
  try {
    const address = server.addressOf(path);
    await output.write(`${title}: ${address}\nCtrl-C ends it.\n`);
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

/** The longest that a page waits for git, in milliseconds. */
const gitTimeoutMs = 1000;

/**
 * Reads the name that git writes into commits made in a folder. Returns undefined when there is none, and when git is not
 * installed. Never throws, since a person can also enter a name.
 */
async function readGitPerson(folder: string): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const settings = { cwd: folder, timeout: gitTimeoutMs, windowsHide: true };
    execFile('git', ['config', 'user.name'], settings, (error, stdout) => {
      const name = personSchema.safeParse(stdout.trim());
      resolve(error === null ? name.data : undefined);
    });
  });
}
