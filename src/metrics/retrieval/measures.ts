import type { RetrievedDocument } from '../../schema/trial.ts';

// The measures of information retrieval as trec_eval 10 computes them. Each is null where it is undefined: without a
// relevant document. Without a cutoff `k` the whole ranking counts.

/** Relevant documents among the first k, as a share of k, however few were retrieved; without k, of those retrieved. */
export function precisionAt(ranking: JudgedRanking, k?: number): number | null {
  if (ranking.relevantIds.length === 0) return null;
  const size = k ?? ranking.documents.length;
  return size === 0 ? 0 : countHits(ranking, k) / size;
}

/** Share of all relevant documents that are among the first k. */
export function recallAt(ranking: JudgedRanking, k?: number): number | null {
  return divide(countHits(ranking, k), ranking.relevantIds.length);
}

/** Harmonic mean of precision and recall at k; 0 when both are 0. */
export function f1At(ranking: JudgedRanking, k?: number): number | null {
  const precision = precisionAt(ranking, k);
  const recall = recallAt(ranking, k);
  if (precision === null || recall === null) return null;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** 1 when any relevant document is among the first k, else 0 (trec_eval's `success`). */
export function hitRateAt(ranking: JudgedRanking, k?: number): number | null {
  return ranking.relevantIds.length === 0 ? null : Math.min(countHits(ranking, k), 1);
}

/** 1 / rank of the first relevant document among the first k; 0 when there is none. */
export function reciprocalRankAt(ranking: JudgedRanking, k?: number): number | null {
  if (ranking.relevantIds.length === 0) return null;
  const index = ranking.documents.slice(0, k).findIndex(({ isRelevant }) => isRelevant);
  return index === -1 ? 0 : 1 / (index + 1);
}

/** Mean of the precisions at the ranks of all relevant documents; one that is not among the first k adds 0. */
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

/** Precision at R, the number of relevant documents. */
export function rPrecisionOf(ranking: JudgedRanking): number | null {
  const { length } = ranking.relevantIds;
  return length === 0 ? null : precisionAt(ranking, length);
}

/** What a relevance adds to the gain: itself (trec_eval), or 2^relevance - 1 (Burges et al. 2005). */
export type GainRule = 'linear' | 'exponential';

/**
 * Normalized discounted cumulative gain at k: sum of gain / log2(rank + 1), divided by that of the best ranking of
 * all judged documents (Järvelin and Kekäläinen 2002, discounted from the first rank as in trec_eval).
 */
export function ndcgAt(
  ranking: JudgedRanking,
  { k, gain = 'linear' }: { readonly k?: number | undefined; readonly gain?: GainRule } = {},
): number | null {
  const ideal = discountedGain(ranking.idealRelevances.slice(0, k), gain);
  const relevances = ranking.documents.slice(0, k).map(({ relevance }) => relevance ?? 0);
  return divide(discountedGain(relevances, gain), ideal);
}

/** Share of the first k documents that have a judgment, relevant or not; null when nothing was retrieved. */
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

/** How documents are put in order and what their judgments mean. */
export interface RankingRules {
  /**
   * `trec`, as trec_eval does: by score, highest first, equal scores by id, descending in byte order; the given order
   * when a document has no score. `given`: the given order in any case.
   */
  readonly order: 'trec' | 'given';
  /** Whether documents without a judgment keep their rank as not relevant, or are taken out (trec_eval's `-J`). */
  readonly unjudged: 'non-relevant' | 'left-out';
  /** Least relevance of a relevant document (trec_eval's `-l`); anything above 0 when left out. */
  readonly minRelevance?: number | undefined;
}

/** A document at its rank. */
interface JudgedDocument {
  readonly id: string;
  /** null without a judgment. */
  readonly relevance: number | null;
  readonly isRelevant: boolean;
}

/** A ranking held against the judgments of its query: all that the measures need. */
export interface JudgedRanking {
  /** Best first. */
  readonly documents: readonly JudgedDocument[];
  /** Ids of all relevant documents, retrieved or not. */
  readonly relevantIds: readonly string[];
  /** Every relevance above 0 that was judged, retrieved or not, highest first: the ideal ranking. */
  readonly idealRelevances: readonly number[];
}

/** The documents best first. Where they have their order already, the same list. */
export function rankDocuments(
  documents: readonly RetrievedDocument[],
  order: RankingRules['order'],
): readonly RetrievedDocument[] {
  if (order === 'given' || documents.some(({ score }) => score === undefined)) return documents;
  const ranked = documents.toSorted(
    (a, b) => (b.score ?? 0) - (a.score ?? 0) || Buffer.compare(Buffer.from(b.id), Buffer.from(a.id)),
  );
  return ranked.every((document, index) => document === documents[index]) ? documents : ranked;
}

/** The first id that an earlier document of the list has too. */
export function findRepeatedId(documents: readonly { readonly id: string }[]): string | undefined {
  const seen = new Set<string>();
  return documents.find(({ id }) => seen.size === seen.add(id).size)?.id;
}

/** The documents without those whose id came before. */
export function keepFirst<Document extends { readonly id: string }>(
  documents: readonly Document[],
): Document[] {
  const seen = new Set<string>();
  return documents.filter(({ id }) => seen.size < seen.add(id).size);
}

/**
 * Holds retrieved documents against judgments (id to relevance; a negative one is none, as in trec_eval). Throws
 * `RangeError` when a document is retrieved twice: recall could exceed 1.
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
    relevantIds: [...judgments.keys()].filter((id) => isRelevant(judgments.get(id) ?? -1)),
    idealRelevances: [...judgments.values()].filter((relevance) => relevance > 0).sort((a, b) => b - a),
  };
}
