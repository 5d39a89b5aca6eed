import type { z } from 'zod';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { ChatMessage, ChatReply, ChatRequest } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import type { BilledUsage } from '../pricing/price-list.ts';

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** A request in a provider's form. */
export interface WireRequest {
  /** The path after the base URL. */
  readonly path: string;
  readonly body: JsonObject;
}

/** The content of a provider's reply, in Touchstone's form. */
export interface ReplyParts
  extends Pick<ChatReply, 'text' | 'toolCalls' | 'finishReason' | 'finishWord' | 'refused'> {
  readonly reasoning?: string;
  readonly usage?: BilledUsage;
  /** US dollars, when the provider reports it. */
  readonly cost?: number;
  readonly model?: string;
  readonly continuation?: ChatMessage['continuation'];
}

/** An assembler, which turns a streamed reply into the reply that the provider would have sent whole. */
export interface StreamAssembler {
  /** Adds one event. Returns true when it contains output of the model. Throws `ModelFailure` for a reported error. */
  add(event: ServerEvent): boolean;
  /**
   * Returns true once an event has announced the end: some servers keep the connection open after it. Missing when only
   * `[DONE]` announces it.
   */
  isOver?(): boolean;
  /** Returns the whole reply; undefined when the stream stopped before its end. */
  finish(): Json | undefined;
}

/** The protocol of one kind of API. */
export interface Protocol {
  write(request: ChatRequest): WireRequest;
  /**
   * Reads a reply. Throws `ModelFailure` with the code `invalid-reply`, or with that of an error in a reply with a
   * success status.
   */
  read(reply: JsonObject): ReplyParts;
  assembleStream(): StreamAssembler;
}

/** One event of a server-sent event stream. */
export interface ServerEvent {
  /** The event's name; `message` unless the server gives one. */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events, however the bytes are split (WHATWG HTML §9.2). The last event counts even when the blank
 * line after it is missing. Throws `TypeError` for bytes that are not UTF-8.
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

/** Yields lines that end in LF, CRLF or CR; the decoder removes a byte order mark. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** The pieces of the incomplete line, so that only new text is searched for its end. */
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

/** Parses an event's data as JSON. Throws `ModelFailure` with the code `invalid-reply`. */
export function parseEventData(data: string): unknown {
  try {
    return parseJson(data);
  } catch {
    const message = `The stream contains something that is not JSON: ${shorten(data, 300)}`;
    throw new ModelFailure('invalid-reply', message, { retryable: true });
  }
}
