import type { Client } from '@modelcontextprotocol/client';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest-name.ts';
import type { Json } from '../../schema/json.ts';
import { toJson } from '../reply/to-json.ts';
import { TargetFailure, type ToolOutcome } from '../target.ts';
import { untilAborted } from '../until-aborted.ts';
import { connectServer, type McpSurroundings } from './mcp-connection.ts';
import { type McpServerOptions, nameServer } from './mcp-options.ts';
import type { LiveTool, ToolContext } from './tool.ts';

/** The tools of an MCP server that is connected, or connected again when it was lost. */
export interface McpTools {
  readonly tools: readonly LiveTool[];
  close(): Promise<void>;
}

type ListedTool = Awaited<ReturnType<Client['listTools']>>['tools'][number];
type CallResult = Awaited<ReturnType<Client['callTool']>>;

/** The run's own time limit ends a call; this is only the longest that a timer can wait. */
const noTimeLimitMs = 2_147_483_647;

/** Connects to an MCP server and asks for its tools. Throws `TouchstoneError` where it cannot be used. */
export async function openMcpTools(
  server: McpServerOptions,
  surroundings: McpSurroundings,
): Promise<McpTools> {
  let connection: Promise<Client> | undefined;
  const connect = () => (connection ??= connectServer(server, surroundings));
  const source = nameServer(server);

  const use = async (name: string, given: { readonly [name: string]: Json }, { signal }: ToolContext) => {
    signal.throwIfAborted();
    const used = connect();
    try {
      const client = await used;
      const options = { signal, timeout: noTimeLimitMs };
      return readResult(await client.callTool({ name, arguments: { ...given } }, options));
    } catch (error) {
      if (!isLost(error)) return { error: messageOf(error).toWellFormed() };
      if (connection === used) connection = undefined;
      throw new TargetFailure('tool-server-lost', `${source} did not answer: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };

  const close = async () => {
    await (await connection?.catch(() => undefined))?.close();
  };
  const toLiveTool = ({ name, description, inputSchema }: ListedTool): LiveTool => ({
    source,
    spec: {
      name: `${server.prefix}${name}`,
      description,
      parameters: toJson(inputSchema) as LiveTool['spec']['parameters'],
    },
    run: async (given, context) => await untilAborted(use(name, given, context), context.signal),
  });

  try {
    const { tools } = await (await connect()).listTools();
    return { tools: offered(tools, server).map(toLiveTool), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Throws `target-invalid` for a tool in `only` that the server does not have. */
function offered(tools: readonly ListedTool[], server: McpServerOptions): readonly ListedTool[] {
  const names = tools.map(({ name }) => name);
  const unknown = server.only?.find((name) => !names.includes(name));
  if (unknown === undefined) return tools.filter(({ name }) => server.only?.includes(name) ?? true);
  const hint = didYouMean(unknown, names) || ` It has ${names.join(', ') || 'none'}.`;
  throw new TouchstoneError('target-invalid', `${nameServer(server)} has no tool \`${unknown}\`.${hint}`);
}

/** Structured content where there is some; else the text, with a note for whatever is not text. */
function readResult({ content, structuredContent, isError }: CallResult): ToolOutcome {
  const text = content
    .map((part) =>
      part.type === 'text' ? part.text : `[${part.type}${'mimeType' in part ? ` ${part.mimeType}` : ''}]`,
    )
    .join('\n')
    .toWellFormed();
  if (isError === true) return { error: text === '' ? 'The tool reported an error.' : text };
  return { result: structuredContent === undefined ? text : toJson(structuredContent) };
}

/** Whether the server is gone, in contrast to an error that it reports. */
function isLost(error: unknown): boolean {
  if (error instanceof TouchstoneError) return true;
  const code = String(Object(error).code);
  return (
    /^(NOT_CONNECTED|CONNECTION_CLOSED|SEND_FAILED|REQUEST_TIMEOUT|CLIENT_HTTP_.*)$/.test(code) ||
    error instanceof TypeError
  );
}
