import { z } from 'zod';
import { segmentWords } from '../../lib/text/words.ts';
import { defineMetric } from '../metric.ts';

/**
 * Counts the words of the answer: the pieces between white space, as `word-count` of promptfoo does, or the words of
 * any script. It describes the answer and says nothing about its quality. A missing answer has no words.
 */
export const wordCount = defineMetric({
  name: 'word-count',
  family: 'style',
  version: 1,
  quantity: { unit: 'words', limits: ['min', 'max', 'exact'] },
  summary: 'Number of words in the answer; not a measure of quality.',
  options: () =>
    z
      .strictObject({
        min: z.int().min(0).optional().describe('The verdict passes from this many words on.'),
        max: z.int().min(0).optional().describe('The verdict passes up to this many words.'),
        exact: z.int().min(0).optional().describe('The verdict passes with exactly this many words.'),
        words: z
          .enum(['spaced', 'unicode'])
          .default('spaced')
          .describe(
            '`spaced`: the pieces between white space. `unicode`: words of all scripts, also of those without spaces.',
          ),
      })
      .superRefine(({ min, max, exact }, context) => {
        const refuse = (message: string) => context.addIssue({ code: 'custom', path: [], message });
        if (exact !== undefined && (min ?? max) !== undefined) refuse('set `exact`, or `min` and `max`');
        if (min !== undefined && max !== undefined && min > max) refuse('`min` must not be more than `max`');
      }),
  create: ({ min, max, exact, words }) => {
    const least = exact ?? min;
    const most = exact ?? max;
    const isBounded = (least ?? most) !== undefined;
    return {
      score: ({ trial }) => {
        const value = (words === 'spaced' ? splitSpaced : segmentWords)(trial.answer ?? '').length;
        const isWithin = value >= (least ?? 0) && value <= (most ?? Number.POSITIVE_INFINITY);
        return { status: 'scored', value, unit: 'words', passed: isBounded ? isWithin : undefined };
      },
    };
  },
});

function splitSpaced(text: string): string[] {
  return text.split(/\s+/u).filter((piece) => piece !== '');
}
