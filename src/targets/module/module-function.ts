import { hashText } from '../../lib/content-hash.ts';
import type { Json } from '../../schema/json.ts';
import type { Message } from '../../schema/message.ts';

/** What a target's function is told beside the question. Its parts are copies: changing them changes no case. */
export interface ModuleRequest {
  readonly key: string;
  readonly caseId: string;
  readonly messages: Message[];
  readonly metadata: Record<string, Json>;
  /** Counts from 1. */
  readonly attempt: number;
  readonly seed: number;
  /** Aborted when the time limit is over. */
  readonly signal: AbortSignal;
  /** The target's `with` setting. */
  readonly options: Record<string, Json>;
}

/** A target as a function of one's own: the question in, a text or an object with an `answer` out. */
export type ModuleFunction = (input: string, request: ModuleRequest) => unknown;

/**
 * The same function, but in JSON it is a text with its name and a hash of its source instead of nothing: a stored
 * run says what it called, and another function has another fingerprint.
 */
export function withJsonForm(answer: ModuleFunction): ModuleFunction {
  if ('toJSON' in answer) return answer;
  const name = answer.name || 'without a name';
  const text = `[function ${name}, source ${hashText(Function.prototype.toString.call(answer)).slice(0, 12)}]`;
  const same: ModuleFunction = (input, request) => answer(input, request);
  return Object.assign(same, { toJSON: () => text });
}
