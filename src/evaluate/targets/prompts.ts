import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { formatPlace, TouchstoneError } from '../../core/errors.ts';
import { nearestName } from '../../core/lib/text/nearest-name.ts';
import { isSecretName } from '../../core/lib/redact-secrets.ts';
import { valueAtPath } from '../../core/lib/objects.ts';
import { type Json, nonEmpty } from '../../core/schema/json.ts';
import { readTextFile, type SourceText } from './read-text-file.ts';
import { TargetFailure, type TargetRequest } from './target.ts';

/** The option for a prompt: a text, or the file that contains it. */
export const promptOption = z.lazy(() => z.union([nonEmpty(), z.strictObject({ path: nonEmpty() })]));
type PromptOption = z.output<typeof promptOption>;

/** The location of a prompt option. */
interface WrittenPrompt {
  readonly setting: string;
  readonly folder: string;
}

/**
 * Returns the text of a prompt option, without trailing white space. Throws `target-invalid` for a file that cannot be
 * used, and for a text that is the name of a file, since `{ path }` was meant.
 */
export async function readPrompt(
  option: PromptOption,
  { setting, folder }: WrittenPrompt,
): Promise<SourceText> {
  if (typeof option !== 'string') {
    const { text, file } = await readTextFile(option.path, setting, folder);
    return { text: text.trimEnd(), file };
  }
  if (await isFileName(option, folder)) {
    throw new TouchstoneError('target-invalid', `\`${setting}\` is the text "${option}", which is a file.`, {
      remedy: `Write \`${setting}: { path: ${option} }\` to use its content.`,
    });
  }
  return { text: option, file: `\`${setting}\`` };
}

async function isFileName(text: string, folder: string): Promise<boolean> {
  if (text.length > 300 || /[\n{}]/.test(text)) return false;
  return (await stat(path.resolve(folder, text)).catch(() => undefined))?.isFile() ?? false;
}

/** A piece of a prompt: literal text, or a variable with its place in the file. */
type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string; readonly place: string };

const marks = /\\\{\{|\{\{([^{}]*)\}\}|\{\{/g;

/**
 * Splits a prompt at its variables. `{{name}}` is a variable, `\{{` two literal braces. Throws `target-invalid` for
 * braces that are not closed, with file, line and column.
 */
function parsePrompt({ text, file }: SourceText): PromptPart[] {
  const parts: PromptPart[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [mark, name] = match;
    const before = text.slice(end, match.index);
    end = match.index + mark.length;
    if (mark.startsWith('\\')) {
      parts.push({ type: 'text', text: `${before}{{` });
      continue;
    }
    const place = placeOf(text.slice(0, match.index), file);
    if (name === undefined) {
      throw new TouchstoneError('target-invalid', `${place}: \`{{\` is not closed by \`}}\`.`, {
        remedy: 'Close it, or write `\\{{` for two braces that begin no variable.',
      });
    }
    parts.push({ type: 'text', text: before }, { type: 'variable', name: name.trim(), place });
  }
  parts.push({ type: 'text', text: text.slice(end) });
  return parts.filter((part) => part.type === 'variable' || part.text !== '');
}

function placeOf(before: string, file: string): string {
  const lines = before.split(/\r\n|\n|\r/);
  return formatPlace({ file, line: lines.length, column: (lines.at(-1) ?? '').length + 1 });
}

type Variable = Extract<PromptPart, { type: 'variable' }>;
type Environment = Readonly<Record<string, string | undefined>>;

/** The values that variables of a prompt can have, besides the parts of the question. */
export interface PromptVariables {
  /** Variables with the same value for every question. */
  readonly texts: ReadonlyMap<string, string>;
  readonly environment: Environment;
}

/** A prompt whose variables are all known. */
export interface Prompt {
  /** The names of its variables. */
  readonly names: ReadonlySet<string>;
  /** The text, and the values that are the same for every question. A different identity asks something different. */
  readonly identity: Json;
  /**
   * Returns the prompt for one question.
   * @param replacements - Texts to use in place of those that are the same for every question.
   */
  fill(request: TargetRequest, replacements?: ReadonlyMap<string, string>): string;
}

/** Variables that every prompt can use. A text from the question is inserted as it is: braces in it are not variables. */
const ofRequest: Readonly<Record<string, (request: TargetRequest) => string>> = {
  question: ({ input }) => input,
  input: ({ input }) => input,
  caseId: ({ caseId }) => caseId,
  attempt: ({ attempt }) => String(attempt),
  seed: ({ seed }) => String(seed),
};

/** Names that a user's own variable cannot have. */
const reservedNames: readonly string[] = [...Object.keys(ofRequest), 'knowledge', 'metadata', 'env'];

/**
 * Checks every variable of a prompt. Throws `target-invalid` for a secret, and for a variable that does not exist, with
 * file, line, column and the nearest one that does; `environment-missing` for an environment variable that is not set.
 */
export function compilePrompt(source: SourceText, variables: PromptVariables): Prompt {
  const parts = parsePrompt(source);
  const used = parts.filter((part) => part.type === 'variable');
  for (const variable of used) checkVariable(variable, variables);
  const names = new Set(used.map(({ name }) => name));
  const constants = new Map(
    [...names].flatMap((name): [string, string][] => {
      const value = variables.texts.get(name) ?? variables.environment[variableName(name) ?? ''];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const valueOf = ({ name, place }: Variable, request: TargetRequest) =>
    constants.get(name) ?? ofRequest[name]?.(request) ?? readMetadata(name, place, request);
  return {
    names,
    identity: { text: source.text, variables: Object.fromEntries(constants) },
    fill: (request, replacements) => {
      const texts = parts.map((part) =>
        part.type === 'text' ? part.text : (replacements?.get(part.name) ?? valueOf(part, request)),
      );
      return texts.join('');
    },
  };
}

function checkVariable({ name, place }: Variable, { texts, environment }: PromptVariables): void {
  const variable = variableName(name);
  if (variable !== undefined) checkEnvironment(variable, place, environment);
  else if (!Object.hasOwn(ofRequest, name) && !texts.has(name) && !/^metadata\.[^.]/.test(name)) {
    throw unknownVariable(name, place, [...Object.keys(ofRequest), ...texts.keys()]);
  }
}

function variableName(name: string): string | undefined {
  return /^env\.(.+)$/.exec(name)?.[1];
}

function checkEnvironment(variable: string, place: string, environment: Environment): void {
  if (isSecretName(variable)) {
    const message = `${place}: {{env.${variable}}} looks like a secret; a prompt goes to the model and is stored.`;
    throw new TouchstoneError('target-invalid', message, { remedy: 'Remove it from the prompt.' });
  }
  if (environment[variable] !== undefined) return;
  throw new TouchstoneError(
    'environment-missing',
    `${place}: the prompt needs ${variable}, which is not set in the environment.`,
  );
}

function unknownVariable(name: string, place: string, known: readonly string[]): TouchstoneError {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean {{${nearest}}}?`;
  const all = [...known, 'metadata.NAME', 'env.NAME'].map((each) => `{{${each}}}`).join(', ');
  return new TouchstoneError('target-invalid', `${place}: there is no variable {{${name}}}.${hint}`, {
    remedy: `Use one of ${all}; add your own with \`variables\`; write \`\\{{\` for two braces.`,
  });
}

function readMetadata(name: string, place: string, { metadata, caseId }: TargetRequest): string {
  const path = name.slice('metadata.'.length);
  const value = valueAtPath(metadata, path);
  if (value === undefined) {
    throw new TargetFailure(
      'metadata-missing',
      `${place}: the question ${caseId} has no metadata \`${path}\`.`,
    );
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A user's own variables: texts, or the files that contain them. */
type VariableOptions = Readonly<Record<string, string | { readonly path: string }>>;

/** Reads a user's own variables. Throws `target-invalid` for a reserved name. */
export async function readVariables(
  variables: VariableOptions,
  folder: string,
): Promise<Map<string, string>> {
  const entries = Object.entries(variables).map(async ([name, value]): Promise<[string, string]> => {
    if (reservedNames.includes(name) || /^(metadata|env)\.|[{}]|^\s|\s$/.test(name)) {
      throw new TouchstoneError('target-invalid', `\`variables.${name}\` cannot be a variable of your own.`, {
        remedy: `Give it another name; ${reservedNames.join(', ')} have a meaning already.`,
      });
    }
    if (typeof value === 'string') return [name, value];
    return [name, (await readTextFile(value.path, `variables.${name}`, folder)).text.trimEnd()];
  });
  return new Map(await Promise.all(entries));
}
