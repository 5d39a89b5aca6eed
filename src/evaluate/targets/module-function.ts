import { AsyncLocalStorage } from 'node:async_hooks';
import path from 'node:path';
import { formatPlace, messageOf, TouchstoneError } from '../../core/errors.ts';
import { hashText } from '../../core/lib/content-hash.ts';
import { describeValue } from '../../core/lib/text/describe-value.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { importUserFile } from '../../core/lib/user-files.ts';
import { findImportFault } from '../../core/lib/find-import-fault.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Message } from '../../core/schema/message.ts';
import { checkFile } from './read-text-file.ts';
import { TargetFailure, type TargetSession } from './target.ts';

/**
 * The request that a target's function receives beside the question. Its parts are copies except the session's memory:
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
  /** Counts from 1. */
  readonly attempt: number;
  readonly seed: number;
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

/**
 * Returns the same function, which in JSON is a text with its name and a hash of its source instead of nothing. A
 * stored run therefore says what it called, and another function has another fingerprint.
 */
export function withJsonForm(answer: ModuleFunction): ModuleFunction {
  if ('toJSON' in answer) return answer;
  const name = answer.name || 'without a name';
  const source = sourceOf(answer);
  const text = `[function ${name}, source ${hashText(source).slice(0, 12)}]`;
  const same: ModuleFunction = (input, request) => answer(input, request);
  sources.set(same, source);
  return Object.assign(same, { toJSON: () => text });
}

const sources = new WeakMap<ModuleFunction, string>();

/** Returns the source text of a target's function. */
export function sourceOf(answer: ModuleFunction): string {
  return sources.get(answer) ?? Function.prototype.toString.call(answer);
}

/** The location of a target's function. */
interface FunctionPlace {
  readonly folder: string;
  /** Relative to the folder. */
  readonly path: string;
  readonly export: string;
}

/** Imports a file and returns one of its exports, a function. Throws `target-invalid` stating precisely what is missing. */
export async function importFunction(place: FunctionPlace): Promise<ModuleFunction> {
  const file = path.resolve(place.folder, place.path);
  await checkFile({ file, shown: place.path, setting: 'path' });
  const found = await importFile(file, place.path);
  const value = found[place.export];
  if (typeof value === 'function') return value as ModuleFunction;
  if (value === undefined) throw noSuchExport(place, Object.keys(found));
  throw new TouchstoneError(
    'target-invalid',
    `The export \`${place.export}\` of ${place.path} is ${describeValue(value)}, not a function.`,
    { remedy: 'Export a function `(input, request) => answer`.' },
  );
}

/** Imports a file. Throws `target-invalid` with the reason and, where known, the line. */
export async function importFile(file: string, shown: string): Promise<Record<string, unknown>> {
  try {
    return await importUserFile(file);
  } catch (error) {
    const reason = await describeImportError(error, file);
    const [, missing] = /Cannot find package '([\w@./-]+)'/.exec(reason) ?? [];
    throw new TouchstoneError('target-invalid', `${shown} cannot be imported: ${reason}`, {
      remedy:
        missing === undefined
          ? 'Fix the file; nothing was called.'
          : `Install it (\`npm install ${missing}\`), or correct its name in the file; nothing was called.`,
      cause: error,
    });
  }
}

function noSuchExport(place: FunctionPlace, names: readonly string[]): TouchstoneError {
  const wanted = place.export === 'default' ? 'no default export' : `no export \`${place.export}\``;
  const found = names.length === 0 ? 'It exports nothing.' : `It exports ${names.join(', ')}.`;
  return new TouchstoneError('target-invalid', `${place.path} has ${wanted}. ${found}`, {
    remedy: 'Name one of its exports with `export`, or add `export default`.',
  });
}

/** Describes why a file could not be imported, with file, line and column where they are known. */
async function describeImportError(error: unknown, file: string): Promise<string> {
  const place = await findImportFault(error, file);
  if (place === undefined) return messageOf(error);
  return `${messageOf(error)} (${formatPlace({ ...place, file: displayPath(place.file) })})`;
}

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
