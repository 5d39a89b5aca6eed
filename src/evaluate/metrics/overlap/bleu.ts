import { z } from 'zod';
import { countItems, joinNeighbours } from '../../../core/lib/multiset.ts';
import { stripSpaceEnd } from '../../../core/lib/text/python-text.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import {
  emptyReference,
  noReference,
  referenceOptions,
  referencesOf,
  verdictOf,
} from '../text/references.ts';
import { bleuTokenizers, bleuTokens } from './tokenize.ts';

/**
 * Computes sentence BLEU of the answer against all expected answers together, as `sentence_bleu` of sacreBLEU does,
 * divided by 100: from 0 to 1. The mean over cases is the mean of sentence scores, not corpus BLEU. Not applicable when
 * the expected answer is missing or empty.
 */
export const bleu = defineMetric({
  name: 'bleu',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'BLEU of the answer by sacreBLEU, in [0, 1]: n-grams shared with the expected answers.',
  words: 'translation, machine translation, n-gram, text overlap, sacrebleu',
  options: () =>
    referenceOptions().extend({
      tokenizer: z
        .enum(bleuTokenizers)
        .default('13a')
        .describe('`zh` for Chinese, `char` for scripts without spaces, `intl` for any with them.'),
      smoothing: z
        .enum(['exp', 'floor', 'add-k', 'none'])
        .default('exp')
        .describe('How an order of n-grams without a match is smoothed.'),
      smoothingValue: z.number().positive().optional().describe('For `floor` (0.1) and `add-k` (1).'),
      maxOrder: z.int().min(1).max(9).default(4).describe('Longest n-gram.'),
      effectiveOrder: z
        .boolean()
        .default(true)
        .describe('True to ignore orders that the answer is too short for.'),
      ignoreCase: z.boolean().default(false).describe('True to ignore letter case.'),
    }),
  create: (options) => ({
    score: ({ case: testCase, trial }) => {
      const references = referencesOf(testCase, options.from);
      if (references.length === 0) return noReference(options.from);
      const counts = countBleu(trial.answer ?? '', references, options);
      if (counts === undefined) return emptyReference;
      const { score, ...parts } = scoreBleu(counts, options);
      return verdictOf({ value: score, evidence: { ...parts } }, options.threshold);
    },
  }),
});

/** The options of BLEU. For smoothing, see Chen and Cherry (2014). */
interface BleuOptions {
  readonly maxOrder: number;
  readonly smoothing: 'exp' | 'floor' | 'add-k' | 'none';
  /** The constant of `floor` and `add-k`; 0.1 and 1 when absent. */
  readonly smoothingValue?: number;
  /** True to stop at the longest n-gram that the answer is long enough for. */
  readonly effectiveOrder: boolean;
}

/** The rules by which texts are split, besides the options of the score. */
interface TextOptions extends BleuOptions {
  readonly tokenizer: (typeof bleuTokenizers)[number];
  readonly ignoreCase: boolean;
}

/** A BLEU score from 0 to 1 with its components. */
export interface BleuScore {
  readonly score: number;
  /** The precision of each order after smoothing, from 0 to 1. */
  readonly precisions: number[];
  readonly brevityPenalty: number;
  readonly answerTokens: number;
  readonly referenceTokens: number;
}

/** The counts that BLEU is computed from. The counts of a corpus are the sums of the counts of its answers. */
export interface BleuCounts {
  /** The n-grams of each order that the answer shares with the expected answers, and all that it has. */
  readonly matches: readonly number[];
  readonly totals: readonly number[];
  readonly answerTokens: number;
  /** The length of the expected answer that is nearest in length. */
  readonly referenceTokens: number;
}

/** Counts the n-grams of an answer against all expected answers together; undefined when these are empty. */
export function countBleu(
  answer: string,
  references: readonly string[],
  { tokenizer, ignoreCase, maxOrder }: TextOptions,
): BleuCounts | undefined {
  const split = (text: string) =>
    bleuTokens(stripSpaceEnd(ignoreCase ? text.toLowerCase() : text), tokenizer);
  const wanted = references.map(split);
  if (wanted.every(({ length }) => length === 0)) return undefined;
  const tokens = split(answer);
  const orders = Array.from({ length: maxOrder }, (_, index) => index + 1);
  return {
    matches: orders.map((order) => countMatches(tokens, wanted, order)),
    totals: orders.map((order) => Math.max(tokens.length - order + 1, 0)),
    answerTokens: tokens.length,
    referenceTokens: closestLength(
      tokens.length,
      wanted.map(({ length }) => length),
    ),
  };
}

/** Computes BLEU (Papineni et al., 2002) of counts, as sacreBLEU does. */
export function scoreBleu(counts: BleuCounts, options: BleuOptions): BleuScore {
  const { matches, totals, answerTokens, referenceTokens } = counts;
  const brevityPenalty = penalizeBrevity(answerTokens, referenceTokens);
  const lengths = { brevityPenalty, answerTokens, referenceTokens };
  if (matches.every((count) => count === 0))
    return { score: 0, precisions: matches.map(() => 0), ...lengths };
  const { precisions, order } = smooth(matches, totals, options);
  const logarithms = precisions.slice(0, order).map((precision) => floorLog(precision));
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / order;
  return { score: Math.min(brevityPenalty * Math.exp(mean), 1), precisions, ...lengths };
}

function closestLength(length: number, references: number[]): number {
  return references.reduce((best, candidate) => {
    const difference = Math.abs(length - candidate) - Math.abs(length - best);
    return difference < 0 || (difference === 0 && candidate < best) ? candidate : best;
  });
}

function penalizeBrevity(answer: number, reference: number): number {
  if (answer >= reference) return 1;
  return answer > 0 ? Math.exp(1 - reference / answer) : 0;
}

function countMatches(answer: string[], references: string[][], order: number): number {
  const wanted = references.map((tokens) => countItems(joinNeighbours(tokens, order)));
  let matches = 0;
  for (const [run, count] of countItems(joinNeighbours(answer, order))) {
    matches += Math.min(count, Math.max(...wanted.map((counts) => counts.get(run) ?? 0)));
  }
  return matches;
}

function smooth(matches: readonly number[], totals: readonly number[], options: BleuOptions) {
  const { smoothing, smoothingValue = smoothing === 'floor' ? 0.1 : 1, effectiveOrder, maxOrder } = options;
  const precisions = matches.map(() => 0);
  let order = maxOrder;
  let halving = 1;
  for (const [index, found] of matches.entries()) {
    const added = smoothing === 'add-k' && index > 0 ? smoothingValue : 0;
    const total = (totals[index] ?? 0) + added;
    if (total === 0) break;
    if (effectiveOrder) order = index + 1;
    if (found + added > 0) precisions[index] = (found + added) / total;
    else if (smoothing === 'exp') precisions[index] = 1 / ((halving *= 2) * total);
    else if (smoothing === 'floor') precisions[index] = smoothingValue / total;
  }
  return { precisions, order };
}

function floorLog(value: number): number {
  return value === 0 ? Number.NEGATIVE_INFINITY : Math.log(value);
}
