import type { Json } from '../../schema/json.ts';
import type { Usage } from '../../schema/trial.ts';
import type { ChatMessage, ChatReply, ChatRequest } from '../model.ts';
import type { ServerEvent } from './read-event-stream.ts';

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
