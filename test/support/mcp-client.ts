import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpProject } from '../../src/server/mcp/project.ts';
import { createServer } from '../../src/server/mcp/server.ts';
import type { Store } from '../../src/stores/store.ts';
import { program } from '../run-cli.ts';
import { atFileEnd } from './file-end.ts';

/** The two eras of the protocol: the newest that both sides know, or the one of 2025 with its handshake. */
export const eras = ['auto', 'legacy'] as const;
export type Era = (typeof eras)[number];

/** The connection of a client, and what it says that it can do. */
export interface ClientChoices {
  readonly era?: Era;
  /** Answers the questions to the person; without it, the client cannot ask anybody. */
  readonly answer?: (message: string) => { action: 'accept' | 'decline'; content?: { confirm: boolean } };
}

function createClient({ era = 'auto', answer }: ClientChoices): Client {
  const client = new Client(
    { name: 'touchstone-test', version: '1.0.0' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era },
    },
  );
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) =>
      answer((params as { message: string }).message),
    );
  return client;
}

/** Connects a client of the TypeScript SDK to the command line in a folder. The process ends with the file of tests. */
export async function connectProcess(
  cwd: string,
  {
    args = [],
    env = {},
    ...choices
  }: ClientChoices & { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<{ readonly client: Client; readonly pid: number; readonly stderr: () => string }> {
  const client = createClient(choices);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  await client.connect(transport);
  atFileEnd(async () => await client.close());
  return { client, pid: transport.pid ?? 0, stderr: () => said };
}

/** Connects a client to a server in this process, over a store. */
export async function connectInMemory(
  project: Pick<McpProject, 'store'> & Partial<McpProject>,
  choices: ClientChoices = {},
): Promise<Client> {
  const [own, other] = InMemoryTransport.createLinkedPair();
  const whole: McpProject = {
    secrets: { text: (text) => text, json: (value) => value },
    isReadOnly: true,
    stateKey: new Uint8Array(32),
    answered: new Set(),
    ...project,
  };
  const handle = serveStdio(() => createServer(whole), { transport: own });
  const client = createClient(choices);
  await client.connect(other);
  atFileEnd(async () => {
    await client.close();
    await handle.close();
  });
  return client;
}

/** Returns the part of a project that is a store. */
export function projectOf(store: Store): Pick<McpProject, 'store'> {
  return { store: async () => ({ store }) };
}

/** A reply of a tool: the text as it was sent, and what it says. */
export interface ToolReply {
  readonly text: string;
  readonly isError: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of every form
  readonly reply: any;
}

/** Calls a tool, and checks that the two forms of its reply say the same. */
export async function callTool(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
): Promise<ToolReply> {
  const result = await client.callTool({ name, arguments: input });
  const [block] = result.content;
  const text = block?.type === 'text' ? block.text : '';
  const isError = result.isError === true;
  const isJson = text.startsWith('{');
  if (isJson && JSON.stringify(result.structuredContent) !== text)
    throw new Error(`${name}: two replies: ${text}`);
  return { text, isError, reply: isJson ? JSON.parse(text) : text };
}

/** Returns every string of a value that does not stand in a quote: keys and values. */
export function stringsOutsideQuotes(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(stringsOutsideQuotes);
  const isQuoted = 'from' in value && 'text' in value;
  return Object.entries(value).flatMap(([key, each]) => [
    key,
    ...(isQuoted && key === 'text' ? [] : stringsOutsideQuotes(each)),
  ]);
}
