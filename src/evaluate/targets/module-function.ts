import { AsyncLocalStorage } from 'node:async_hooks';
import type { Json } from '../../core/schema/json.ts';
import type { Message } from '../../core/schema/message.ts';
import type { GivenAttachment } from './attachment-copies.ts';
import { TargetFailure, type TargetSession } from './target.ts';

/**
 * The request that a target's function receives besides the question. Its parts are copies except the session's memory:
 * changing them changes no case.
 */
export interface ModuleRequest {
  readonly key: string;
  readonly caseId: string;
  /** The whole conversation so far, the question last. */
  readonly messages: Message[];
  /**
   * The conversation that the question is a turn of. `memory` belongs to the function until the conversation ends, and
   * is empty at first.
   */
  readonly session: TargetSession;
  readonly metadata: Record<string, Json>;
  /** The pictures, PDFs and sounds of the question: `{ path, name, mediaType, hash, dataUrl() }`. */
  readonly attachments: readonly GivenAttachment[];
  /** Counts from 1. */
  readonly attempt: number;
  readonly seed: number;
  /** The addresses of its tools by server, where the config has `tools`; empty otherwise. */
  readonly tools: Readonly<Record<string, string>>;
  /** Aborted when the time limit is over. */
  readonly signal: AbortSignal;
  /** The value of the target's `with` setting. */
  readonly options: Record<string, Json>;
  /**
   * Runs a tool and records the call with its result or error: `const rows = await request.useTool('query_database', {
   * sql }, () => query(sql))`. Recorded calls become the tool calls of the trial, unless the function reports some
   * itself. Returns what the tool returns and throws what it throws. When the run injects faults into tools, they
   * appear here: as an `Error` in place of the tool, or as a result that is empty, cut, broken or old.
   */
  readonly useTool: <Result>(name: string, args: object, run: ToolWork<Result>) => Promise<Result>;
}

/** A tool of the user's program, which may answer at once or later. */
export type ToolWork<Result> = () => Result | Promise<Result>;

/** A function as a target: takes the question, and returns a text or an object with an `answer`. */
export type ModuleFunction = (input: string, request: ModuleRequest) => unknown;

const targetCode = new AsyncLocalStorage<true>();
let guards = 0;
let exit = process.exit;

/** Runs code of a target, and everything it starts, so that it cannot end the program while a guard is active. */
export function runTargetCode<Result>(work: () => Result): Result {
  return targetCode.run(true, work);
}

/**
 * Makes `process.exit` throw `target-exited` in the code of a target. Otherwise it would end the whole run, with an
 * exit code that may report success. Returns a function that removes this guard.
 */
export function refuseExit(): () => void {
  if (guards === 0) {
    exit = process.exit;
    process.exit = exitUnlessTarget;
  }
  guards += 1;
  return () => {
    guards -= 1;
    if (guards === 0) process.exit = exit;
  };
}

function exitUnlessTarget(code?: Parameters<typeof process.exit>[0]): never {
  if (targetCode.getStore() === undefined) return exit.call(process, code);
  const failure = new TargetFailure('target-exited', `The target called process.exit(${code ?? ''}).`);
  Error.captureStackTrace(failure, exitUnlessTarget); // The stack then begins with the line of the call.
  throw failure;
}
