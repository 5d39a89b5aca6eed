import type { RetrievedDocument } from '../../../core/schema/trial.ts';

// The measures of information retrieval as trec_eval 10 computes them. Each is null when it is undefined, that is
// without a relevant document. Without a cutoff `k` the whole ranking counts.

/**
 * Returns the number of relevant documents among the first k divided by k, even when fewer were retrieved; without k,
 * divided by the number retrieved.
 */
export function precisionAt(ranking: JudgedRanking, k?: number): number | null {
  if (ranking.relevantIds.length === 0) return null;
  const size = k ?? ranking.documents.length;
  return size === 0 ? 0 : countHits(ranking, k) / size;
}

/** Returns the share of all relevant documents that are among the first k. */
export function recallAt(ranking: JudgedRanking, k?: number): number | null {
  return divide(countHits(ranking, k), ranking.relevantIds.length);
}

/** Returns the harmonic mean of precision and recall at k; 0 when both are 0. */
export function f1At(ranking: JudgedRanking, k?: number): number | null {
  const precision = precisionAt(ranking, k);
  const recall = recallAt(ranking, k);
  if (precision === null || recall === null) return null;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** Returns 1 when any relevant document is among the first k, else 0 (trec_eval's `success`). */
export function hitRateAt(ranking: JudgedRanking, k?: number): number | null {
  return ranking.relevantIds.length === 0 ? null : Math.min(countHits(ranking, k), 1);
}

/** Returns 1 / rank of the first relevant document among the first k; 0 when there is none. */
export function reciprocalRankAt(ranking: JudgedRanking, k?: number): number | null {
  if (ranking.relevantIds.length === 0) return null;
  const index = ranking.documents.slice(0, k).findIndex(({ isRelevant }) => isRelevant);
  return index === -1 ? 0 : 1 / (index + 1);
}

/**
 * Returns the mean of the precisions at the ranks of all relevant documents; one that is not among the first k adds 0.
 */
export function averagePrecisionAt(ranking: JudgedRanking, k?: number): number | null {
  let hits = 0;
  let sum = 0;
  for (const [index, { isRelevant }] of ranking.documents.slice(0, k).entries()) {
    if (!isRelevant) continue;
    hits += 1;
    sum += hits / (index + 1);
  }
  return divide(sum, ranking.relevantIds.length);
}

/** Returns the precision at R, the number of relevant documents. */
export function rPrecisionOf(ranking: JudgedRanking): number | null {
  const { length } = ranking.relevantIds;
  return length === 0 ? null : precisionAt(ranking, length);
}

/** The gain of a relevance: itself (trec_eval), or 2^relevance - 1 (Burges et al. 2005). */
export type GainRule = 'linear' | 'exponential';

/**
 * Returns the normalized discounted cumulative gain at k: the sum of gain / log2(rank + 1), divided by the gain of the best
 * ranking of all judged documents (Järvelin and Kekäläinen 2002, discounted from the first rank as in trec_eval).
 */
export function ndcgAt(
  ranking: JudgedRanking,
  { k, gain = 'linear' }: { readonly k?: number; readonly gain?: GainRule } = {},
): number | null {
  const ideal = discountedGain(ranking.idealRelevances.slice(0, k), gain);
  const relevances = ranking.documents.slice(0, k).map(({ relevance }) => relevance ?? 0);
  return divide(discountedGain(relevances, gain), ideal);
}

/** Returns the discounted cumulative gain at k itself, in units of gain: 0 when nothing relevant was found. */
export function dcgAt(
  ranking: JudgedRanking,
  { k, gain = 'linear' }: { readonly k?: number; readonly gain?: GainRule } = {},
): number | null {
  if (ranking.idealRelevances.length === 0) return null;
  const relevances = ranking.documents.slice(0, k).map(({ relevance }) => relevance ?? 0);
  return discountedGain(relevances, gain);
}

/**
 * Returns rank-biased precision (Moffat and Zobel 2008): the sum of (1 - p) · p^(rank - 1) over the relevant documents,
 * for a reader who goes on to the next document with probability p. Documents that were not retrieved count as not
 * relevant, so it is a lower bound.
 */
export function rankBiasedPrecisionAt(
  ranking: JudgedRanking,
  { p, k }: { readonly p: number; readonly k?: number },
): number | null {
  if (ranking.relevantIds.length === 0) return null;
  const first = ranking.documents.slice(0, k);
  return first.reduce((sum, { isRelevant }, index) => sum + (isRelevant ? (1 - p) * p ** index : 0), 0);
}

/**
 * Returns the binary preference of trec_eval (Buckley and Voorhees 2004): the mean over the relevant documents of
 * 1 - n / min(N, R), where n of the N documents judged not relevant, at most R of them, stand before it. Documents
 * without a judgment do not count at all.
 */
export function binaryPreferenceOf({ documents, relevantIds, nonRelevant }: JudgedRanking): number | null {
  const most = relevantIds.length;
  let before = 0;
  let sum = 0;
  for (const { relevance, isRelevant } of documents) {
    if (isRelevant) sum += before === 0 ? 1 : 1 - Math.min(before, most) / Math.min(nonRelevant, most);
    else if (relevance !== null) before++;
  }
  return divide(sum, most);
}

/**
 * Returns the share of the first k documents that have a judgment, relevant or not; null when nothing was retrieved.
 */
export function judgedAt({ documents }: JudgedRanking, k?: number): number | null {
  const first = documents.slice(0, k);
  return divide(first.filter(({ relevance }) => relevance !== null).length, first.length);
}

function countHits({ documents }: JudgedRanking, k: number | undefined): number {
  return documents.slice(0, k).filter(({ isRelevant }) => isRelevant).length;
}

function discountedGain(relevances: readonly number[], rule: GainRule): number {
  const gains = relevances.map((relevance) => (rule === 'linear' ? relevance : 2 ** relevance - 1));
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

function divide(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** The rules that order documents and interpret their judgments. */
export interface RankingRules {
  /**
   * `given`: the given order. `score`: by score, highest first, and equal scores in the given order. `trec`, as in trec_eval: by
   * score, and equal scores by id, descending in byte order. Both keep the given order when a document has no score.
   */
  readonly order: 'given' | 'score' | 'trec';
  /**
   * The treatment of documents without a judgment: they keep their rank as not relevant, or are removed (trec_eval's
   * `-J`).
   */
  readonly unjudged: 'non-relevant' | 'left-out';
  /** The least relevance of a relevant document (trec_eval's `-l`); when absent, anything above 0 is relevant. */
  readonly minRelevance?: number;
}

/** A document at its rank. */
interface JudgedDocument {
  readonly id: string;
  /** The judged relevance; null without a judgment. */
  readonly relevance: number | null;
  readonly isRelevant: boolean;
}

/** A ranking joined with the judgments of its query: the input of all measures. */
export interface JudgedRanking {
  /** The documents, best first. */
  readonly documents: readonly JudgedDocument[];
  /** The ids of all relevant documents, retrieved or not. */
  readonly relevantIds: readonly string[];
  /** The number of documents that are judged not relevant, retrieved or not. */
  readonly nonRelevant: number;
  /** All judged relevances above 0, retrieved or not, highest first: the ideal ranking. */
  readonly idealRelevances: readonly number[];
}

/** Returns the documents, best first; the same list when it is in that order already. */
export function rankDocuments(
  documents: readonly RetrievedDocument[],
  order: RankingRules['order'],
): readonly RetrievedDocument[] {
  if (order === 'given' || documents.some(({ score }) => score === undefined)) return documents;
  const compareIds = (a: RetrievedDocument, b: RetrievedDocument) =>
    order === 'trec' ? Buffer.compare(Buffer.from(b.id), Buffer.from(a.id)) : 0;
  const ranked = documents.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0) || compareIds(a, b));
  return ranked.every((document, index) => document === documents[index]) ? documents : ranked;
}

/** Returns the first id that occurs twice in a list; undefined when there is none. */
export function findRepeatedId(documents: readonly { readonly id: string }[]): string | undefined {
  const seen = new Set<string>();
  return documents.find(({ id }) => seen.size === seen.add(id).size)?.id;
}

/**
 * Joins retrieved documents with judgments (id to relevance; a negative relevance counts as no judgment, as in
 * trec_eval). Throws `RangeError` when a document is retrieved twice, because recall could exceed 1.
 */
export function judgeRanking(
  retrieved: readonly RetrievedDocument[],
  judgments: ReadonlyMap<string, number>,
  { order, unjudged, minRelevance = 0 }: RankingRules,
): JudgedRanking {
  const repeated = findRepeatedId(retrieved);
  if (repeated !== undefined) throw new RangeError(`the document ${repeated} is retrieved twice`);
  const isRelevant = (relevance: number) => relevance > 0 && relevance >= minRelevance;
  const documents = rankDocuments(retrieved, order).map(({ id }) => {
    const judged = judgments.get(id) ?? -1;
    return { id, relevance: judged < 0 ? null : judged, isRelevant: isRelevant(judged) };
  });
  const hasRank = ({ relevance }: JudgedDocument) => unjudged === 'non-relevant' || relevance !== null;
  return {
    documents: documents.filter(hasRank),
    nonRelevant: [...judgments.values()].filter((judged) => judged >= 0 && !isRelevant(judged)).length,
    relevantIds: [...judgments.keys()].filter((id) => isRelevant(judgments.get(id) ?? -1)),
    idealRelevances: [...judgments.values()].filter((relevance) => relevance > 0).sort((a, b) => b - a),
  };
}
