import { z } from 'zod';
import { countCharacters } from '../../lib/text/python-text.ts';
import { defineMetric } from '../metric.ts';

/** Number of characters (Unicode code points) of the answer; a description, not a quality. A missing answer has 0. */
export const answerLength = defineMetric({
  name: 'answer-length',
  family: 'style',
  version: 1,
  quantity: { unit: 'characters', limits: ['min', 'max'] },
  summary: 'Characters in the answer; not a measure of quality.',
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
