import path from 'node:path';
import type { Json } from '../../schema/json.ts';
import { checkFile } from '../files/check-file.ts';
import { hashModule } from '../../lib/hash-module.ts';
import { refuseExit } from '../module/refuse-exit.ts';
import type { McpSurroundings } from './mcp-connection.ts';
import { type McpServerOptions, refuseWrittenSecrets } from './mcp-options.ts';
import { type McpTools, openMcpTools } from './mcp-tools.ts';
import { importTools } from './module-tools.ts';
import { createToolset, type Toolset } from './toolset.ts';

/** Where the tools of a chat come from. */
export interface ToolSettings extends McpSurroundings {
  /** Modules, relative to the folder. */
  readonly files: readonly string[];
  readonly servers: readonly McpServerOptions[];
}

/** Tools ready to be used. */
export interface OpenTools {
  readonly toolset: Toolset;
  close(): Promise<void>;
}

/** Imports all modules and connects to all servers. Throws `TouchstoneError`, and then leaves nothing running. */
export async function openTools({ files, servers, ...surroundings }: ToolSettings): Promise<OpenTools> {
  const connected: McpTools[] = [];
  const allowExit = refuseExit();
  let isOpen = true;
  const close = async () => {
    if (isOpen) allowExit();
    isOpen = false;
    await Promise.all(connected.map(async (server) => await server.close()));
  };
  try {
    const modules = await Promise.all(
      files.map(async (file) => await importTools(file, surroundings.folder)),
    );
    const opened = await Promise.allSettled(
      servers.map(async (server) => {
        const tools = await openMcpTools(server, surroundings);
        connected.push(tools);
        return tools;
      }),
    );
    const failure = opened.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    const remote = opened.map((result) => (result.status === 'fulfilled' ? result.value.tools : []));
    return { toolset: createToolset([...modules, ...remote].flat()), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * What tells these tools from others before any is started: what is in the modules, and how the servers are started or
 * reached, with the content of the files that their commands name.
 */
export async function identifyTools({ files, servers, folder }: ToolSettings): Promise<Json> {
  const modules = files.map(async (shown) => {
    const file = path.resolve(folder, shown);
    await checkFile({ file, shown, setting: 'tools' });
    return hashModule(file);
  });
  const identities = servers.map(async (server): Promise<Json> => {
    refuseWrittenSecrets(server);
    const { command = [], url = null, env, headers, only = null, prefix } = server;
    const words = typeof command === 'string' ? command.split(/\s+/) : command;
    const scripts = words
      .filter((word) => /\.\w+$/.test(word))
      .map(async (word) => hashModule(path.resolve(folder, word)));
    return { command: words, url, env, headers, only, prefix, scripts: await Promise.all(scripts) };
  });
  return { modules: await Promise.all(modules), servers: await Promise.all(identities) };
}
