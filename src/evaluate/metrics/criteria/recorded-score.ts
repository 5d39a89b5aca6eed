import { z } from 'zod';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric } from '../metric.ts';

/**
 * Reads a score that was recorded with the answer, such as the reward of a benchmark, and maps it to the range from 0
 * to 1 by its least and greatest value. It applies to failed answers too. A trial without the recorded field is not
 * measured.
 */
export const recordedScore = defineMetric({
  name: 'recorded-score',
  family: 'recorded',
  version: 1,
  summary: 'What was recorded with the answer, such as a reward, from 0 to 1.',
  words:
    'existing score, imported score, human rating, reward, external score, stars, column with a score, rating, thumbs up, user satisfaction, perplexity, score of another tool',
  options: () =>
    z
      .strictObject({
        field: z
          .string()
          .min(1)
          .default('reward')
          .describe(
            'The column of the recorded score; a path such as `evaluations.Relevance` steps into it.',
          ),
        least: z.number().default(0).describe('The value that counts as 0.'),
        greatest: z.number().default(1).describe('The value that counts as 1.'),
        passMark: z
          .number()
          .optional()
          .describe(
            'The recorded value from which an answer passes, within a millionth; `greatest` when absent.',
          ),
      })
      .refine(({ least, greatest }) => least !== greatest, {
        path: ['greatest'],
        message: 'expected another value than `least`',
      }),
  create: ({ field, least, greatest, passMark = greatest }) => ({
    measuresFailures: true,
    score: ({ trial: { recorded = {} } }): Verdict => {
      const found = (Object.hasOwn(recorded, field) ? recorded[field] : valueAtPath(recorded, field)) as
        | Json
        | undefined;
      if (found === undefined || found === null) {
        return {
          status: 'failed',
          code: 'not-recorded',
          reason: `no \`${field}\` was recorded with the answer`,
        };
      }
      const score = readScore(found, { least, greatest });
      const value = score === undefined ? Number.NaN : (score - least) / (greatest - least);
      if (score === undefined || !(value >= -tolerance && value <= 1 + tolerance)) {
        const wanted = `a number from ${least} to ${greatest}, true, false or a word such as pass`;
        const reason = `\`${field}\` is ${describeValue(found)}; it must be ${wanted}`;
        return { status: 'failed', code: 'recorded-invalid', reason };
      }
      return {
        status: 'scored',
        value: Math.min(1, Math.max(0, value)),
        passed: isReached(score, { passMark, isRising: greatest > least }),
        explanation: `recorded ${field}: ${String(found)}`,
        evidence: { [field]: found },
      };
    },
  }),
});

/** The tolerance for recorded numbers, which are often computed and slightly off. */
const tolerance = 1e-6;

function isReached(score: number, { passMark, isRising }: { passMark: number; isRising: boolean }): boolean {
  return isRising ? score >= passMark - tolerance : score <= passMark + tolerance;
}

const good = ['true', 'pass', 'passed', 'success', 'succeeded', 'correct', 'yes', 'c'];
const bad = ['false', 'fail', 'failed', 'failure', 'error', 'incorrect', 'wrong', 'no', 'i'];

/**
 * Converts a recorded verdict to a number: numbers and numeric texts keep their value; true and words such as `passed`
 * become the greatest value, false and words such as `failed` the least. Returns undefined for anything else.
 */
function readScore(
  value: Json,
  { least, greatest }: { readonly least: number; readonly greatest: number },
): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? greatest : least;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  if (good.includes(word)) return greatest;
  if (bad.includes(word)) return least;
  return word === '' || Number.isNaN(Number(word)) ? undefined : Number(word);
}
