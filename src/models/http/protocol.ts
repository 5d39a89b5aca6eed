import type { z } from 'zod';
import { shorten } from '../../lib/text/terminal-text.ts';
import type { Json } from '../../schema/json.ts';
import type { Usage } from '../../schema/trial.ts';
import type { ChatMessage, ChatReply, ChatRequest } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Token counts with those that only a price list asks for. Counts are totals: cached ones are part of the input. */
export interface BilledUsage extends Usage {
  readonly cacheWriteTokens?: number | undefined;
  readonly longCacheWriteTokens?: number | undefined;
}

/** A request as a provider wants it. */
export interface WireRequest {
  /** What follows the base URL. */
  readonly path: string;
  readonly body: JsonObject;
}

/** What a provider's reply says, in our shape. */
export interface ReplyParts extends Pick<ChatReply, 'text' | 'toolCalls' | 'finishReason'> {
  readonly reasoning?: string | undefined;
  readonly usage?: BilledUsage | undefined;
  /** In US dollars, when the provider states it. */
  readonly cost?: number | undefined;
  readonly model?: string | undefined;
  readonly continuation?: ChatMessage['continuation'];
}

/** Puts a streamed reply together into what the same provider would have sent in one piece. */
export interface StreamAssembler {
  /** Takes in one event; whether something that the model wrote was in it. Throws `ModelFailure` for a reported error. */
  add(event: ServerEvent): boolean;
  /**
   * Whether an event has said that nothing more will come: some servers keep the connection open after that. Missing where
   * none says so but `[DONE]`.
   */
  isOver?(): boolean;
  /** The whole reply; undefined when the stream stopped before its end. */
  finish(): Json | undefined;
}

/** How one kind of API is spoken. */
export interface Protocol {
  write(request: ChatRequest): WireRequest;
  /** Throws `ModelFailure` with the code `invalid-reply`, or that of an error which came with a success status. */
  read(reply: JsonObject): ReplyParts;
  assembleStream(): StreamAssembler;
}

/** One event of a server-sent event stream. */
export interface ServerEvent {
  /** `message` unless the server named it. */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events, however the bytes are cut up (WHATWG HTML §9.2). The last event counts even when the server
 * forgot the blank line after it. Throws `TypeError` for bytes that are not UTF-8.
 */
export async function* readEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = '';
  let data: string[] = [];
  const take = (): ServerEvent[] => {
    const taken = data.length === 0 ? [] : [{ event: event || 'message', data: data.join('\n') }];
    event = '';
    data = [];
    return taken;
  };
  for await (const line of readLines(chunks)) {
    if (line === '') yield* take();
    else if (!line.startsWith(':')) {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      else if (field === 'event') event = value;
    }
  }
  yield* take();
}

/** Lines that end in LF, CRLF or CR; the decoder takes a byte order mark away. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** The pieces of the line that has begun: only what is new is searched for its end. */
  let begun: string[] = [];
  let hasReturn = false;
  for await (const chunk of chunks) {
    const text: string = `${hasReturn ? '\r' : ''}${decoder.decode(chunk, { stream: true })}`;
    // A CR at the very end may be the first half of a CRLF.
    hasReturn = text.endsWith('\r');
    const [piece = '', ...lines] = splitLines(hasReturn ? text.slice(0, -1) : text);
    begun.push(piece);
    const next = lines.pop();
    if (next === undefined) continue;
    yield begun.join('');
    begun = [next];
    yield* lines;
  }
  yield* splitLines(`${begun.join('')}${hasReturn ? '\r' : ''}${decoder.decode()}`);
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Checks that a reply has the shape of its API. Throws `ModelFailure` with the code `invalid-reply`. */
export function readWire<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'the reply';
  const message = `The reply is not what this API sends (${where}: ${issue?.message ?? 'unknown'}): ${shorten(JSON.stringify(value), 300)}`;
  throw new ModelFailure('invalid-reply', message, { retryable: true });
}

/** An event's data as JSON. Throws `ModelFailure` with the code `invalid-reply`. */
export function parseEventData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    const message = `The stream holds something that is not JSON: ${shorten(data, 300)}`;
    throw new ModelFailure('invalid-reply', message, { retryable: true });
  }
}
