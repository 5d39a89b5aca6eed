import type { Client, Transport } from '@modelcontextprotocol/client';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { describeConnectionError } from '../../lib/connection-error.ts';
import { createSecretRedactor, type SecretRedactor } from '../../lib/redact-secrets.ts';
import { RecentText } from '../command/recent-text.ts';
import { splitCommand } from '../command/split-command.ts';
import { type McpServerOptions, nameServer, readSecrets } from './mcp-options.ts';

/** Where an MCP server is started, and what it may be told. */
export interface McpSurroundings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface Start extends McpSurroundings {
  readonly server: McpServerOptions;
  /** Values of environment variables. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly redactor: SecretRedactor;
  readonly written: RecentText;
}

/**
 * Connects to an MCP server, or starts it. Throws `target-unreachable` with what it wrote meanwhile, `environment-missing`
 * or `package-missing`.
 */
export async function connectServer(
  server: McpServerOptions,
  surroundings: McpSurroundings,
): Promise<Client> {
  const names = [...server.envFrom, ...Object.values(server.headersFromEnv)];
  const secrets = readSecrets(names, surroundings.environment);
  const { Client: McpClient } = await importPackage(() => import('@modelcontextprotocol/client'));
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
    await client.close().catch(() => {}); // It is unusable already; why is what counts.
    throw error instanceof TouchstoneError ? error : unreachable(error, start);
  }
}

async function startProgram({ server, secrets, written, folder }: Start): Promise<Transport> {
  const { StdioClientTransport, getDefaultEnvironment } = await importPackage(
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
  return transport;
}

async function reachAddress(url: string, { server, secrets }: Start): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await importPackage(() => import('@modelcontextprotocol/client'));
  const secret = Object.entries(server.headersFromEnv).map(([header, name]) => [header, secrets.get(name)]);
  const headers = { ...server.headers, ...Object.fromEntries(secret) };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
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

async function importPackage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (
      !(error instanceof Error) ||
      !/ERR_MODULE_NOT_FOUND|ERR_PACKAGE_PATH/.test(String(Object(error).code))
    )
      throw error;
    const message = 'MCP servers need the package @modelcontextprotocol/client, which is not installed.';
    throw new TouchstoneError('package-missing', message, {
      remedy: 'Install it beside touchstone: `npm install --save-dev @modelcontextprotocol/client@2`.',
      cause: error,
    });
  }
}
