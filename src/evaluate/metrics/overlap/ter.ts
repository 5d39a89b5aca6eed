import { z } from 'zod';
import { splitWords } from '../../../core/lib/text/python-text.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { emptyReference, noReference, referenceOptions, referencesOf } from '../text/references.ts';
import { countEditsWithShifts } from './shifted-edits.ts';
import { normalizeWestern } from './tokenize.ts';

/**
 * Computes the translation edit rate (Snover et al., 2006) of the answer as `sentence_ter` of sacreBLEU does, divided by
 * 100: the fewest edits of words and shifts of several words at once that turn the answer into one of the expected
 * answers, divided by their mean number of words. 0 is the best; it may exceed 1. Not applicable when the expected
 * answer is missing or has no words; not measured when the texts are too long. The treatment of Chinese and Japanese
 * in sacreBLEU (`asian_support`) is not part of it.
 */
export const ter = defineMetric({
  name: 'ter',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  quantity: { unit: 'edits/word', limits: ['max'] },
  summary: 'Translation edit rate of the answer by sacreBLEU: edits for each word of the expected answer.',
  words: 'translation edit rate, translation, machine translation',
  options: () =>
    referenceOptions()
      .omit({ threshold: true })
      .extend({
        max: z.number().min(0).optional().describe('The verdict passes up to this rate.'),
        ignoreCase: z.boolean().default(true).describe('True to ignore letter case.'),
        normalize: z
          .boolean()
          .default(false)
          .describe('True to separate punctuation from words (`normalized` of sacreBLEU).'),
        ignorePunctuation: z
          .boolean()
          .default(false)
          .describe('True to remove `. , ? : ; ! " ( )` (`no_punct` of sacreBLEU).'),
      }),
  create: (options) => {
    const split = (text: string) => {
      const cased = options.ignoreCase ? text.toLowerCase() : text;
      const normalized = options.normalize ? normalizeWestern(cased) : cased;
      return splitWords(options.ignorePunctuation ? normalized.replace(/[.,?:;!"()]/g, '') : normalized);
    };
    return {
      score: ({ case: testCase, trial }) => {
        const references = referencesOf(testCase, options.from).map(split);
        if (references.length === 0) return noReference(options.from);
        const referenceWords = references.reduce((sum, { length }) => sum + length, 0) / references.length;
        if (referenceWords === 0) return emptyReference;
        const given = split(trial.answer ?? '');
        const edits = Math.min(...references.map((wanted) => countEditsWithShifts(given, wanted)));
        const value = edits / referenceWords;
        const passed = options.max === undefined ? undefined : value <= options.max + 1e-9;
        return { status: 'scored', value, unit: 'edits/word', passed, evidence: { edits, referenceWords } };
      },
    };
  },
});
