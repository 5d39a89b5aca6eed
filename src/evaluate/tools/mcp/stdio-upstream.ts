import { Readable } from 'node:stream';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Launch } from '../../../core/lib/programs/process-group.ts';
import { splitCommand } from '../../../core/lib/programs/split-command.ts';
import { randomId } from '../../../core/lib/random-id.ts';
import { createSecretRedactor } from '../../../core/lib/redact-secrets.ts';
import { onAbort } from '../../../core/lib/waiting.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { McpSurroundings } from '../../targets/chat/mcp.ts';
import type { McpServerOptions } from '../../targets/chat/mcp-options.ts';
import { findProgram } from '../../../core/lib/programs/find-program.ts';
import { type CarriedReply, headerOf, type Header, UpstreamLost } from '../carry/upstream.ts';
import type { ToolSession } from '../door.ts';
import { asFields, isRequest, type RpcMessage } from './mcp-message.ts';
import type { McpRequest, McpUpstream } from './mcp-upstream.ts';
import { StdioChild } from './stdio-child.ts';

/** A program that speaks the protocol, and where it is started. */
export interface StdioSettings extends McpSurroundings {
  readonly server: McpServerOptions;
  /** The values of environment variables that are passed on, by name. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** The variables that a server inherits, as the clients of the protocol pass them on. */
const inherited =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROGRAMFILES',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

const sessionHeader = 'mcp-session-id';

/**
 * Creates the upstream of a program: one process for each session of the protocol, and one for each conversation in the era
 * without sessions, so that no two attempts share what it remembers.
 */
export function createStdioUpstream(settings: StdioSettings): McpUpstream {
  const bySession = new Map<string, StdioChild>();
  const byConversation = new WeakMap<ToolSession, Promise<StdioChild>>();
  const live = new Set<StdioChild>();

  const start = async (session: ToolSession, isShared: boolean): Promise<StdioChild> => {
    const launch = toLaunch(settings, await session.folder());
    session.over.throwIfAborted();
    const child = new StdioChild(launch, isShared);
    live.add(child);
    const cancel = onAbort(session.over, () => void child.stop());
    void child.ended.then(() => {
      cancel();
      live.delete(child);
    });
    return child;
  };
  const startSession = async (session: ToolSession) => {
    const probed = await byConversation.get(session);
    // A client of both eras asks for the new one first, and then begins a session with the same program.
    const isReused = probed?.becomeSession() === true;
    if (isReused) byConversation.delete(session);
    const child = isReused ? probed : await start(session, false);
    const id = randomId();
    bySession.set(id, child);
    void child.ended.then(() => bySession.delete(id));
    return { child, headers: [[sessionHeader, id]] as const };
  };
  const childOf = async (session: ToolSession): Promise<StdioChild> => {
    const known = byConversation.get(session);
    if (known !== undefined) return await known;
    const started = start(session, true);
    byConversation.set(session, started);
    const forget = () => {
      if (byConversation.get(session) === started) byConversation.delete(session);
    };
    void started.then(async ({ ended }) => await ended.then(forget), forget);
    return await started;
  };
  const find = async (
    message: RpcMessage | undefined,
    request: McpRequest,
    session: ToolSession,
  ): Promise<{ readonly child: StdioChild; readonly headers: readonly Header[] } | undefined> => {
    if (message?.['method'] === 'initialize') return await startSession(session);
    const id = headerOf(request.headers, sessionHeader);
    if (id === '') return message === undefined ? undefined : { child: await childOf(session), headers: [] };
    const child = bySession.get(id);
    return child && { child, headers: [] };
  };
  return {
    open: async () => await findProgram(toLaunch(settings, settings.folder)),
    send: async (request, session) => {
      if (session === undefined)
        throw new UpstreamLost('A program is started for a question, and this request belongs to none.');
      const given = request.body === null ? undefined : (parseJson(request.body.toString('utf8')) as Json);
      const messages = (Array.isArray(given) ? given : [given])
        .map(asFields)
        .filter((each) => each !== undefined);
      const found = await find(messages[0], request, session);
      if (found === undefined) return empty(request.method === 'GET' ? 405 : 404);
      const { child, headers } = found;
      if (request.method === 'GET') return child.openGeneral(request.signal);
      if (request.method === 'DELETE') {
        await child.stop();
        return empty(200);
      }
      const reply = await post(child, messages, request);
      return { ...reply, headers: [...reply.headers, ...headers] };
    },
    close: async () => {
      await Promise.all([...live].map(async (child) => await child.stop()));
    },
  };
}

/** Sends the messages of a request to a program, and returns the reply: to several requests, a stream of all responses. */
async function post(
  child: StdioChild,
  messages: readonly RpcMessage[],
  { body, signal }: McpRequest,
): Promise<CarriedReply> {
  const text = body?.toString('utf8') ?? '';
  // A line of the protocol has no line ending inside; in JSON only space between values can have one.
  const whole = text.replaceAll(/[\r\n]+/g, ' ');
  const lineOf = (message: RpcMessage) => (messages.length === 1 ? whole : JSON.stringify(message));
  for (const message of messages) if (!isRequest(message)) child.send(message, lineOf(message));
  const requests = messages.filter(isRequest);
  const replies = requests.map(async (message) => await child.request(message, lineOf(message), signal));
  const [only] = replies;
  if (only === undefined) return empty(202);
  if (replies.length === 1) return await only;
  const headers: readonly Header[] = [['content-type', 'text/event-stream']];
  return {
    status: 200,
    headers,
    body: Readable.from(joined(await Promise.all(replies)), { objectMode: false }),
  };
}

async function* joined(replies: readonly CarriedReply[]): AsyncGenerator<Buffer> {
  for (const { headers, body } of replies) {
    const isStream = headerOf(headers, 'content-type') === 'text/event-stream';
    if (!isStream) yield Buffer.from('data: ');
    yield* body as AsyncIterable<Buffer>;
    if (!isStream) yield Buffer.from('\n\n');
  }
}

function empty(status: number): CarriedReply {
  return { status, headers: [], body: Readable.from([]) };
}

/** Stands in `env` for a folder of the attempt. */
export const folderPlaceholder = '{{trial.folder}}';

/** Returns an environment with the folder of an attempt in place of its placeholder. */
export function fillFolder(env: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  const filled = Object.entries(env).map(([name, value]) => [
    name,
    value.replaceAll(folderPlaceholder, folder),
  ]);
  return Object.fromEntries(filled) as Record<string, string>;
}

function toLaunch({ server, secrets, environment, folder }: StdioSettings, trialFolder: string): Launch {
  const { command = '', env, envFrom } = server;
  const [program = '', ...args] = typeof command === 'string' ? splitCommand(command) : command;
  return {
    program,
    arguments: args,
    folder,
    environment: {
      ...Object.fromEntries(inherited.map((name) => [name, environment[name]])),
      ...fillFolder(env, trialFolder),
      ...Object.fromEntries(envFrom.map((name) => [name, secrets.get(name)])),
    },
    redact: createSecretRedactor(secrets).text,
  };
}
