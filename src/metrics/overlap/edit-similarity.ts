import { z } from 'zod';
import { editDistance } from '../../lib/text/edit-distance.ts';
import { splitWords } from '../../lib/text/python-text.ts';
import { segmentWords } from '../../lib/text/words.ts';
import { defineMetric, expectationsAt, tooLong } from '../metric.ts';
import { judgeAgainst, referenceOptions } from '../text/references.ts';

/**
 * Computes 1 - d / n, from 0 to 1, where d is the Levenshtein distance between the answer and the expected answer, and
 * n the length of the longer one, both in Unicode code points (or words). Two empty texts score 1. Of several expected
 * answers the best one counts. Not applicable without an expected answer; not measured when both texts are very long
 * and differ much.
 */
export const editSimilarity = defineMetric({
  name: 'edit-similarity',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'How little the answer must be edited to be the expected one: 1 when not at all.',
  options: () =>
    referenceOptions().extend({
      unit: z.enum(['characters', 'words']).default('characters').describe('The unit of an edit.'),
      ignoreCase: z.boolean().default(false).describe('True to ignore letter case.'),
      ignoreWhitespace: z
        .boolean()
        .default(false)
        .describe('True to treat any run of white space as one space.'),
    }),
  create: (options) => {
    const split = (text: string) => {
      const cased = options.ignoreCase ? text.toLowerCase() : text;
      const spaced = options.ignoreWhitespace ? splitWords(cased).join(' ') : cased;
      return options.unit === 'words' ? segmentWords(spaced) : Array.from(spaced);
    };
    return {
      score: (input) =>
        judgeAgainst(input, options, (answer, reference) => {
          const given = split(answer);
          const wanted = split(reference);
          const edits = editDistance(given, wanted);
          if (edits === undefined) throw tooLong(given.length, wanted.length, options.unit);
          const longer = Math.max(given.length, wanted.length);
          return { value: longer === 0 ? 1 : 1 - edits / longer, evidence: { edits, of: longer } };
        }),
    };
  },
});
