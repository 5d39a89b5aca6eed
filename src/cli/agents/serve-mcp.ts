import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { StoreChoice } from '../../library/api/open-store.ts';
import { findConfig } from '../../library/config/load-config.ts';
import type { Config } from '../../library/config/config.ts';
import { hasStore, type PlacedStore } from '../../library/config/open-store-of.ts';
import { findProjectStore } from '../../library/api/project/describe-project.ts';
import { createKnownSecrets } from '../../library/config/known-secrets.ts';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { beginHere } from '../../server/mcp/beginning.ts';
import type { LocalProject, McpProject } from '../../server/mcp/project.ts';
import { serveMcpOverHttp } from '../../server/mcp/serve-http.ts';
import { createServer } from '../../server/mcp/server.ts';
import { listenForInterrupts } from '../interrupts.ts';
import type { Output } from '../output.ts';
import { formatError } from '../print-error.ts';
import { makeAgentsFolder, openLocalProject } from './local-project.ts';

/** The options of `touchstone mcp`. */
export interface McpFlags {
  readonly config?: string;
  /** The port, or true for the usual one or any that is free; without it, standard input and output are used. */
  readonly http?: string | true;
  readonly readOnly?: boolean;
  readonly maxCost?: number;
}

/**
 * Serves the tools of a project to coding agents, until the client closes standard input or, over HTTP, until the user interrupts.
 * Returns the exit code.
 */
export async function serveMcp({ http, ...flags }: McpFlags, output: Output): Promise<number> {
  const project = await openProject(flags);
  if (http !== undefined) return await serveOverHttp(project, http === true ? undefined : toPort(http));
  if (process.stdin.isTTY) console.error(onTerminal);
  const transport = new StdioServerTransport(process.stdin, protocolStream(output));
  const onerror = (error: Error) => console.error(`touchstone mcp: ${messageOf(error)}`);
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  const handle = serveStdio(() => createServer(project), { legacy: 'serve', transport, onerror });
  await ended;
  await handle.close();
  return 0;
}

/** The words for a person who has typed the command that a client types. */
const onTerminal =
  'This waits for a coding agent on standard input. `touchstone init --agents` writes the entry by which clients start it; Ctrl-C ends it.';

/** Reads a port. Throws `usage-invalid` for anything else. */
function toPort(written: string): number {
  const port = /^\d{1,5}$/.test(written) ? Number(written) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new TouchstoneError('usage-invalid', `\`--http ${written}\` is not a port.`, {
    remedy: 'Give a number from 1 to 65535, or leave it out for the usual one.',
  });
}

/** Serves over HTTP, and says where and with which key, until the user interrupts. The key itself is printed nowhere. */
async function serveOverHttp(
  project: McpProject & { readonly local: LocalProject },
  port: number | undefined,
): Promise<number> {
  const { file, key } = readKey(path.join(project.local.folder, '.touchstone', 'agents'));
  const server = await serveMcpOverHttp(project, { port, key });
  const signals = listenForInterrupts(() => {});
  try {
    console.error(
      `The tools of this project: ${server.address}\nThe key is in ${displayPath(file)}: send it as Authorization: Bearer KEY.\nCtrl-C ends it.`,
    );
    if (!signals.stop.aborted) await once(signals.stop, 'abort');
    return 0;
  } finally {
    signals.release();
    await server.close();
  }
}

/** Reads the key of a project, which stays the same, so that clients can be set up; makes one where there is none that only its owner can read. */
function readKey(folder: string): { readonly file: string; readonly key: string } {
  const file = path.join(folder, 'http.key');
  const stats = statSync(file, { throwIfNoEntry: false });
  const isOwn = process.platform === 'win32' || ((stats?.mode ?? 0) & 0o077) === 0;
  if (stats !== undefined && isOwn) {
    const key = readFileSync(file, 'utf8').trim();
    if (key.length >= fewestKeyCharacters) return { file, key };
  }
  makeAgentsFolder(folder);
  rmSync(file, { force: true });
  const key = randomBytes(32).toString('base64url');
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return { file, key };
}

const fewestKeyCharacters = 40;

/** Returns the stream of the protocol: standard output, which nothing else can write to any more. */
function protocolStream({ writeCommands }: Output): Writable {
  return new Writable({
    decodeStrings: false,
    write: callbackify(async (chunk: string | Buffer, _encoding: string) => {
      await writeCommands(chunk.toString());
    }),
  });
}

/** Opens the project of a config that is named, or of the current folder, which may have none yet. */
async function openProject({
  config,
  readOnly = false,
  maxCost,
}: McpFlags): Promise<McpProject & { readonly local: LocalProject }> {
  const file = await findConfig(config).catch((error: unknown) => {
    if (config !== undefined) throw error;
    return undefined;
  });
  const folder = file === undefined ? process.cwd() : path.dirname(file);
  const local = openLocalProject(folder, config, file);
  return {
    local,
    beginning: beginHere(local),
    store: createStoreFinder(file, local),
    secrets: createKnownSecrets({}, process.env),
    isReadOnly: readOnly,
    maxCost,
    stateKey: randomBytes(32),
    answered: new Set(),
    onFault: (fault) => console.error(formatError(fault, false)),
  };
}

/** Config files that are data: reading one runs nothing. */
const isData = /\.(?:ya?ml|json)$/;

/** Creates the function that finds the store of a config, and looks again once the file of the config has changed. */
function createStoreFinder(file: string | undefined, local: LocalProject): () => Promise<StoreChoice> {
  const { folder } = local;
  let known: { readonly stamp: string; readonly place: Promise<PlacedStore> } | undefined;
  const find = async (config: string): Promise<PlacedStore> => {
    const { mtimeMs, size } = statSync(config, { throwIfNoEntry: false }) ?? {};
    const stamp = `${mtimeMs} ${size}`;
    if (known?.stamp !== stamp)
      known = {
        stamp,
        place: isData.test(config) ? findProjectStore(config) : local.call('findStore', config),
      };
    return await known.place;
  };
  return async () => {
    if (file === undefined) return { folder };
    try {
      const { setting, folder: from } = await find(file);
      return { folder: from, config: { store: setting } as Config };
    } catch (error) {
      // The runs can be read while the config is being edited.
      if (hasStore(path.join(folder, '.touchstone'))) return { folder };
      throw error;
    }
  };
}
