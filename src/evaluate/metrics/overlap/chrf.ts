import { z } from 'zod';
import { countItems, countShared, joinNeighbours } from '../../../core/lib/multiset.ts';
import { splitWords } from '../../../core/lib/text/python-text.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { judgeAgainst, referenceOptions } from '../text/references.ts';

/**
 * Computes chrF (Popović, 2015) of the answer as `sentence_chrf` of sacreBLEU does, divided by 100: from 0 to 1; chrF2
 * by default, chrF++ with `wordOrder: 2`. With several expected answers, the best one counts. Characters are code points,
 * in any script. Not applicable when the expected answer is missing or has no characters.
 */
export const chrf = defineMetric({
  name: 'chrf',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'chrF of the answer by sacreBLEU, in [0, 1]: runs of characters shared with the expected answer.',
  words: 'character n-gram, translation, text overlap, sacrebleu',
  options: () =>
    referenceOptions().extend({
      characterOrder: z.int().min(1).max(12).default(6).describe('Longest run of characters.'),
      wordOrder: z.int().min(0).max(4).default(0).describe('Longest run of words; 2 gives chrF++.'),
      beta: z.number().positive().default(2).describe('How much more recall counts than precision.'),
      ignoreCase: z.boolean().default(false).describe('True to ignore letter case.'),
      keepSpaces: z.boolean().default(false).describe('True to count white space as characters.'),
      epsilonSmoothing: z
        .boolean()
        .default(false)
        .describe('True to average the F-scores of all orders, as NLTK and chrF++.py do.'),
    }),
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, options, (answer, reference) => {
        const value = scoreChrf(answer, reference, options);
        return value === undefined ? undefined : { value };
      }),
  }),
});

/** The options of chrF. */
interface ChrfOptions {
  readonly characterOrder: number;
  readonly wordOrder: number;
  readonly beta: number;
  readonly ignoreCase: boolean;
  readonly keepSpaces: boolean;
  readonly epsilonSmoothing: boolean;
}

interface Counts {
  readonly given: number;
  readonly wanted: number;
  readonly shared: number;
}

const epsilon = 1e-16;

/** Computes chrF of an answer against one reference, from 0 to 1; undefined when the reference has no characters. */
function scoreChrf(answer: string, reference: string, options: ChrfOptions): number | undefined {
  const given = runsOf(answer, options);
  const wanted = runsOf(reference, options);
  if (wanted.every(({ size }) => size === 0)) return undefined;
  const counts = given.map((runs, index) => countRuns(runs, wanted[index] ?? new Map<string, number>()));
  const score = options.epsilonSmoothing
    ? averageScores(counts, options.beta)
    : scoreAverages(counts, options.beta);
  return Math.min(score, 1);
}

/** Counts the n-grams of characters and of words, with one map for each order. */
function runsOf(text: string, options: ChrfOptions): Map<string, number>[] {
  const cased = options.ignoreCase ? text.toLowerCase() : text;
  const characters = Array.from(options.keepSpaces ? cased : splitWords(cased).join(''));
  const words = options.wordOrder === 0 ? [] : splitPunctuation(cased);
  return [
    ...Array.from({ length: options.characterOrder }, (_, index) =>
      countCharacterRuns(characters, index + 1),
    ),
    ...Array.from({ length: options.wordOrder }, (_, index) => countItems(joinNeighbours(words, index + 1))),
  ];
}

function countCharacterRuns(characters: readonly string[], order: number): Map<string, number> {
  const runs: string[] = [];
  for (let start = 0; start + order <= characters.length; start++) {
    runs.push(characters.slice(start, start + order).join(''));
  }
  return countItems(runs);
}

const punctuation = /^[!-/:-@[-`{-~]$/;

/** Splits a text into words, each with one punctuation mark separated at its end or else at its beginning. */
function splitPunctuation(text: string): string[] {
  return splitWords(text).flatMap((word) => {
    const characters = Array.from(word);
    if (characters.length === 1) return [word];
    const [first = ''] = characters;
    const last = characters.at(-1) ?? '';
    if (punctuation.test(last)) return [word.slice(0, -1), last];
    return punctuation.test(first) ? [first, word.slice(1)] : [word];
  });
}

function countRuns(given: Map<string, number>, wanted: Map<string, number>): Counts {
  const wantedTotal = sumOf(wanted);
  return {
    given: wantedTotal === 0 ? 0 : sumOf(given),
    wanted: wantedTotal,
    shared: countShared(given, wanted),
  };
}

function sumOf(counts: Map<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** Returns the F-score of mean precision and mean recall over the orders that both texts are long enough for. */
function scoreAverages(counts: readonly Counts[], beta: number): number {
  const effective = counts.filter(({ given, wanted }) => given > 0 && wanted > 0);
  if (effective.length === 0) return 0;
  const precision = meanOf(effective.map(({ shared, given }) => shared / given));
  const recall = meanOf(effective.map(({ shared, wanted }) => shared / wanted));
  return precision + recall === 0 ? 0 : weigh(precision, recall, beta);
}

/** Returns the mean over all orders of the F-score of each. */
function averageScores(counts: readonly Counts[], beta: number): number {
  const scores = counts.map(({ shared, given, wanted }) => {
    const precision = given > 0 ? shared / given : epsilon;
    const recall = wanted > 0 ? shared / wanted : epsilon;
    return beta ** 2 * precision + recall > 0 ? weigh(precision, recall, beta) : epsilon;
  });
  return meanOf(scores);
}

function weigh(precision: number, recall: number, beta: number): number {
  const factor = beta ** 2;
  return ((1 + factor) * precision * recall) / (factor * precision + recall);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
