import type { z } from 'zod';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { ChatMessage, ChatReply, ChatRequest } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import type { AskingForm } from './asking-form.ts';
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
  /**
   * Adds the content of one event. Returns true when it contains output of the model. Throws `ModelFailure` for a
   * reported error.
   * @param name - The name that the server gave the event; `message` without one.
   */
  add(value: unknown, name: string): boolean;
  /**
   * Returns true once an event has announced the end: some servers keep the connection open after it. Missing when only
   * `[DONE]` announces it.
   */
  isOver?(): boolean;
  /** Returns the whole reply; undefined when the stream stopped before its end. */
  finish(): Json | undefined;
  /** Returns what has arrived, in the form of the whole reply. */
  soFar(): Json;
}

/** The protocol of one kind of API. */
export interface Protocol {
  /** Writes a request, in the form that the server takes where there are several. */
  write(request: ChatRequest, form?: AskingForm): WireRequest;
  /**
   * Reads a reply. Throws `ModelFailure` with the code `invalid-reply`, or with the code of an error in a reply with a
   * success status.
   */
  read(reply: JsonObject): ReplyParts;
  assembleStream(): StreamAssembler;
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
