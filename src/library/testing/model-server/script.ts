import type { Json } from '../../../core/schema/json.ts';
import type { Usage } from '../../../core/schema/usage.ts';

/** The API that a request used. */
export type ServerProtocol =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'gemini'
  | 'openai-embeddings';

/** A request as the server received it. */
export interface ReceivedRequest {
  /** The number of the request, from 0. */
  readonly index: number;
  readonly protocol: ServerProtocol;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, Json>>;
  readonly model: string;
  /** The system prompt; empty when there is none. */
  readonly system: string;
  /** The text of the last message, a tool's result included. */
  readonly prompt: string;
  readonly isStreamed: boolean;
}

/**
 * A tool call that the scripted model makes. Arguments given as a text are sent unchanged, even when they are not JSON.
 */
export interface ScriptedToolCall {
  readonly name: string;
  readonly arguments?: Json;
  readonly id?: string;
}

/** The delays of a reply. */
export interface Pace {
  /** Milliseconds before the first byte. */
  readonly delayMs?: number;
  /** Milliseconds between the pieces of a streamed reply. */
  readonly pieceDelayMs?: number;
}

/** A scripted answer of the model. */
export interface ScriptedAnswer extends Pace {
  readonly text?: string;
  /** A judge's answer, `{ reason, score }`, in place of a text. It is written in the form that the request asks for. */
  readonly judgement?: object;
  readonly reasoning?: string;
  /**
   * The place of the reasoning in the reply of an OpenAI-compatible server: a field of that name, or `<think>` text
   * before the answer.
   */
  readonly reasoningField?: 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'think';
  readonly toolCalls?: readonly ScriptedToolCall[];
  readonly finishReason?: 'stop' | 'length' | 'tool-calls' | 'content-filter';
  /**
   * Token counts in the form of Touchstone's records. They are estimated from the texts by default, and not reported
   * when null.
   */
  readonly usage?: Usage | null;
  /** The model that the reply names; the requested model by default. */
  readonly model?: string;
  /** Headers that are added to the reply. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A fault in place of a model's reply. */
export interface ScriptedFault extends Pace {
  /**
   * `error` sends an error status. `drop` closes the connection before a reply, `cut` in the middle of one. `hang`
   * never replies. `raw` sends `body` unchanged.
   */
  readonly fault: 'error' | 'drop' | 'cut' | 'hang' | 'raw';
  /** The HTTP status: 500 for `error` and 200 for `raw` by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent unchanged. By default, `error` sends what the provider would write. */
  readonly body?: string;
}

/** The vectors for an embeddings request. By default, they are derived from the words of the texts. */
export interface ScriptedVectors extends Pace {
  readonly vectors: readonly (readonly number[])[];
}

/** The server's reply to one request: a text, an answer with its parts, a fault, or vectors. */
export type ScriptedReply = string | ScriptedAnswer | ScriptedFault | ScriptedVectors;

/**
 * The replies of the server: one for all requests, a list in the order of the requests (the last one repeats), or a
 * function of the request.
 */
export type ModelScript =
  | ScriptedReply
  | readonly ScriptedReply[]
  | ((request: ReceivedRequest) => ScriptedReply | Promise<ScriptedReply>);

/** Returns the reply that the script has for a request. */
export async function findReply(script: ModelScript, request: ReceivedRequest): Promise<ScriptedReply> {
  if (typeof script === 'function') return await script(request);
  if (typeof script === 'string' || !('length' in script)) return script;
  return script[Math.min(request.index, script.length - 1)] ?? '';
}
