import path from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../../core/errors.ts';
import type { NamedUse } from '../../../core/lib/define.ts';
import { copyJson } from '../../../core/lib/json/copy-json.ts';
import { hashModule } from '../../../core/lib/user-code/user-files.ts';
import {
  checkFile,
  importFunction,
  userFunctionOptions,
  withJsonForm,
} from '../../../core/lib/user-code/user-functions.ts';
import { expectationSchema } from '../../../core/schema/expectation.ts';
import { jsonSchema } from '../../../core/schema/json.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric, expectationsAt, type Metric, type MetricInput } from '../metric.ts';
import { type AnyCriterionFunction, type CriterionInput, readAnswer } from './criterion-function.ts';
import { readPath, recordPathSchema } from './record-view.ts';

export type { CriterionAnswer, CriterionFunction, CriterionInput } from './criterion-function.ts';

const options = () =>
  z
    .strictObject({
      ...userFunctionOptions<AnyCriterionFunction>(),
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
    const place = {
      file: path.resolve(folder, shown ?? ''),
      shown: shown ?? '',
      export: checked.export,
      form: '({ state, groundTruth, transcript }) => true or false',
    };
    if (shown !== undefined) checkFile(place, 'path', 'config-invalid');
    let loaded = ownFunction;
    const load = async () => (loaded ??= await importFunction<AnyCriterionFunction>(place, 'config-invalid'));
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
