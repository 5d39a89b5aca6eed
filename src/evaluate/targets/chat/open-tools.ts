import path from 'node:path';
import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { copyJson } from '../../../core/lib/json/copy-json.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { describeValue, listKeys } from '../../../core/lib/text/describe-value.ts';
import { hashModule } from '../../../core/lib/user-code/user-files.ts';
import { raceWithAbort } from '../../../core/lib/waiting.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import type { RequestedToolCall } from '../../models/model.ts';
import { type Json, jsonSchema } from '../../../core/schema/json.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import { refuseExit, runTargetCode } from '../module-function.ts';
import { checkFile, importFile } from '../../../core/lib/user-code/user-functions.ts';
import { keptOutcome } from '../reply/read-tool-calls.ts';
import { toJson } from '../reply/to-json.ts';
import type { HandledOutcome, ToolInterceptor } from '../target.ts';
import { type McpServerOptions, refuseWrittenSecrets } from './mcp-options.ts';
import {
  type RunnableTool,
  type McpSurroundings,
  type McpTools,
  openMcpTools,
  type ToolContext,
} from './mcp.ts';

/** The sources of the tools of a chat. */
export interface ToolSettings extends McpSurroundings {
  /** Module files, relative to the folder. */
  readonly files: readonly string[];
  readonly servers: readonly McpServerOptions[];
}

/** Tools that are ready to be used. */
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
 * Returns the identity of the tools before any is started: the content of the modules, and how the servers are started
 * or reached, with the content of the files that their commands name.
 */
export async function identifyTools({ files, servers, folder }: ToolSettings): Promise<Json> {
  const modules = files.map(async (shown) => {
    const file = path.resolve(folder, shown);
    checkFile({ file, shown }, 'tools', 'target-invalid');
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

const toolSchema = z.lazy(() =>
  z.looseObject({
    name: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, `_` or `-`'),
    description: z.string().optional(),
    parameters: z.record(z.string(), jsonSchema).default({ type: 'object', properties: {} }),
    run: z
      .any()
      .refine((value) => typeof value === 'function', 'must be a function `(arguments, context) => result`'),
  }),
);
type Tool = z.output<typeof toolSchema>;

/**
 * Imports the tools of a TypeScript or JavaScript file: each export that is an object with `name` and `run`, or a list
 * of such objects. Throws `target-invalid` for a file without tools, and for an incomplete tool.
 */
async function importTools(shown: string, folder: string): Promise<RunnableTool[]> {
  const file = path.resolve(folder, shown);
  checkFile({ file, shown }, 'tools', 'target-invalid');
  const exports = await runTargetCode(() => importFile({ file, shown }, 'target-invalid'));
  const found = Object.entries(exports).flatMap(([name, value]) => toolsIn(value, name, shown));
  const tools = [...new Map(found.map((tool) => [tool.run, tool])).values()];
  if (tools.length > 0) return tools.map((tool) => toRunnableTool(tool, shown));
  const names = Object.keys(exports);
  const what = names.length === 0 ? 'It exports nothing.' : `It exports ${listKeys(names)}.`;
  throw new TouchstoneError('target-invalid', `${shown} exports no tool. ${what}`, {
    remedy: 'Export objects `{ name, description, parameters, run }`, one by one or as a list.',
  });
}

function toolsIn(value: unknown, name: string, shown: string): Tool[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => toolsIn(item, `${name}[${index}]`, shown));
  }
  if (!isContainer(value) || !('run' in value)) return [];
  const parsed = toolSchema.safeParse(value);
  if (parsed.success) return [{ ...parsed.data, run: value.run }];
  const [issue] = parsed.error.issues;
  const member = issue?.path.join('.') ?? '';
  const memberValue = (value as Record<string, unknown>)[member];
  throw new TouchstoneError(
    'target-invalid',
    `The tool \`${name}\` of ${shown} has no usable \`${member}\`: ${describeValue(memberValue)}; ${issue?.message}.`,
    { remedy: 'A tool is an object `{ name, description, parameters, run }`.' },
  );
}

function toRunnableTool(tool: Tool, source: string): RunnableTool {
  const { name, description, parameters } = tool;
  return {
    spec: { name, description, parameters },
    source,
    run: async (args, context) => {
      const work = new Promise((resolve) => runTargetCode(() => resolve(tool.run(copyJson(args), context))));
      const outcome = work.then(
        (result) => ({ result: toJson(result) }),
        (thrown: unknown) => ({ error: messageOf(thrown).toWellFormed() }),
      );
      return await raceWithAbort(outcome, context.signal);
    },
  };
}

/** The tools of a chat, by name. */
interface Toolset {
  readonly specs: readonly RunnableTool['spec'][];
  /**
   * Runs the tools that a model asks for, all at the same time. Their errors are results that go to the model.
   * @param intercept - The function that every use of a tool passes through, when the run injects faults.
   */
  run(
    requested: readonly RequestedToolCall[],
    context: ToolContext,
    intercept?: ToolInterceptor,
  ): Promise<ToolCall[]>;
}

/** Combines tools into a toolset. Throws `target-invalid` when two have the same name. */
function createToolset(tools: readonly RunnableTool[]): Toolset {
  const byName = new Map<string, RunnableTool>();
  for (const tool of tools) {
    const { name } = tool.spec;
    const other = byName.get(name);
    if (other !== undefined) {
      const message = `Both ${other.source} and ${tool.source} have a tool \`${name}\`.`;
      throw new TouchstoneError('target-invalid', message, {
        remedy: 'Rename one, or choose the tools of a server with `only`, or give it a `prefix`.',
      });
    }
    byName.set(name, tool);
  }
  const runOne = async (requested: RequestedToolCall, uses: Uses): Promise<ToolCall> => {
    const { id, name, arguments: args, unreadableArguments = '' } = requested;
    const outcome = await use(requested, byName, uses);
    return { id, name, arguments: args ?? unreadableArguments, ...keptOutcome(outcome) };
  };
  return {
    specs: tools.map(({ spec }) => spec),
    run: async (requested, context, intercept = async (_use, run) => await run()) =>
      await Promise.all(requested.map(async (call) => await runOne(call, { context, intercept }))),
  };
}

interface Uses {
  readonly context: ToolContext;
  readonly intercept: ToolInterceptor;
}

async function use(
  { name, arguments: args, unreadableArguments }: RequestedToolCall,
  tools: ReadonlyMap<string, RunnableTool>,
  { context, intercept }: Uses,
): Promise<HandledOutcome> {
  const tool = tools.get(name);
  if (tool === undefined) {
    const hint = didYouMean(name, tools.keys()) || ` There are ${[...tools.keys()].join(', ') || 'none'}.`;
    return { error: `There is no tool "${name}".${hint}` };
  }
  if (unreadableArguments !== undefined || !isContainer(args) || Array.isArray(args)) {
    return { error: 'The arguments are not a JSON object; the tool was not used.' };
  }
  return await intercept({ name, arguments: args }, async () => await tool.run(args, context));
}
