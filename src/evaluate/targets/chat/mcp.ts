import type { Client, Transport } from '@modelcontextprotocol/client';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { needPackage } from '../../../core/lib/packages/need-package.ts';
import { describeConnectionError } from '../../../core/lib/network/connection-error.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import { createSecretRedactor, type SecretRedactor } from '../../../core/lib/redact-secrets.ts';
import { raceWithAbort } from '../../../core/lib/waiting.ts';
import type { ToolSpec } from '../../models/model.ts';
import type { Json } from '../../../core/schema/json.ts';
import { RecentText } from '../command/wire.ts';
import { splitCommand } from '../../../core/lib/programs/split-command.ts';
import { toJson } from '../reply/to-json.ts';
import { abortedFailure, TargetFailure, type TargetRequest, type ToolOutcome } from '../target.ts';
import { digitsOf, fetchWithDigits, readWithDigits, withDigits } from './mcp-digits.ts';
import { type McpServerOptions, nameServer, readSecrets } from './mcp-options.ts';

/** The tools of an MCP server. A lost connection is made again at the next use. */
export interface McpTools {
  readonly tools: readonly RunnableTool[];
  close(): Promise<void>;
}

/** A tool as a server lists it. */
export type ListedTool = Awaited<ReturnType<Client['listTools']>>['tools'][number];
type CallResult = Awaited<ReturnType<Client['callTool']>>;

/** The longest time that a timer can wait: only the run's own time limit ends a call. */
const noTimeLimitMs = 2_147_483_647;

/** The context that a tool receives besides its arguments. */
export interface ToolContext extends Pick<TargetRequest, 'key' | 'caseId' | 'metadata' | 'attempt' | 'seed'> {
  /** Aborted when the time limit is over. */
  readonly signal: AbortSignal;
}

/** A tool that can be used. */
export interface RunnableTool {
  readonly spec: ToolSpec;
  /** The origin of the tool, for messages. */
  readonly source: string;
  /**
   * Runs the tool. Throws `TargetFailure` only when the conversation cannot continue, such as when a server is gone;
   * after an abort it may also throw the reason of the signal.
   */
  run(args: { readonly [name: string]: Json }, context: ToolContext): Promise<ToolOutcome>;
}

/** The folder and the environment in which an MCP server is started. */
export interface McpSurroundings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Connects to an MCP server and lists its tools. Throws `TouchstoneError` when it cannot be used. */
export async function openMcpTools(
  server: McpServerOptions,
  surroundings: McpSurroundings,
): Promise<McpTools> {
  let connection: Promise<Client> | undefined;
  const connect = () => (connection ??= connectServer(server, surroundings));
  const source = nameServer(server);

  const use = async (name: string, args: { readonly [name: string]: Json }, { signal }: ToolContext) => {
    signal.throwIfAborted();
    const used = connect();
    try {
      const client = await used;
      const options = { signal, timeout: noTimeLimitMs };
      return readResult(await client.callTool({ name, arguments: { ...args } }, options));
    } catch (error) {
      const isServerLost = isLost(error);
      if (isServerLost && connection === used) connection = undefined;
      if (signal.aborted) throw abortedFailure(signal);
      if (!isServerLost) return { error: messageOf(error).toWellFormed() };
      throw new TargetFailure('tool-server-lost', `${source} did not answer: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };

  const close = async () => {
    await (await connection?.catch(() => undefined))?.close();
  };
  const toRunnableTool = ({ name, description, inputSchema }: ListedTool): RunnableTool => ({
    source,
    spec: {
      name: `${server.prefix}${name}`,
      description,
      parameters: toJson(inputSchema) as RunnableTool['spec']['parameters'],
    },
    run: async (args, context) => await raceWithAbort(use(name, args, context), context.signal),
  });

  try {
    const { tools } = await (await connect()).listTools();
    return { tools: offered(tools, server).map(toRunnableTool), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Lists the tools of an MCP server, and ends the connection. Throws `TouchstoneError` when it cannot be used. */
export async function listMcpTools(
  server: McpServerOptions,
  surroundings: McpSurroundings,
): Promise<readonly ListedTool[]> {
  const client = await connectServer(server, surroundings);
  try {
    return (await client.listTools()).tools;
  } finally {
    await client.close();
  }
}

/** Returns the tools that the options select. Throws `target-invalid` for a tool in `only` that the server does not have. */
function offered(tools: readonly ListedTool[], server: McpServerOptions): readonly ListedTool[] {
  const names = tools.map(({ name }) => name);
  const unknown = server.only?.find((name) => !names.includes(name));
  if (unknown === undefined) return tools.filter(({ name }) => server.only?.includes(name) ?? true);
  const hint = didYouMean(unknown, names) || ` It has ${names.join(', ') || 'none'}.`;
  throw new TouchstoneError('target-invalid', `${nameServer(server)} has no tool \`${unknown}\`.${hint}`);
}

/** Returns the structured content if there is any, else the text with a note for each part that is not text. */
function readResult(result: CallResult): ToolOutcome {
  const { content, structuredContent, isError } = result;
  const text = textOfContent(content);
  if (isError === true) return { error: text === '' ? 'The tool reported an error.' : text };
  if (structuredContent === undefined) return { result: text };
  return { result: withDigits(structuredContent, [digitsOf(result), text]) };
}

/** Returns whether the server is gone, as opposed to an error that it reports. */
function isLost(error: unknown): boolean {
  if (error instanceof TouchstoneError) return true;
  const code = String(Object(error).code);
  return (
    /^(NOT_CONNECTED|CONNECTION_CLOSED|SEND_FAILED|REQUEST_TIMEOUT|CLIENT_HTTP_.*)$/.test(code) ||
    error instanceof TypeError
  );
}

interface Start extends McpSurroundings {
  readonly server: McpServerOptions;
  /** The values of environment variables, by name. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly redactor: SecretRedactor;
  readonly written: RecentText;
}

/**
 * Connects to an MCP server, or starts it. Throws `target-unreachable` with what the server wrote meanwhile,
 * `environment-missing` or `package-missing`.
 */
async function connectServer(server: McpServerOptions, surroundings: McpSurroundings): Promise<Client> {
  const names = [...server.envFrom, ...Object.values(server.headersFromEnv)];
  const secrets = readSecrets(names, surroundings.environment);
  const { Client: McpClient } = await needClient(
    surroundings.folder,
    () => import('@modelcontextprotocol/client'),
  );
  const redactor = createSecretRedactor(secrets);
  const written = new RecentText(redactor.text);
  const start: Start = { server, secrets, redactor, written, ...surroundings };
  const client = new McpClient({ name: 'touchstone', version: '1' });
  try {
    const transport = await (server.url === undefined
      ? startProgram(start)
      : reachAddress(server.url, start));
    await client.connect(transport, { timeout: server.startupTimeLimitMs });
    return client;
  } catch (error) {
    await client.close().catch(() => {}); // The client is unusable already; the first error is the one to report.
    throw error instanceof TouchstoneError ? error : unreachable(error, start);
  }
}

async function startProgram({ server, secrets, written, folder }: Start): Promise<Transport> {
  const { StdioClientTransport, getDefaultEnvironment } = await needClient(
    folder,
    () => import('@modelcontextprotocol/client/stdio'),
  );
  const { command = '', env, envFrom } = server;
  const [program = '', ...args] = typeof command === 'string' ? splitCommand(command) : command;
  const handed = Object.fromEntries(envFrom.map((name) => [name, secrets.get(name) ?? '']));
  const transport = new StdioClientTransport({
    command: program,
    args,
    cwd: folder,
    stderr: 'pipe',
    env: { ...getDefaultEnvironment(), ...env, ...handed },
  });
  transport.stderr?.on('data', (bytes: Buffer) => written.append(bytes.toString('utf8')));
  const { ReadBuffer } = await needClient(folder, () => import('@modelcontextprotocol/client'));
  return readWithDigits(transport, ReadBuffer);
}

async function reachAddress(url: string, { server, secrets, folder }: Start): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await needClient(
    folder,
    () => import('@modelcontextprotocol/client'),
  );
  const secret = Object.entries(server.headersFromEnv).map(([header, name]) => [header, secrets.get(name)]);
  const headers = { ...server.headers, ...Object.fromEntries(secret) };
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: fetchWithDigits,
  });
}

function unreachable(error: unknown, { server, redactor, written }: Start): TouchstoneError {
  const wrote = written.text === '' ? '' : ` It wrote: ${written.lastLines()}`;
  const message = `${nameServer(server)} cannot be used: ${reasonOf(error)}.${wrote}`;
  return new TouchstoneError('target-unreachable', redactor.text(message), {
    remedy: 'Start it by hand to see what is wrong; no question was asked.',
    cause: error,
  });
}

function reasonOf(error: unknown): string {
  const isConnection = error instanceof Error && (error.cause !== undefined || 'syscall' in error);
  return (isConnection ? describeConnectionError(error) : messageOf(error)).replace(/\.$/, '');
}

async function needClient<Module>(folder: string, load: () => Promise<Module>): Promise<Module> {
  return await needPackage('@modelcontextprotocol/client', { for: 'An MCP server', load, folder });
}

/** Returns the content of a tool's result as one text, with a note for each part that is not text. */
export function textOfContent(content: readonly unknown[]): string {
  return content
    .map((part) => {
      const { type, text, mimeType } = Object(part) as { readonly [name: string]: unknown };
      if (type === 'text') return String(text);
      return `[${String(type)}${mimeType === undefined ? '' : ` ${String(mimeType)}`}]`;
    })
    .join('\n')
    .toWellFormed();
}
