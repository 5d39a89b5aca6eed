import { hashText } from '../../lib/content-hash.ts';
import type { Json } from '../../schema/json.ts';
import type { Message } from '../../schema/message.ts';
import type { TargetSession } from '../target.ts';

/** What a target's function is told beside the question. Its parts are copies, but for the session's memory: changing them changes no case. */
export interface ModuleRequest {
  readonly key: string;
  readonly caseId: string;
  /** The whole conversation so far, the question last. */
  readonly messages: Message[];
  /** The conversation that the question is a turn of; `memory` is the function's own until it ends, and empty at first. */
  readonly session: TargetSession;
  readonly metadata: Record<string, Json>;
  /** Counts from 1. */
  readonly attempt: number;
  readonly seed: number;
  /** Aborted when the time limit is over. */
  readonly signal: AbortSignal;
  /** The target's `with` setting. */
  readonly options: Record<string, Json>;
  /**
   * Uses a tool, and keeps the call with its result or its error: `const rows = await request.useTool('query_database',
   * { sql }, () => query(sql))`. What was kept becomes the tool calls of the trial, unless the function reports some itself.
   * Gives what the tool gives and throws what it throws. Where the run puts faults into tools, they come in here: as an
   * `Error` in place of the tool, or as a result that is empty, cut, broken or old.
   */
  readonly useTool: <Result>(
    name: string,
    given: object,
    run: () => Result | Promise<Result>,
  ) => Promise<Result>;
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
