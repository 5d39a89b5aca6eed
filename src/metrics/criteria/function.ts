import path from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import { describeValue } from '../../lib/describe-value.ts';
import type { NamedUse } from '../../lib/define.ts';
import { hashModule } from '../../lib/hash-module.ts';
import { expectationSchema } from '../../schema/expectation.ts';
import { jsonSchema } from '../../schema/json.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { defineMetric, expectationsAt, type Metric, type MetricInput } from '../metric.ts';
import {
  type AnyCriterionFunction,
  type CriterionInput,
  withJsonForm,
} from './function/criterion-function.ts';
import { checkFile, importFunction } from './function/import-function.ts';
import { readAnswer } from './function/read-answer.ts';
import { withinTime } from './function/within-time.ts';
import { readPath, recordPathSchema } from './record-view.ts';

export type { CriterionAnswer, CriterionFunction, CriterionInput } from './function/criterion-function.ts';

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
