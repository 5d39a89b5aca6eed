import { z } from 'zod';
import { editDistance } from '../../../core/lib/text/edit-distance.ts';
import { splitWords } from '../../../core/lib/text/python-text.ts';
import { segmentWords } from '../../../core/lib/text/words.ts';
import { defineMetric, expectationsAt, tooLong } from '../metric.ts';
import { judgeAgainst, referenceOptions } from '../text/references.ts';
import { wordReading } from '../text/unread-text.ts';

/**
 * Computes 1 - d / n, from 0 to 1, where d is the Levenshtein distance between the answer and the expected answer, and
 * n the length of the longer one, both in Unicode code points (or words). Two empty texts score 1. With several expected
 * answers, the best one counts; with `maxDistance`, which limits d itself, the one with the smallest d. Not applicable
 * without an expected answer; not measured when both texts are very long and differ much, or by words when they differ
 * only in emoji and signs. `levenshtein` of promptfoo
 * counts UTF-16 code units in place of code points: an emoji that is missing is one edit here and two there.
 */
export const editSimilarity = defineMetric({
  name: 'edit-similarity',
  family: 'wording',
  version: 2,
  reads: ({ from }) => expectationsAt(from),
  summary: 'How little the answer must be edited to be the expected one: 1 when not at all.',
  words: 'levenshtein, edit distance, fuzzy match, string distance, typos, near match, spelling',
  options: () =>
    referenceOptions()
      .extend({
        maxDistance: z
          .int()
          .min(0)
          .optional()
          .describe(
            'The most edits that pass; in place of `threshold`. Of several expected answers the nearest counts.',
          ),
        unit: z.enum(['characters', 'words']).default('characters').describe('The unit of an edit.'),
        ignoreCase: z.boolean().default(false).describe('True to ignore letter case.'),
        ignoreWhitespace: z
          .boolean()
          .default(false)
          .describe('True to treat any run of white space as one space.'),
      })
      .superRefine(({ maxDistance, threshold }, context) => {
        if (maxDistance === undefined || threshold === undefined) return;
        context.addIssue({ code: 'custom', path: ['maxDistance'], message: 'set it, or `threshold`' });
      }),
  create: (options) => {
    const split = (text: string) => {
      const cased = options.ignoreCase ? text.toLowerCase() : text;
      const spaced = options.ignoreWhitespace ? splitWords(cased).join(' ') : cased;
      return options.unit === 'words' ? segmentWords(spaced) : Array.from(spaced);
    };
    const reading = options.unit === 'words' ? wordReading : undefined;
    return {
      score: (input) =>
        judgeAgainst(input, { ...options, reading }, (answer, reference) => {
          const given = split(answer);
          const wanted = split(reference);
          const edits = editDistance(given, wanted);
          if (edits === undefined) throw tooLong(given.length, wanted.length, options.unit);
          const longer = Math.max(given.length, wanted.length);
          const value = longer === 0 ? 1 : 1 - edits / longer;
          const evidence = { edits, of: longer };
          const { maxDistance } = options;
          if (maxDistance === undefined) return { value, evidence };
          return { value, rank: -edits, passed: edits <= maxDistance, evidence };
        }),
    };
  },
});
