import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { formatPlace, messageOf, TouchstoneError } from '../../errors.ts';
import type { NamedUse } from '../../lib/define.ts';
import { hashModule, importUserFile } from '../../lib/import-user-file.ts';
import { placeOfImportFault } from '../../lib/place-of-import-fault.ts';
import { describeValue } from '../../lib/text/describe-value.ts';
import { displayPath } from '../../lib/text/display-path.ts';
import { didYouMean } from '../../lib/text/nearest-name.ts';
import { expectationSchema } from '../../schema/expectation.ts';
import { jsonSchema } from '../../schema/json.ts';
import type { Verdict } from '../../schema/verdict.ts';
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
      export: z.string().min(1).default('default').describe('Which of its exports is the function.'),
      function: functionSchema.optional().meta({
        description: 'In place of `path`, when Touchstone is used as a library: the function itself.',
        programOnly: true,
      }),
      version: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Which version of the rule this is; another one is another metric. Without it, the content of the file and of what it imports by relative paths says so.',
        ),
      with: z.record(z.string(), jsonSchema).default({}).describe('Handed to the function as `options`.'),
      groundTruth: recordPathSchema
        .default('expected.state')
        .describe('Path in the case to what is handed to the function as `groundTruth`.'),
      reads: z
        .array(expectationSchema)
        .optional()
        .describe(
          'Which expectations of a case the function looks at; without it, those that `groundTruth` leads to.',
        ),
      timeLimitMs: z
        .number()
        .positive()
        .max(600_000)
        .default(10_000)
        .describe('Most milliseconds that a function which answers later may take.'),
    })
    .refine(({ path: file, function: given }) => (file === undefined) !== (given === undefined), {
      message: 'give one of `path` and `function`',
    });

const definition = defineMetric({
  name: 'function',
  version: 1,
  reads: ({ reads, groundTruth }) => reads ?? expectationsAt(groundTruth),
  summary: 'A function of your own, of the final state, the ground truth and the conversation.',
  options,
  create: (checked, { folder = '.' }): Metric => {
    const { path: shown, function: given, groundTruth, timeLimitMs } = checked;
    const place = { file: path.resolve(folder, shown ?? ''), path: shown ?? '', export: checked.export };
    if (shown !== undefined) checkFile(place);
    let loaded = given;
    const load = async () => (loaded ??= await importFunction(place));
    const answer = (criterion: AnyCriterionFunction, input: MetricInput) =>
      callFunction(criterion, inputOf(input, groundTruth, checked.with), timeLimitMs);
    return {
      ...(shown !== undefined && checked.version === undefined && { identity: hashModule(place.file) }),
      open: async () => void (await load()),
      score: (input) =>
        loaded === undefined ? load().then((criterion) => answer(criterion, input)) : answer(loaded, input),
    };
  },
});

/**
 * A criterion as a function of your own. In a config: `{ use: function, path: criteria.ts, export: correctTime }`; in a
 * program also `functionMetric({ function: correctTime })`, which works in that program only.
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
  return structuredClone({
    state: trial.state,
    groundTruth: readPath({ case: testCase, trial }, groundTruth),
    transcript: trial.transcript,
    answer: trial.answer,
    case: testCase,
    options: given,
  });
}

function callFunction(
  criterion: AnyCriterionFunction,
  input: CriterionInput,
  timeLimitMs: number,
): Verdict | Promise<Verdict> {
  const failed = (thrown: unknown): Verdict => {
    const state = input.state === undefined ? ' (the target reported no final state)' : '';
    return { status: 'failed', code: 'criterion-threw', reason: `${messageOf(thrown)}${state}` };
  };
  try {
    const answered = criterion(input as CriterionInput<never, never>);
    if (!(answered instanceof Promise)) return readAnswer(answered);
    return withinTime(answered, timeLimitMs).then(readAnswer, failed);
  } catch (error) {
    return failed(error);
  }
}

/** What a promise gives, unless it takes longer; then rejects with an error that says so. */
async function withinTime<Value>(work: Promise<Value>, timeLimitMs: number): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeLimitMs} ms`)), timeLimitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Where a criterion function is. */
interface FunctionPlace {
  /** Absolute. */
  readonly file: string;
  /** As the option says it. */
  readonly path: string;
  readonly export: string;
}

/** Throws `config-invalid` where there is no such file, with the nearest name that is there. */
function checkFile({ file, path: shown }: FunctionPlace): void {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status?.isFile()) return;
  if (status !== undefined) throw refusal(`${shown} is a folder; \`path\` must name a file.`);
  throw refusal(
    `There is no file ${shown}.${didYouMean(path.basename(file), namesIn(path.dirname(file)))}`,
    'Correct `path`; it is relative to the folder of the config file.',
  );
}

/** Imports a file and takes a function out of it. Throws `config-invalid` saying precisely what is missing. */
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
    const place = await placeOfImportFault(error, file);
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
  return new TouchstoneError('config-invalid', message, { ...(remedy !== undefined && { remedy }), cause });
}
