import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import { gradedDocument } from '../../schema/expected.ts';
import type { Json } from '../../schema/json.ts';
import type { RetrievedDocument } from '../../schema/trial.ts';
import type { Verdict } from '../../schema/verdict.ts';
import type { Metric } from '../metric.ts';
import { findRepeatedId, type JudgedRanking, judgeRanking, keepFirst, rankDocuments } from './measures.ts';

/** The options of every retrieval metric. */
export const rankingOptions = lazily(() =>
  z.strictObject({
    order: z
      .enum(['trec', 'given'])
      .default('trec')
      .describe(
        'The order of the documents. `trec`: by score, highest first, and equal scores by id, descending, as in trec_eval; without scores the given order. `given`: always the given order, as for scores that are distances.',
      ),
    unjudged: z
      .enum(['non-relevant', 'left-out'])
      .default('non-relevant')
      .describe(
        'The treatment of documents without a judgment: they count as not relevant, or are removed first.',
      ),
    minRelevance: z
      .number()
      .positive()
      .optional()
      .describe('Least relevance of a relevant document; anything above 0 when absent.'),
    duplicates: z
      .enum(['refuse', 'keep-first'])
      .default('refuse')
      .describe(
        'The treatment of a document that was retrieved twice: the trial is not measured, or the best rank is kept.',
      ),
    threshold: z.number().min(0).max(1).optional().describe('The least value that passes.'),
  }),
);

/** The same options with a cutoff. */
export const cutoffOptions = lazily(() =>
  rankingOptions().extend({
    k: z.int().min(1).optional().describe('The number of first documents that count; all when absent.'),
  }),
);

type RetrievalOptions = z.output<ReturnType<typeof rankingOptions>> & {
  readonly k?: number | undefined;
  /** The unit of a measure that is not a share. */
  readonly unit?: string;
};

/** A measure of a ranking; null when it is undefined. */
type Measure = (ranking: JudgedRanking) => number | null;

/**
 * Creates a metric from a measure. When the measure is undefined, the verdict is `not-applicable`, never 0.
 * @param cutoffOf - Returns how many of the first documents the measure counts; the explanation shows it.
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
        ...(options.unit !== undefined && { unit: options.unit }),
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

/**
 * Returns the documents that the target retrieved; undefined when it reported none, or only documents that the case had
 * given it.
 */
function retrievedOf(
  reported: readonly RetrievedDocument[] | undefined,
): readonly RetrievedDocument[] | undefined {
  if (reported?.some(({ given }) => given) !== true) return reported;
  const found = reported.filter(({ given }) => !given);
  return found.length === 0 ? undefined : found;
}

/** The most ids listed as evidence: a query can have thousands of relevant documents. */
const mostListed = 20;

/** Describes a ranking in one line: how many relevant documents are among the first k, and how they were ordered. */
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

/**
 * Returns the relevant documents that were found, with their ranks, and those that were missed; the first few of each.
 */
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

/**
 * Describes an order that may surprise: scores changed the given order, or could not be used because some are missing.
 */
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
