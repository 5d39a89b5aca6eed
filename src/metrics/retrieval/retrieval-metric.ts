import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import { gradedDocument } from '../../schema/case.ts';
import type { Json } from '../../schema/json.ts';
import type { RetrievedDocument } from '../../schema/trial.ts';
import type { Verdict } from '../../schema/verdict.ts';
import type { Metric } from '../metric.ts';
import { findRepeatedId, type JudgedRanking, judgeRanking, keepFirst, rankDocuments } from './measures.ts';

/** Ids listed as evidence, at most: a query can have thousands of relevant documents. */
const mostListed = 20;

/** One line on a ranking: how much of what is relevant stands among the first k, and by what it was put in order. */
function explainRanking(
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
function showRanking({ documents, relevantIds }: JudgedRanking): Json {
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

/** Options that every retrieval metric has. */
export const rankingOptions = lazily(() =>
  z.strictObject({
    order: z
      .enum(['trec', 'given'])
      .default('trec')
      .describe(
        'What ranks the documents. `trec`: their scores, highest first, equal ones by id descending, as in trec_eval; without scores the order given. `given`: always the order given, as for scores that are distances.',
      ),
    unjudged: z
      .enum(['non-relevant', 'left-out'])
      .default('non-relevant')
      .describe('Whether documents without a judgment count as not relevant, or are taken out first.'),
    minRelevance: z
      .number()
      .positive()
      .optional()
      .describe('Least relevance of a relevant document; anything above 0 when left out.'),
    duplicates: z
      .enum(['refuse', 'keep-first'])
      .default('refuse')
      .describe(
        'What to do with a document that was retrieved twice: measure nothing, or keep its best rank.',
      ),
    threshold: z.number().min(0).max(1).optional().describe('Least value for the verdict to pass.'),
  }),
);

/** The same with a cutoff. */
export const cutoffOptions = lazily(() =>
  rankingOptions().extend({
    k: z.int().min(1).optional().describe('How many of the first documents count; all when left out.'),
  }),
);

type RetrievalOptions = z.output<ReturnType<typeof rankingOptions>> & { readonly k?: number | undefined };

/** The documents that the target found; undefined when it reported none, or only those that it was given. */
function retrievedOf(
  reported: readonly RetrievedDocument[] | undefined,
): readonly RetrievedDocument[] | undefined {
  if (reported?.some(({ given }) => given) !== true) return reported;
  const found = reported.filter(({ given }) => !given);
  return found.length === 0 ? undefined : found;
}

/** A measure of one ranking; null where it is undefined. */
type Measure = (ranking: JudgedRanking) => number | null;

/**
 * Makes a metric of a measure. Where the measure is undefined, the verdict is `not-applicable`, never 0.
 * @param cutoffOf - How many of the first documents the measure looks at, for its explanation.
 */
export function createRetrievalMetric(
  options: RetrievalOptions,
  measure: Measure,
  cutoffOf: (ranking: JudgedRanking) => number | undefined = () => options.k,
): Metric {
  return {
    score: ({ case: testCase, trial: { documents: reported } }) => {
      const retrieved = retrievedOf(reported);
      const judgments = testCase.expected.documents?.map(gradedDocument) ?? [];
      if (judgments.length === 0) return notApplicable('the case judges no document');
      if (retrieved === undefined) return notApplicable('the target reported no retrieved documents');
      const repeated = describeRepetition(judgments, retrieved, options.duplicates);
      if (repeated !== undefined) return { status: 'failed', code: 'duplicate-document', reason: repeated };

      const documents = rankDocuments(retrieved, options.order);
      const relevances = new Map(judgments.map(({ id, relevance }) => [id, relevance]));
      const ranking = judgeRanking(keepFirst(documents), relevances, { ...options, order: 'given' });
      const value = measure(ranking);
      if (value === null) return notApplicable(reasonFor(ranking));
      return {
        status: 'scored',
        value,
        passed: options.threshold === undefined ? undefined : value >= options.threshold - 1e-9,
        explanation: explainRanking(ranking, {
          k: cutoffOf(ranking),
          order: describeOrder(retrieved, options.order),
        }),
        evidence: showRanking(ranking),
      };
    },
  };
}

/** What a reader would not expect of the order: that scores change it, or that they cannot, as some are missing. */
function describeOrder(
  retrieved: readonly RetrievedDocument[],
  order: RetrievalOptions['order'],
): string | undefined {
  const unscored = retrieved.filter(({ score }) => score === undefined).length;
  if (order === 'trec' && unscored > 0 && unscored < retrieved.length)
    return `in the order given, as ${unscored} of ${retrieved.length} documents have no score`;
  return rankDocuments(retrieved, order) === retrieved
    ? undefined
    : 'ranked by score, which is not the order given';
}

function describeRepetition(
  judgments: readonly { readonly id: string }[],
  retrieved: readonly { readonly id: string }[],
  duplicates: RetrievalOptions['duplicates'],
): string | undefined {
  const judged = findRepeatedId(judgments);
  if (judged !== undefined) return `the case judges the document ${judged} twice`;
  const found = duplicates === 'refuse' ? findRepeatedId(retrieved) : undefined;
  if (found === undefined) return undefined;
  return `the document ${found} was retrieved twice; give each passage an id of its own, or set duplicates to keep-first`;
}

function reasonFor({ relevantIds }: JudgedRanking): string {
  return relevantIds.length === 0 ? 'no document is judged relevant' : 'nothing was retrieved';
}

function notApplicable(reason: string): Verdict {
  return { status: 'not-applicable', reason };
}
