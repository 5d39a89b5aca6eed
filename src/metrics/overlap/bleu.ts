import { z } from 'zod';
import { countItems, joinNeighbours } from '../../lib/multiset.ts';
import { stripSpaceEnd } from '../../lib/text/python-text.ts';
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
        .describe('True to leave out orders that the answer is too short for.'),
      ignoreCase: z.boolean().default(false).describe('True to ignore letter case.'),
    }),
  create: (options) => {
    const tokenize = (text: string) => {
      const cased = options.ignoreCase ? text.toLowerCase() : text;
      return bleuTokens(stripSpaceEnd(cased), options.tokenizer);
    };
    return {
      score: ({ case: testCase, trial }) => {
        const references = referencesOf(testCase, options.from).map(tokenize);
        if (references.length === 0) return noReference(options.from);
        if (references.every(({ length }) => length === 0)) return emptyReference;
        const { score, ...parts } = scoreBleu(tokenize(trial.answer ?? ''), references, options);
        return verdictOf({ value: score, evidence: { ...parts } }, options.threshold);
      },
    };
  },
});

/** The options of BLEU. For smoothing, see Chen and Cherry (2014). */
interface BleuOptions {
  readonly maxOrder: number;
  readonly smoothing: 'exp' | 'floor' | 'add-k' | 'none';
  /** The constant of `floor` and `add-k`; 0.1 and 1 when absent. */
  readonly smoothingValue?: number | undefined;
  /** True to stop at the longest n-gram that the answer is long enough for. */
  readonly effectiveOrder: boolean;
}

/** A BLEU score from 0 to 1 with its components. */
interface BleuScore {
  readonly score: number;
  /** The precision of each order after smoothing, from 0 to 1. */
  readonly precisions: number[];
  readonly brevityPenalty: number;
  readonly answerTokens: number;
  readonly referenceTokens: number;
}

/** Computes BLEU (Papineni et al., 2002) of one answer against all its references together, as sacreBLEU does. */
function scoreBleu(answer: string[], references: string[][], options: BleuOptions): BleuScore {
  const referenceTokens = closestLength(
    answer.length,
    references.map(({ length }) => length),
  );
  const brevityPenalty = penalizeBrevity(answer.length, referenceTokens);
  const lengths = { brevityPenalty, answerTokens: answer.length, referenceTokens };
  const orders = Array.from({ length: options.maxOrder }, (_, index) => index + 1);
  const matches = orders.map((order) => countMatches(answer, references, order));
  if (matches.every((count) => count === 0)) return { score: 0, precisions: orders.map(() => 0), ...lengths };
  const { precisions, order } = smooth(matches, answer.length, options);
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

function smooth(matches: number[], answerTokens: number, options: BleuOptions) {
  const { smoothing, smoothingValue = smoothing === 'floor' ? 0.1 : 1, effectiveOrder, maxOrder } = options;
  const precisions = matches.map(() => 0);
  let order = maxOrder;
  let halving = 1;
  for (const [index, found] of matches.entries()) {
    const added = smoothing === 'add-k' && index > 0 ? smoothingValue : 0;
    const total = Math.max(answerTokens - index, 0) + added;
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
