import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
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
import { messageOf } from '../../core/errors.ts';
import type { LocalProject, McpProject } from '../../server/mcp/project.ts';
import { createServer } from '../../server/mcp/server.ts';
import type { Output } from '../output.ts';
import { formatError } from '../print-error.ts';
import { openLocalProject } from './local-project.ts';

/** The options of `touchstone mcp`. */
export interface McpFlags {
  readonly config?: string;
  readonly readOnly?: boolean;
  readonly maxCost?: number;
}

/** Serves the tools of a project to a coding agent, until its client closes standard input. Returns the exit code. */
export async function serveMcp(flags: McpFlags, output: Output): Promise<number> {
  const project = await openProject(flags);
  const transport = new StdioServerTransport(process.stdin, protocolStream(output));
  const onerror = (error: Error) => console.error(`touchstone mcp: ${messageOf(error)}`);
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  const handle = serveStdio(() => createServer(project), { legacy: 'serve', transport, onerror });
  await ended;
  await handle.close();
  return 0;
}

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
export async function openProject({ config, readOnly = false, maxCost }: McpFlags): Promise<McpProject> {
  const file = await findConfig(config).catch((error: unknown) => {
    if (config !== undefined) throw error;
    return undefined;
  });
  const folder = file === undefined ? process.cwd() : path.dirname(file);
  const local = openLocalProject(folder, config, file);
  return {
    local,
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
