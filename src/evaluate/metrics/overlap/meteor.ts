import { z } from 'zod';
import { defineMetric, expectationsAt } from '../metric.ts';
import { type Agreement, judgeAgainst, referenceOptions } from '../text/references.ts';
import { stemEnglish } from '../../../core/lib/search/stem-english.ts';
import { wordOptions, wordTokens } from './tokenize.ts';
import { nonEmpty, share } from '../../../core/schema/json.ts';

/**
 * Computes METEOR (Lavie and Agarwal, 2007) of the answer, from 0 to 1: a weighted mean of precision and recall over
 * words that are equal, have the same English stem or are listed as synonyms, reduced where they come in another order.
 * With several expected answers, the best one counts. It equals `meteor_score` of NLTK for the same words and synonyms;
 * NLTK and promptfoo look synonyms up in WordNet, which is not part of Touchstone, so they score higher where an answer
 * uses synonyms that are not listed; promptfoo also has other stems (0.32 in place of 0.38 for "The running dogs happily
 * chased flies." against "A dog runs and chases the fly happily."). METEOR 1.5 in Java has other weights. Not applicable when the
 * expected answer is missing or has no words.
 */
export const meteor = defineMetric({
  name: 'meteor',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'METEOR of the answer, in [0, 1]: words, stems and synonyms shared with the expected answer.',
  words: 'synonyms, stemming, translation, text overlap, paraphrase, wordnet',
  options: () =>
    referenceOptions()
      .extend(wordOptions().shape)
      .extend({
        synonyms: z
          .array(z.array(nonEmpty()).min(2))
          .default([])
          .describe('Groups of words that mean the same: `[[flat, apartment]]`. Compared by their stems.'),
        alpha: share().default(0.9).describe('Weight of recall; the rest is the weight of precision.'),
        beta: z.number().min(0).default(3).describe('Exponent of the reduction for another order.'),
        gamma: share().default(0.5).describe('Largest reduction for another order.'),
      }),
  create: (options) => {
    const groups = indexSynonyms(options.synonyms);
    return {
      score: (input) =>
        judgeAgainst(input, options, (answer, reference) => {
          const wanted = wordTokens(reference, options);
          if (wanted.length === 0) return undefined;
          return scoreMeteor(wordTokens(answer, options), wanted, { ...options, groups });
        }),
    };
  },
});

/** The stems of the synonyms of a word, by its stem. */
type SynonymGroups = ReadonlyMap<string, ReadonlySet<string>>;

function indexSynonyms(synonyms: readonly (readonly string[])[]): SynonymGroups {
  const groups = new Map<string, Set<string>>();
  for (const group of synonyms) {
    const stems = group.map((word) => stemEnglish(word.toLowerCase()));
    for (const stem of stems) groups.set(stem, new Set([...(groups.get(stem) ?? []), ...stems]));
  }
  return groups;
}

interface MeteorOptions {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly groups: SynonymGroups;
}

function scoreMeteor(given: readonly string[], wanted: readonly string[], options: MeteorOptions): Agreement {
  const { alpha, beta, gamma, groups } = options;
  const pairs = alignWords(given, wanted, groups);
  if (pairs.length === 0) return { value: 0, evidence: { matched: 0, chunks: 0 } };
  const precision = pairs.length / given.length;
  const recall = pairs.length / wanted.length;
  const mean = (precision * recall) / (alpha * precision + (1 - alpha) * recall);
  const chunks = countChunks(pairs);
  const value = (1 - gamma * (chunks / pairs.length) ** beta) * mean;
  return { value, evidence: { precision, recall, matched: pairs.length, chunks } };
}

/** A word of the answer and its partner in the expected answer, by their positions. */
type Pair = readonly [given: number, wanted: number];

/**
 * Pairs words in three passes: equal words, equal stems, synonyms. Each pass goes backwards through the answer and takes
 * the last free partner, as NLTK does; another pairing may have fewer crossings.
 */
function alignWords(given: readonly string[], wanted: readonly string[], groups: SynonymGroups): Pair[] {
  const partners = new Map<number, number>();
  const pass = (form: (word: string) => string, others: (form: string) => Iterable<string>) => {
    const taken = new Set(partners.values());
    const free = new Map<string, number[]>();
    for (const [place, word] of wanted.entries()) {
      if (taken.has(place)) continue;
      const places = free.get(form(word)) ?? [];
      places.push(place);
      free.set(form(word), places);
    }
    for (let place = given.length - 1; place >= 0; place--) {
      if (partners.has(place)) continue;
      const lists = Array.from(others(form(given[place] ?? '')), (other) => free.get(other) ?? []);
      const last = lists.reduce<number[]>((best, list) => (lastOf(list) > lastOf(best) ? list : best), []);
      const partner = last.pop();
      if (partner !== undefined) partners.set(place, partner);
    }
  };
  pass(
    (word) => word,
    (word) => [word],
  );
  pass(stemEnglish, (stem) => [stem]);
  if (groups.size > 0) pass(stemEnglish, (stem) => groups.get(stem) ?? []);
  return [...partners].sort(([first], [second]) => first - second);
}

function lastOf(places: readonly number[]): number {
  return places.at(-1) ?? -1;
}

/** Counts the runs of pairs that are next to each other in both texts. */
function countChunks(pairs: readonly Pair[]): number {
  return pairs.filter(([given, wanted], index) => {
    const [givenBefore, wantedBefore] = pairs[index - 1] ?? [-2, -2];
    return given !== givenBefore + 1 || wanted !== wantedBefore + 1;
  }).length;
}
