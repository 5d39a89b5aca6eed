import type { Json } from '../../schema/json.ts';
import type { Usage } from '../../schema/trial.ts';

/** Which API a request came in by. */
export type ServerProtocol = 'openai-chat' | 'anthropic' | 'gemini' | 'openai-embeddings';

/** A request as the server got it. */
export interface ReceivedRequest {
  /** Counts from 0. */
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

/** A tool that the scripted model asks for. Arguments given as a text are sent as they are, readable or not. */
export interface ScriptedToolCall {
  readonly name: string;
  readonly arguments?: Json;
  readonly id?: string;
}

/** How slowly a reply comes. */
export interface Pace {
  /** Milliseconds before the first byte. */
  readonly delayMs?: number;
  /** Milliseconds between the pieces of a streamed reply. */
  readonly pieceDelayMs?: number;
}

/** What the model says. */
export interface ScriptedAnswer extends Pace {
  readonly text?: string;
  /** In place of a text, what a judge answers: `{ reason, score }`. It is written in the form that the request asks for. */
  readonly judgement?: object;
  readonly reasoning?: string;
  /**
   * How OpenAI-compatible servers hand over reasoning: in a field of that name, or as `<think>` text before the answer.
   */
  readonly reasoningField?: 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'think';
  readonly toolCalls?: readonly ScriptedToolCall[];
  readonly finishReason?: 'stop' | 'length' | 'tool-calls' | 'content-filter';
  /** As our own records count it; estimated from the texts when left out, and not reported when null. */
  readonly usage?: Usage | null;
  /** The model that the reply says it is from; the one that was asked for when left out. */
  readonly model?: string;
  /** Added to the headers of the reply. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Something other than a model's reply. */
export interface ScriptedFault extends Pace {
  /**
   * `error`: an error status. `drop`: the connection is closed before a reply. `cut`: it is closed in the middle of one.
   * `hang`: no reply, ever. `raw`: whatever `body` is.
   */
  readonly fault: 'error' | 'drop' | 'cut' | 'hang' | 'raw';
  /** 500 for `error`, 200 for `raw`, when left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it is; for `error`, what the provider would write when left out. */
  readonly body?: string;
}

/** The vectors for an embeddings request; made of the words of the texts when left out. */
export interface ScriptedVectors extends Pace {
  readonly vectors: readonly (readonly number[])[];
}

/** What the server says to one request: a text, an answer with its parts, a fault, or vectors. */
export type ScriptedReply = string | ScriptedAnswer | ScriptedFault | ScriptedVectors;

/** One reply for all requests, one after another (the last one stays), or a function of the request. */
export type ModelScript =
  | ScriptedReply
  | readonly ScriptedReply[]
  | ((request: ReceivedRequest) => ScriptedReply | Promise<ScriptedReply>);

/** What the script says to a request. */
export async function findReply(script: ModelScript, request: ReceivedRequest): Promise<ScriptedReply> {
  if (typeof script === 'function') return await script(request);
  if (typeof script === 'string' || !('length' in script)) return script;
  return script[Math.min(request.index, script.length - 1)] ?? '';
}
