import { once } from 'node:events';
import path from 'node:path';
import { openStore } from '../library/api/open-store.ts';
import { readAssets } from '../server/assets.ts';
import { keptSecret } from '../server/kept-secret.ts';
import { serveDashboard } from '../server/serve.ts';
import { memoryAddress } from '../stores/memory.ts';
import type { Store, StoreOpening } from '../stores/store.ts';
import { createAsking } from './asking-process.ts';
import { readGitPerson } from './git-person.ts';
import { listenForInterrupts } from './interrupts.ts';
import { mayOpenBrowser, openBrowser } from './open-browser.ts';
import type { Output } from './output.ts';
import { formatError } from './print-error.ts';

/** The options of the commands that serve pages, as parsed from the command line. */
export interface ServeFlags {
  readonly store?: string;
  readonly port?: number;
  /** False with `--no-open`. */
  readonly open: boolean;
}

/** The pages to serve. */
export interface ServedPages {
  /** The words before the address of the first page. */
  readonly title: string;
  /** Returns the path of the first page, which may depend on the store. */
  readonly findPath: (openStore: () => Promise<Store>) => Promise<string>;
  /** The token with which programs send feedback and traces; without one, they cannot. */
  readonly ingestToken?: string;
  /** True when people may approve what they have proposed themselves. */
  readonly isOwnAllowed?: boolean;
}

/**
 * Serves the dashboard to this machine until the user interrupts it, and opens a page of it in the browser. Returns the exit
 * code.
 */
export async function servePages(
  { title, findPath, ingestToken, isOwnAllowed = false }: ServedPages,
  flags: ServeFlags,
  output: Output,
): Promise<number> {
  const assets = readAssets();
  const store = keepStore(flags.store, ingestToken === undefined ? 'existing' : 'create');
  const start = await findPath(store.open);
  const server = await serveDashboard({
    openStore: store.open,
    storeFolder: flags.store,
    person: async () => await readGitPerson(process.cwd()),
    isOwnAllowed,
    asking: createAsking(),
    assets,
    port: flags.port,
    secretFor: (port) => keptSecret(port, path.resolve(flags.store ?? '.')),
    ingestToken,
    onFault: (fault) => console.error(formatError(fault, false)),
  });
  const signals = listenForInterrupts(() => {});
  try {
    const address = server.addressOf(start);
    const ingest = ingestToken === undefined ? '' : describeIngest(server.port, ingestToken);
    await output.write(`${title}: ${address}\n${ingest}Ctrl-C ends it.\n`);
    if (flags.open && mayOpenBrowser()) openBrowser(address);
    if (!signals.stop.aborted) await once(signals.stop, 'abort');
    return 0;
  } finally {
    signals.release();
    await server.close();
    await store.close();
  }
}

/** Says where feedback and traces go. A token that the user chose is named, not printed: it would stay in logs. */
function describeIngest(port: number, token: string): string {
  const isChosen = token === process.env['TOUCHSTONE_INGEST_TOKEN'];
  const header = `Authorization: Bearer ${isChosen ? '$TOUCHSTONE_INGEST_TOKEN' : token}`;
  const address = `http://127.0.0.1:${port}`;
  return (
    `Feedback: POST ${address}/api/feedback, traces (OTLP): POST ${address}/v1/traces, with the header\n` +
    `  ${header}\n`
  );
}

/** Keeps the store open between requests. Where there is none yet, each request looks for it again. */
function keepStore(place: string | undefined, opening: StoreOpening) {
  let kept: Promise<Store> | undefined;
  return {
    open: async (): Promise<Store> => {
      const store = await (kept ??= openStore({ store: place }, opening));
      if (store.address === memoryAddress) kept = undefined;
      return store;
    },
    close: async (): Promise<void> => {
      await (await kept)?.close();
    },
  };
}
