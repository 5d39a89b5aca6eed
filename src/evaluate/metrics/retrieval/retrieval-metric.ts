import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { gradedDocument } from '../../../core/schema/expected.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { RetrievedDocument } from '../../../core/schema/trial.ts';
import type { Metric } from '../metric.ts';
import { type MatchedRanking, matchDocuments } from './match-documents.ts';
import { findRepeatedId, type JudgedRanking, judgeRanking, rankDocuments } from './measures.ts';
import { notApplicable, reaches, thresholdOption } from '../verdicts.ts';

/** The options of every retrieval metric. */
export const rankingOptions = lazily(() =>
  z.strictObject({
    order: z
      .enum(['given', 'score', 'trec'])
      .default('given')
      .describe(
        'The order of the documents. `given`: the list of the bot is its ranking. `score`: by score, highest first, and equal scores as given. `trec`: by score, and equal scores by id, descending, as trec_eval orders files of runs; only exact ids are then the same document.',
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
      .default('keep-first')
      .describe(
        'What to do with a document that was retrieved twice: count its best rank, or leave the attempt unmeasured.',
      ),
    threshold: thresholdOption(),
  }),
);

/** The same options with a cutoff. */
export const cutoffOptions = lazily(() =>
  rankingOptions().extend({
    k: z.int().min(1).optional().describe('The number of first documents that count; all when absent.'),
  }),
);

type RetrievalOptions = z.output<ReturnType<typeof rankingOptions>> & {
  readonly k?: number;
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
      if (judgments.length === 0)
        return notApplicable('the question says of no document whether it is relevant');
      if (retrieved === undefined) return notApplicable('the target reported no retrieved documents');
      const repeated = describeRepetition(judgments, retrieved, options.duplicates);
      if (repeated !== undefined) return { status: 'failed', code: 'duplicate-document', reason: repeated };

      const relevances = new Map(judgments.map(({ id, relevance }) => [id, relevance]));
      const ranked = rankDocuments(retrieved, options.order);
      const matched = matchDocuments(ranked, [...relevances.keys()], options.order);
      const ranking = judgeRanking(matched.documents, relevances, { ...options, order: 'given' });
      const value = measure(ranking);
      if (value === null) return notApplicable(reasonFor(ranking));
      return {
        status: 'scored',
        value,
        unit: options.unit,
        passed: reaches(value, options.threshold),
        explanation: [
          explainRanking(ranking, cutoffOf(ranking)),
          ...describeMatches(matched),
          ...describeOrder(retrieved, options.order),
        ].join('; '),
        evidence: showRanking(ranking, matched),
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
function explainRanking({ documents, relevantIds }: JudgedRanking, k: number | undefined): string {
  const first = documents.slice(0, k);
  const found = first.filter(({ isRelevant }) => isRelevant).length;
  const unjudged = first.filter(({ relevance }) => relevance === null).length;
  const among = k === undefined ? `the ${first.length} retrieved` : `the first ${k}`;
  const others = unjudged === 0 ? '' : `, ${unjudged} of which the question does not name`;
  return `${found} of ${relevantIds.length} relevant documents among ${among}${others}`;
}

/** The most names of documents in an explanation. */
const mostNamed = 3;

/** Describes under which other names documents were found, and how many passages were not counted. */
function describeMatches({ documents, repeated }: MatchedRanking): string[] {
  const renamed = documents.filter(({ as }) => as !== undefined);
  const named = renamed.slice(0, mostNamed).map(({ id, as }) => `${id} found as ${shorten(as ?? '', 60)}`);
  const more = renamed.length > named.length ? [`${renamed.length - named.length} more like that`] : [];
  const again = repeated === 1 ? '1 further passage is' : `${repeated} further passages are`;
  const passages = repeated === 0 ? [] : [`${again} of an earlier document, and not counted again`];
  return [...named, ...more, ...passages];
}

/**
 * Returns the relevant documents that were found, with their ranks, and those that were missed; the first few of each.
 */
function showRanking({ documents, relevantIds }: JudgedRanking, matched: MatchedRanking): Json {
  const names = new Map(matched.documents.map((document) => [document.id, document]));
  const found = documents.flatMap(({ id, relevance, isRelevant }, index) => {
    if (!isRelevant) return [];
    const { as, by } = names.get(id) ?? {};
    return [{ id, rank: index + 1, relevance, ...(as !== undefined && by !== undefined && { as, by }) }];
  });
  const foundIds = new Set(found.map(({ id }) => id));
  const missed = relevantIds.filter((id) => !foundIds.has(id));
  return {
    retrieved: documents.length,
    relevant: relevantIds.length,
    unjudged: documents.filter(({ relevance }) => relevance === null).length,
    ...(matched.repeated > 0 && { repeated: matched.repeated }),
    found: found.slice(0, mostListed),
    missed: missed.slice(0, mostListed),
  };
}

/** Describes an order that may surprise: it is not the order of the scores, or scores changed it or could not be used. */
function describeOrder(retrieved: readonly RetrievedDocument[], order: RetrievalOptions['order']): string[] {
  const unscored = retrieved.filter(({ score }) => score === undefined).length;
  const isByScore = rankDocuments(retrieved, 'score') === retrieved;
  if (order === 'given') return isByScore ? [] : ['in the order given, which is not the order of the scores'];
  if (unscored > 0 && unscored < retrieved.length)
    return [`in the order given, as ${unscored} of ${retrieved.length} documents have no score`];
  return rankDocuments(retrieved, order) === retrieved
    ? []
    : ['ranked by score, which is not the order given'];
}

function describeRepetition(
  judgments: readonly { readonly id: string }[],
  retrieved: readonly { readonly id: string }[],
  duplicates: RetrievalOptions['duplicates'],
): string | undefined {
  const judged = findRepeatedId(judgments);
  if (judged !== undefined) return `the question lists the document ${judged} twice`;
  const found = duplicates === 'refuse' ? findRepeatedId(retrieved) : undefined;
  if (found === undefined) return undefined;
  return `the document ${found} was retrieved twice; give each passage an id of its own, or remove \`duplicates: refuse\``;
}

function reasonFor({ relevantIds }: JudgedRanking): string {
  return relevantIds.length === 0 ? 'no document is judged relevant' : 'nothing was retrieved';
}
