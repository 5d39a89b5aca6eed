import type { RetrievedDocument } from '../../schema/trial.ts';

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
export interface JudgedDocument {
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
