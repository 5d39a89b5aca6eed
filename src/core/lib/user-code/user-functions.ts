import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type ErrorCode, formatPlace, messageOf, TouchstoneError } from '../../errors.ts';
import { hashText } from '../content-hash.ts';
import { findImportFault } from './find-import-fault.ts';
import { describeValue } from '../text/describe-value.ts';
import { displayPath } from '../text/display-path.ts';
import { didYouMean } from '../text/nearest-name.ts';
import { importUserFile } from './user-files.ts';

/** A function of a user, whose types only its author knows. */
type UserFunction = (...args: never[]) => unknown;

/** Returns the options that name a function of the user: a file with one of its exports, or, in a program, the function itself. */
export function userFunctionOptions<Own extends UserFunction>() {
  const given: z.ZodType<Own, Own> = z
    .any()
    .refine((value) => typeof value === 'function', {
      error: ({ input }) =>
        typeof input === 'string'
          ? 'a function that was given in a program cannot be rebuilt from stored text; use `path`'
          : `must be a function, not ${describeValue(input)}`,
    })
    .overwrite((value) => (typeof value === 'function' ? withJsonForm(value) : value));
  return {
    path: z
      .string()
      .min(1)
      .optional()
      .describe('A .ts, .js or .mjs file, relative to the folder of the config file.'),
    export: z.string().min(1).default('default').describe('The name of the export that is the function.'),
    function: given.optional().meta({
      description: 'In place of `path`, when Touchstone is used as a library: the function itself.',
      programOnly: true,
    }),
  };
}

const sources = new WeakMap<UserFunction, string>();

/**
 * Returns the same function, which in JSON is a text with its name and a hash of its source instead of nothing. A stored run
 * therefore says what it called, and another function has another fingerprint.
 */
export function withJsonForm<Own extends UserFunction>(own: Own): Own {
  if ('toJSON' in own) return own;
  const source = Function.prototype.toString.call(own);
  const text = `[function ${own.name || 'without a name'}, source ${hashText(source).slice(0, 12)}]`;
  const same = (...args: never[]) => own(...args);
  sources.set(same, source);
  return Object.assign(same as Own, { toJSON: () => text });
}

/** Returns the source text of a function of the user. */
export function sourceOf(own: UserFunction): string {
  return sources.get(own) ?? Function.prototype.toString.call(own);
}

/** A file that a setting names. */
export interface NamedFile {
  /** The absolute path. */
  readonly file: string;
  /** The path as written in the setting. */
  readonly shown: string;
}

/** Throws an error of the given code, with the nearest existing name, when a file is not there. */
export function checkFile({ file, shown }: NamedFile, setting: string, code: ErrorCode): void {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status?.isFile()) return;
  if (status !== undefined)
    throw new TouchstoneError(code, `${shown} is a folder; \`${setting}\` must name a file.`);
  const hint = didYouMean(path.basename(file), namesIn(path.dirname(file)));
  throw new TouchstoneError(code, `There is no file ${shown}.${hint}`, {
    remedy: `Correct \`${setting}\`; it is relative to the folder of the config file.`,
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Imports a file. Throws an error of the given code with the reason and, where known, the line. */
export async function importFile(
  { file, shown }: NamedFile,
  code: ErrorCode,
): Promise<Record<string, unknown>> {
  try {
    return await importUserFile(file);
  } catch (error) {
    const place = await findImportFault(error, file);
    const where = place === undefined ? '' : ` (${formatPlace({ ...place, file: displayPath(place.file) })})`;
    const reason = `${messageOf(error)}${where}`;
    const [, missing] = /Cannot find package '([\w@./-]+)'/.exec(reason) ?? [];
    throw new TouchstoneError(code, `${shown} cannot be imported: ${reason}`, {
      remedy:
        missing === undefined
          ? 'Fix the file; nothing was called.'
          : `Install it (\`npm install ${missing}\`), or correct its name in the file; nothing was called.`,
      cause: error,
    });
  }
}

/** The export of a file that is a function of the user. */
export interface FunctionPlace extends NamedFile {
  readonly export: string;
  /** The form of such a function, for messages: `(input, request) => answer`. */
  readonly form: string;
}

/** Imports a file and returns one of its exports, a function. Throws an error of the given code that says what is missing. */
export async function importFunction<Own extends UserFunction>(
  place: FunctionPlace,
  code: ErrorCode,
): Promise<Own> {
  const found = await importFile(place, code);
  const value = found[place.export];
  if (typeof value === 'function') return value as Own;
  if (value === undefined) {
    const wanted = place.export === 'default' ? 'no default export' : `no export \`${place.export}\``;
    const names = Object.keys(found);
    const exported = names.length === 0 ? 'It exports nothing.' : `It exports ${names.join(', ')}.`;
    throw new TouchstoneError(code, `${place.shown} has ${wanted}. ${exported}`, {
      remedy: `Name one of its exports with \`export\`, or export a function \`${place.form}\`.`,
    });
  }
  throw new TouchstoneError(
    code,
    `The export \`${place.export}\` of ${place.shown} is ${describeValue(value)}, not a function.`,
    { remedy: `Export a function \`${place.form}\`.` },
  );
}
