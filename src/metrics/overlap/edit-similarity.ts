import { z } from 'zod';
import { editDistance } from '../../lib/text/edit-distance.ts';
import { splitWords } from '../../lib/text/python-text.ts';
import { segmentWords } from '../../lib/text/words.ts';
import { defineMetric, expectationsAt, tooLong } from '../metric.ts';
import { judgeAgainst, referenceOptions } from '../text/references.ts';

/**
 * 1 - d / n, where d is the Levenshtein distance of the answer to the expected one and n the length of the longer, both in
 * Unicode code points (or words). Two empty texts are the same: 1.
 */
export const editSimilarity = defineMetric({
  name: 'edit-similarity',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'How little the answer must be edited to be the expected one: 1 when not at all.',
  options: () =>
    referenceOptions().extend({
      unit: z.enum(['characters', 'words']).default('characters').describe('What is edited.'),
      ignoreCase: z.boolean().default(false).describe('Whether capital and small letters are the same.'),
      ignoreWhitespace: z
        .boolean()
        .default(false)
        .describe('Whether any run of white space counts as one space.'),
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
