import { z } from 'zod';
import { UnmeasurableError } from '../../../core/lib/compute-within.ts';
import { segmentWords } from '../../../core/lib/text/words.ts';
import { defineMetric } from '../metric.ts';

/**
 * Counts the words of the answer: the pieces between white space, as `word-count` of promptfoo does, or the words of
 * any script. It describes the answer and says nothing about its quality. A missing answer has no words. An answer in a
 * script that writes no spaces, such as Chinese or Thai, is not measured unless `words` says what a word is.
 */
export const wordCount = defineMetric({
  name: 'word-count',
  family: 'style',
  version: 2,
  quantity: { unit: 'words', limits: ['min', 'max', 'exact'] },
  summary: 'Number of words in the answer; not a measure of quality.',
  words: 'number of words, too long, too short, length, concise, brief, verbosity',
  example: { max: 60 },
  options: () =>
    z
      .strictObject({
        min: z.int().min(0).optional().describe('The verdict passes from this many words on.'),
        max: z.int().min(0).optional().describe('The verdict passes up to this many words.'),
        exact: z.int().min(0).optional().describe('The verdict passes with exactly this many words.'),
        words: z
          .enum(['spaced', 'unicode'])
          .optional()
          .describe(
            '`spaced` (the default): the pieces between white space. `unicode`: words of all scripts, including scripts without spaces.',
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
        const answer = trial.answer ?? '';
        if (words === undefined && hasNoSpaces(answer)) throw unspaced;
        const value = (words === 'unicode' ? segmentWords : splitSpaced)(answer).length;
        const isWithin = value >= (least ?? 0) && value <= (most ?? Number.POSITIVE_INFINITY);
        return { status: 'scored', value, unit: 'words', passed: isBounded ? isWithin : undefined };
      },
    };
  },
});

const unspaced = new UnmeasurableError(
  'text-not-read',
  'most of the answer is in a script that writes no spaces between words; `words: unicode` counts its words',
);

/** Returns whether most letters of a text are of scripts that write no spaces between words. */
function hasNoSpaces(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const joined = text.match(unspacedLetter)?.length ?? 0;
  return joined * 2 > letters;
}

const unspacedLetter =
  /(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

function splitSpaced(text: string): string[] {
  return text.split(/\s+/u).filter((piece) => piece !== '');
}
