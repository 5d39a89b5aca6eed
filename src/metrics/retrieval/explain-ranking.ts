import type { Json } from '../../schema/json.ts';
import type { JudgedRanking } from './ranking.ts';

/** Ids listed as evidence, at most: a query can have thousands of relevant documents. */
const mostListed = 20;

/** One line on a ranking: how much of what is relevant stands among the first k, and by what it was put in order. */
export function explainRanking(
  { documents, relevantIds }: JudgedRanking,
  { k, order }: { readonly k: number | undefined; readonly order: string | undefined },
): string {
  const first = documents.slice(0, k);
  const found = first.filter(({ isRelevant }) => isRelevant).length;
  const unjudged = first.filter(({ relevance }) => relevance === null).length;
  const among = k === undefined ? `the ${first.length} retrieved` : `the first ${k}`;
  return `${found} of ${relevantIds.length} relevant documents among ${among}, ${unjudged} of them not judged${order === undefined ? '' : `; ${order}`}`;
}

/** The relevant documents that were found, with their ranks, and those that were not; the first few of each. */
export function showRanking({ documents, relevantIds }: JudgedRanking): Json {
  const found = documents.flatMap(({ id, relevance, isRelevant }, index) =>
    isRelevant ? [{ id, rank: index + 1, relevance }] : [],
  );
  const foundIds = new Set(found.map(({ id }) => id));
  const missed = relevantIds.filter((id) => !foundIds.has(id));
  return {
    retrieved: documents.length,
    relevant: relevantIds.length,
    unjudged: documents.filter(({ relevance }) => relevance === null).length,
    found: found.slice(0, mostListed),
    missed: missed.slice(0, mostListed),
  };
}
