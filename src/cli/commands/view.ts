import { once } from 'node:events';
import { TouchstoneError } from '../../errors.ts';
import { findRun } from '../../queries/runs.ts';
import { createIngestToken } from '../../server/ingest-access.ts';
import { readAssets } from '../../server/assets.ts';
import { serveDashboard } from '../../server/serve.ts';
import { memoryAddress } from '../../stores/memory.ts';
import type { Store } from '../../stores/store.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { mayOpenBrowser, openBrowser } from '../open-browser.ts';
import { openStore, openWritableStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';
import { formatError } from '../print-error.ts';

/** The options of `touchstone view`, as parsed from the command line. */
export interface ViewFlags {
  readonly store?: string;
  readonly port?: number;
  /** False with `--no-open`. */
  readonly open: boolean;
  readonly ingest?: boolean;
}

/**
 * Runs `touchstone view [run]`: serves the dashboard to this machine until the user interrupts it, and opens it in the
 * browser. Returns the exit code.
 */
export async function viewCommand(given: string | undefined, flags: ViewFlags): Promise<number> {
  const output = claimStdout();
  const assets = readAssets();
  const store = keepStore(flags.store, flags.ingest === true ? openWritableStore : openStore);
  const ingestToken = flags.ingest === true ? readIngestToken() : undefined;
  const path = given === undefined ? '/' : `/runs/${(await findRun(await store.open(), given)).id}`;
  const server = await serveDashboard({
    openStore: store.open,
    storeFolder: flags.store,
    assets,
    port: flags.port,
    ingestToken,
    onFault: (fault) => console.error(formatError(fault, false)),
  });
  const signals = listenForInterrupts(() => {});
  try {
    const address = server.addressOf(path);
    const ingest =
      ingestToken === undefined
        ? ''
        : `Feedback: POST http://127.0.0.1:${server.port}/api/feedback with the header\n  Authorization: Bearer ${ingestToken}\n`;
    await output.write(`The dashboard: ${address}\n${ingest}Ctrl-C ends it.\n`);
    if (flags.open && mayOpenBrowser()) openBrowser(address);
    if (!signals.stop.aborted) await once(signals.stop, 'abort');
    return 0;
  } finally {
    signals.release();
    await server.close();
    await store.close();
  }
}

/** The least length of a token that the environment names. */
const fewestTokenCharacters = 32;

/** Returns the token of the environment, which stays the same over restarts, or a new one. */
function readIngestToken(): string {
  const given = process.env['TOUCHSTONE_INGEST_TOKEN'];
  if (given === undefined || given === '') return createIngestToken();
  if (given.length >= fewestTokenCharacters && /^\S+$/.test(given)) return given;
  throw new TouchstoneError(
    'usage-invalid',
    `TOUCHSTONE_INGEST_TOKEN is not a token: at least ${fewestTokenCharacters} characters without spaces.`,
    { remedy: 'Leave it out: `touchstone view --ingest` makes and prints a token.' },
  );
}

/** Keeps the store open between requests. Where there is none yet, each request looks for it again. */
function keepStore(folder: string | undefined, open: typeof openStore) {
  let kept: Promise<Store> | undefined;
  return {
    open: async (): Promise<Store> => {
      const store = await (kept ??= open(folder));
      if (store.address === memoryAddress) kept = undefined;
      return store;
    },
    close: async (): Promise<void> => {
      await (await kept)?.close();
    },
  };
}
