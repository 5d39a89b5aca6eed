import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { formatPlace, messageOf, TouchstoneError } from '../../../core/errors.ts';
import type { NamedUse } from '../../../core/lib/define.ts';
import { copyJson } from '../../../core/lib/json/copy-json.ts';
import { hashModule, importUserFile } from '../../../core/lib/user-files.ts';
import { findImportFault } from '../../../core/lib/find-import-fault.ts';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import { expectationSchema } from '../../../core/schema/expectation.ts';
import { jsonSchema } from '../../../core/schema/json.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric, expectationsAt, type Metric, type MetricInput } from '../metric.ts';
import {
  type AnyCriterionFunction,
  type CriterionInput,
  readAnswer,
  withJsonForm,
} from './criterion-function.ts';
import { readPath, recordPathSchema } from './record-view.ts';

export type { CriterionAnswer, CriterionFunction, CriterionInput } from './criterion-function.ts';

const functionSchema: z.ZodType<AnyCriterionFunction, AnyCriterionFunction> = z
  .any()
  .refine((value) => typeof value === 'function', {
    error: ({ input }) =>
      typeof input === 'string'
        ? 'a function that was given in a program cannot be rebuilt from stored text; use `path`'
        : `must be a function, not ${describeValue(input)}`,
  })
  .overwrite((value) => (typeof value === 'function' ? withJsonForm(value) : value));

const options = () =>
  z
    .strictObject({
      path: z
        .string()
        .min(1)
        .optional()
        .describe('A .ts, .js or .mjs file, relative to the folder of the config file.'),
      export: z.string().min(1).default('default').describe('The name of the export that is the function.'),
      function: functionSchema.optional().meta({
        description: 'In place of `path`, when Touchstone is used as a library: the function itself.',
        programOnly: true,
      }),
      version: z
        .string()
        .min(1)
        .optional()
        .describe(
          'The version of the rule; another version counts as another metric. When absent, the content of the file and of the files it imports by relative paths is used.',
        ),
      with: z.record(z.string(), jsonSchema).default({}).describe('Passed to the function as `options`.'),
      groundTruth: recordPathSchema
        .default('expected.state')
        .describe('Path in the question to the value that the function receives as `groundTruth`.'),
      reads: z
        .array(expectationSchema)
        .optional()
        .describe(
          'Which expectations of a question the function looks at; by default, the ones that `groundTruth` leads to.',
        ),
      timeLimitMs: z
        .number()
        .positive()
        .max(600_000)
        .default(10_000)
        .describe('Time limit in milliseconds for a function that returns a promise.'),
    })
    .refine(({ path: file, function: given }) => (file === undefined) !== (given === undefined), {
      message: 'give one of `path` and `function`',
    });

const definition = defineMetric({
  name: 'function',
  version: 1,
  runsCode: true,
  reads: ({ reads, groundTruth }) => reads ?? expectationsAt(groundTruth),
  summary: 'A function of your own, of the final state, the ground truth and the conversation.',
  words:
    'custom metric, own code, javascript, typescript, python, scorer, custom scorer, callback, grader, unit tests, code correctness, run the code',
  example: { path: './my-metric.ts' },
  options,
  create: (checked, { folder = '.' }): Metric => {
    const { path: shown, function: ownFunction, groundTruth, timeLimitMs } = checked;
    const place = { file: path.resolve(folder, shown ?? ''), path: shown ?? '', export: checked.export };
    if (shown !== undefined) checkFile(place);
    let loaded = ownFunction;
    const load = async () => (loaded ??= await importFunction(place));
    return {
      ...(shown !== undefined && checked.version === undefined && { identity: hashModule(place.file) }),
      open: async () => void (await load()),
      score: async (input) =>
        await callFunction(await load(), inputOf(input, groundTruth, checked.with), timeLimitMs),
    };
  },
});

/**
 * Scores a trial by a function that the user wrote; it decides on value, explanation and applicability. In a config: `{
 * use: function, path: criteria.ts, export: correctTime }`; in a program also `functionMetric({ function: correctTime
 * })`, which works in that program only.
 */
export const functionMetric: typeof definition = Object.assign(
  (...args: Parameters<typeof definition>): NamedUse => {
    const use = definition(...args);
    if (typeof use.function === 'function') use.function = withJsonForm(use.function as AnyCriterionFunction);
    return use;
  },
  { definition: definition.definition },
);

function inputOf(
  { case: testCase, trial }: MetricInput,
  groundTruth: string,
  given: CriterionInput['options'],
): CriterionInput {
  return copyJson({
    state: trial.state,
    groundTruth: readPath({ case: testCase, trial }, groundTruth),
    transcript: trial.transcript,
    answer: trial.answer,
    case: testCase,
    options: given,
  });
}

async function callFunction(
  criterion: AnyCriterionFunction,
  input: CriterionInput,
  timeLimitMs: number,
): Promise<Verdict> {
  try {
    const answered = criterion(input as CriterionInput<never, never>);
    return readAnswer(answered instanceof Promise ? await withinTime(answered, timeLimitMs) : answered);
  } catch (error) {
    const state = input.state === undefined ? ' (the target reported no final state)' : '';
    return { status: 'failed', code: 'criterion-threw', reason: `${messageOf(error)}${state}` };
  }
}

/** Waits for a promise at most the given time, then rejects with an error that says so. */
async function withinTime<Value>(work: Promise<Value>, timeLimitMs: number): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeLimitMs} ms`)), timeLimitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The place of a criterion function. */
interface FunctionPlace {
  /** The absolute path. */
  readonly file: string;
  /** The path as the option gives it, for messages. */
  readonly path: string;
  readonly export: string;
}

/** Throws `config-invalid` when the file does not exist, and suggests the most similar name in its folder. */
function checkFile({ file, path: shown }: FunctionPlace): void {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status?.isFile()) return;
  if (status !== undefined) throw refusal(`${shown} is a folder; \`path\` must name a file.`);
  throw refusal(
    `There is no file ${shown}.${didYouMean(path.basename(file), namesIn(path.dirname(file)))}`,
    'Correct `path`; it is relative to the folder of the config file.',
  );
}

/**
 * Imports a file and returns the named function. Throws `config-invalid` with the precise reason when it is not there.
 */
async function importFunction(place: FunctionPlace): Promise<AnyCriterionFunction> {
  const found = await importFile(place);
  const value = found[place.export];
  if (typeof value === 'function') return value as AnyCriterionFunction;
  const names = Object.keys(found);
  const has = names.length === 0 ? 'It exports nothing.' : `It exports ${names.join(', ')}.`;
  const problem =
    value === undefined
      ? `${place.path} has no ${place.export === 'default' ? 'default export' : `export \`${place.export}\``}. ${has}`
      : `The export \`${place.export}\` of ${place.path} is ${describeValue(value)}, not a function.`;
  throw refusal(problem, 'Export a function `({ state, groundTruth, transcript }) => true or false`.');
}

async function importFile({ file, path: shown }: FunctionPlace): Promise<Record<string, unknown>> {
  try {
    return await importUserFile(file);
  } catch (error) {
    const place = await findImportFault(error, file);
    const where = place === undefined ? '' : ` (${formatPlace({ ...place, file: displayPath(place.file) })})`;
    const message = `${shown} cannot be imported: ${messageOf(error)}${where}`;
    throw refusal(message, 'Fix the file; nothing was called.', error);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function refusal(message: string, remedy?: string, cause?: unknown): TouchstoneError {
  return new TouchstoneError('config-invalid', message, { remedy, cause });
}
