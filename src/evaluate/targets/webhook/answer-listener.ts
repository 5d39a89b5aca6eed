import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenForBots, readHead } from '../../../core/lib/network/listen.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { abortedFailure, TargetFailure } from '../target.ts';

/** The most bytes of one message of a bot. */
const mostBytes = 10_000_000;

/** The place where a bot posts its messages, and how they are read. */
export interface ListenerOptions {
  readonly port: number;
  readonly path: string;
  readonly acknowledge: Json;
  /** The milliseconds without another message after which the messages so far are the answer. */
  readonly quietMs: number;
  /** Returns the session that a message belongs to, and its text. */
  read(message: unknown): { readonly id: unknown; readonly text: unknown };
}

/** The messages of a bot that are one answer. */
interface ReceivedAnswer {
  /** Their texts, a line each. */
  readonly text: string;
  /** The milliseconds from the question to the last of them; the quiet time after it is not the bot's. */
  readonly totalMs: number;
}

/** An answer that is awaited. */
export interface AwaitedAnswer {
  /** The answer of the bot. Rejects with a `TargetFailure` when the call is stopped. */
  readonly answer: Promise<ReceivedAnswer>;
  /** Ends the waiting; messages that come later belong to no question. */
  end(): void;
}

/** Receives the messages of a bot. */
export interface AnswerListener {
  /**
   * Awaits the messages of a session, in which one question is open at a time: resolves once the one before has ended, and before
   * the question is sent. Rejects with a `TargetFailure` when the call is stopped.
   */
  expect(session: string, signal: AbortSignal): Promise<AwaitedAnswer>;
  close(): Promise<void>;
}

/** Listens on the loopback address. Throws `target-unreachable` when the port is taken. */
export async function openAnswerListener(options: ListenerOptions): Promise<AnswerListener> {
  const { port, path } = options;
  const open: OpenSessions = new Map();
  const place = {
    host: '127.0.0.1',
    port,
    lost: `The bot cannot post its answers to ${path}`,
    remedy: 'Choose another `listen.port`, and let the bot post there.',
  };
  const { close } = await listenForBots(place, (request, response) => {
    receive(request, response, { options, open }).catch(() => {
      response.writeHead(400).end();
    });
  });
  return {
    expect: async (session, signal) => {
      while (open.has(session)) {
        if (signal.aborted) throw abortedFailure(signal);
        await open.get(session)?.ended;
      }
      return awaitAnswer(session, signal, { open, quietMs: options.quietMs });
    },
    close,
  };
}

/** A question that waits for messages. */
interface OpenQuestion {
  readonly take: (text: string) => void;
  /** Resolves when the question does not wait any more. */
  readonly ended: Promise<void>;
}

type OpenSessions = Map<string, OpenQuestion>;

function awaitAnswer(
  session: string,
  signal: AbortSignal,
  { open, quietMs }: { readonly open: OpenSessions; readonly quietMs: number },
): AwaitedAnswer {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedAnswer>();
  // A question that could not be sent is reported as that.
  promise.catch(() => {});
  const texts: string[] = [];
  const start = performance.now();
  let quiet: NodeJS.Timeout | undefined;
  const end = Promise.withResolvers<void>();
  const take = (text: string) => {
    texts.push(text);
    clearTimeout(quiet);
    const totalMs = performance.now() - start;
    quiet = setTimeout(() => resolve({ text: texts.join('\n'), totalMs }), quietMs);
  };
  open.set(session, { take, ended: end.promise });
  const onAbort = () => reject(abortedFailure(signal));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  return {
    answer: promise,
    end: () => {
      clearTimeout(quiet);
      signal.removeEventListener('abort', onAbort);
      open.delete(session);
      end.resolve();
      reject(new TargetFailure('cancelled', 'the question is not awaited any more'));
    },
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { options, open }: { readonly options: ListenerOptions; readonly open: OpenSessions },
): Promise<void> {
  const { path, acknowledge, read } = options;
  if (request.method !== 'POST' || request.url?.split('?')[0] !== path) {
    response.writeHead(404).end();
    return;
  }
  const { bytes, isWhole } = await readHead(request, mostBytes);
  if (!isWhole) throw new Error('a message that is too large');
  const { id, text: said } = read(parse(bytes.toString('utf8'), request.headers['content-type'] ?? ''));
  const question = typeof id === 'string' || typeof id === 'number' ? open.get(String(id)) : undefined;
  // A message that comes too late, or that belongs to no question, is none of this run.
  if (typeof said === 'string') question?.take(said);
  response.writeHead(question === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(acknowledge));
}

/** Parses a message: JSON, or a form, as older clients of Slack send it. */
function parse(text: string, type: string): unknown {
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  return parseJson(text);
}
