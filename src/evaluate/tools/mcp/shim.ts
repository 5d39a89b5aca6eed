import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Json } from '../../../core/schema/json.ts';
import { type StartedProcess, startProgram } from '../../../core/lib/programs/start.ts';
import { findProgram } from '../../../core/lib/programs/find-program.ts';
import { createLineSplitter } from '../../targets/command/wire.ts';
import { writeInTime } from '../carry/bodies.ts';
import type { ToolSession } from '../door.ts';
import {
  type CallRequest,
  asFields,
  faultOf,
  idKey,
  readCall,
  type RpcMessage,
  parseMessage,
} from './mcp-message.ts';
import { createCalls, type AnswerCall, type CallWire, type Hold } from './mcp-calls.ts';
import { openRemoteSession } from './remote-session.ts';
import { replayKeyOf, replayMessage } from './replayed-traffic.ts';
import { createToolFacts, type ToolFacts } from './tool-facts.ts';

/** A server that a bot starts itself, and the streams of the bot. */
export interface ShimSettings {
  readonly name: string;
  readonly command: readonly string[];
  /** The address of the door for functions of the run; undefined outside a run. */
  readonly address: string | undefined;
  readonly input: Readable;
  /** Writes to the bot. */
  readonly write: (bytes: Buffer) => Promise<void>;
}

/** The time that a server has to end once its input is closed, and again after SIGTERM, in milliseconds. */
const endStepMs = 1000;

/**
 * Stands between a bot and the server that it starts: passes every byte on and asks the run about the use of tools alone.
 * Outside a run it is a plain pipe. Ends with the bot or with the server, whose exit code it returns.
 */
export async function runShim(settings: ShimSettings): Promise<number> {
  const { name, address, input, write } = settings;
  const stop = new AbortController();
  const session = address === undefined ? undefined : await openRemoteSession(address, name, stop.signal);
  const isReplay = session?.isOffline === true;
  if (!isReplay) await checkProgram(settings);
  const server = isReplay ? undefined : startServer(settings, session !== undefined);
  const ended = server && once(server, 'exit');
  if (session === undefined) input.pipe(server?.stdin as Writable);
  else {
    const facts = createToolFacts(name);
    const relay = new Relay({ name, server, session, facts, write, answer: createCalls(name, facts) });
    input.on('data', createLineSplitter({ onLine: (line) => void relay.fromBot(line), onLongLine: tooLong }));
    server?.stdout?.on(
      'data',
      createLineSplitter({ onLine: (line) => void relay.fromServer(line), onLongLine: tooLong }),
    );
  }
  const left = once(input, 'end').then(async () => {
    if (server !== undefined) await endServer(server, ended as Promise<unknown>);
    return [0];
  });
  const [code] = (await Promise.race([left, ...(ended === undefined ? [] : [ended])])) as [number | null];
  stop.abort(new Error('The server has ended.'));
  await session?.noted();
  input.pause();
  return code ?? 1;
}

/** Throws `target-unreachable` for a program that is not there. */
async function checkProgram({ command: [program = '', ...args] }: ShimSettings): Promise<void> {
  const redact = (text: string) => text;
  await findProgram({ program, arguments: args, folder: process.cwd(), environment: process.env, redact });
}

/** Starts the server as the bot would: in its folder, with its environment, and in its group of processes. */
function startServer({ command }: ShimSettings, isWatched: boolean): StartedProcess {
  const [program = '', ...args] = command;
  // An input of its own, so that the server sees its end even when this process is killed.
  const server = startProgram(program, args, {
    stdio: ['pipe', isWatched ? 'pipe' : 'inherit', 'inherit'],
  });
  server.stdin?.on('error', () => {}); // The end of the server is seen anyway.
  server.once('error', (error) => {
    process.stderr.write(`touchstone mcp-proxy: ${program} cannot be started: ${error.message}\n`);
    server.emit('exit', 127);
  });
  const pass = (signal: NodeJS.Signals) => void server.kill(signal);
  process.on('SIGTERM', pass).on('SIGINT', pass);
  return server;
}

/** Closes the input of a server; one that does not end of that gets SIGTERM, then SIGKILL. */
async function endServer(server: StartedProcess, ended: Promise<unknown>): Promise<void> {
  server.stdin?.end();
  const timers = (['SIGTERM', 'SIGKILL'] as const).map((signal, index) =>
    setTimeout(() => server.kill(signal), endStepMs * (index + 1)),
  );
  await ended;
  for (const timer of timers) clearTimeout(timer);
}

function tooLong(): never {
  throw new Error('A message of the protocol is too long.');
}

interface RelayParts {
  readonly name: string;
  /** The real server; undefined in a replay. */
  readonly server: StartedProcess | undefined;
  readonly session: ToolSession;
  readonly facts: ToolFacts;
  readonly answer: AnswerCall;
  readonly write: (bytes: Buffer) => Promise<void>;
}

/** Passes lines between a bot and a server, and holds the responses to calls until they are decided. */
class Relay {
  readonly #parts: RelayParts;
  readonly #held = new Map<string, { readonly hold: Hold; readonly done: (isLate: boolean) => void }>();

  constructor(parts: RelayParts) {
    this.#parts = parts;
    parts.server?.once('exit', () => {
      for (const { done } of this.#held.values()) done(false);
    });
  }

  async fromBot(line: Buffer): Promise<void> {
    const given = parseMessage(line);
    // The batches of 2025-03-26: each message by itself.
    for (const each of Array.isArray(given) ? given : [given]) {
      const bytes = Array.isArray(given) ? Buffer.from(JSON.stringify(each)) : line;
      await this.#take(asFields(each), bytes);
    }
  }

  async #take(message: RpcMessage | undefined, bytes: Buffer): Promise<void> {
    const { name, server, session, answer } = this.#parts;
    const fault = bytes.length === 0 ? undefined : faultOf(message);
    if (fault !== undefined) return await this.#tell(fault);
    const call = message && readCall(message);
    if (call !== undefined) return void answer(call, session, this.#wireOf(call, bytes));
    if (server === undefined) {
      const replayed = message && (await replayMessage(name, message, session));
      if (replayed !== undefined) await this.#tell(replayed);
      return;
    }
    if (message !== undefined) this.#watch(message);
    await this.#send(bytes);
  }

  async fromServer(line: Buffer): Promise<void> {
    const message = this.#held.size === 0 ? undefined : asFields(parseMessage(line));
    const key = message?.['method'] === undefined ? idKey(message?.['id']) : '';
    const waiting = this.#held.get(key);
    if (waiting === undefined || message === undefined) return await this.#parts.write(withEnd(line));
    this.#held.delete(key);
    const { message: other, isDropped } = await waiting.hold(message);
    if (isDropped !== true)
      await this.#parts.write(other === undefined ? withEnd(line) : withEnd(JSON.stringify(other)));
    waiting.done(false);
  }

  #wireOf({ id }: CallRequest, bytes: Buffer): CallWire {
    return {
      forward: async (hold) => {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        this.#held.set(idKey(id), { hold, done: resolve });
        await this.#send(bytes);
        return await promise;
      },
      answer: async (message) => await this.#tell(message),
    };
  }

  /** Notes the reply to a request that a replay needs. */
  #watch(message: RpcMessage): void {
    const { name, session, facts } = this.#parts;
    const request = replayKeyOf(message);
    if (request === undefined) return;
    const started = performance.now();
    const method = String(message['method']);
    const hold: Hold = async (response) => {
      const reply = response['result'];
      if (reply === undefined) return {};
      if (method === 'tools/list') facts.learn(reply);
      session.noteTraffic({ server: name, method, ms: performance.now() - started, request, reply });
      return {};
    };
    this.#held.set(idKey(message['id']), { hold, done: () => {} });
  }

  async #send(bytes: Buffer): Promise<void> {
    await writeInTime(this.#parts.server?.stdin as Writable, withEnd(bytes));
  }

  async #tell(message: Json): Promise<void> {
    await this.#parts.write(withEnd(JSON.stringify(message)));
  }
}

function withEnd(line: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(line as string), Buffer.from('\n')]);
}
