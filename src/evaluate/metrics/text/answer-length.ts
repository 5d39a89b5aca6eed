import { z } from 'zod';
import { countCharacters } from '../../../core/lib/text/python-text.ts';
import { defineMetric } from '../metric.ts';

/**
 * Measures the length of the answer in characters (Unicode code points). It describes the answer and says nothing about
 * its quality. A missing answer has length 0.
 */
export const answerLength = defineMetric({
  name: 'answer-length',
  family: 'style',
  version: 1,
  quantity: { unit: 'characters', limits: ['min', 'max'] },
  summary: 'Number of characters in the answer; not a measure of quality.',
  words:
    'length of the answer, too long, too short, verbosity, concise, brief, characters, max length, empty answer',
  example: { max: 400 },
  options: () =>
    z.strictObject({
      min: z.int().min(0).optional().describe('The verdict passes from this many characters on.'),
      max: z.int().min(0).optional().describe('The verdict passes up to this many characters.'),
    }),
  create: ({ min, max }) => ({
    score: ({ trial }) => {
      const value = countCharacters(trial.answer ?? '');
      const isBounded = min !== undefined || max !== undefined;
      const isWithin = value >= (min ?? 0) && value <= (max ?? Number.POSITIVE_INFINITY);
      return { status: 'scored', value, unit: 'characters', passed: isBounded ? isWithin : undefined };
    },
  }),
});
