import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../errors.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { defineMetric } from '../metric.ts';
import {
  emptyReference,
  noReference,
  referenceOptions,
  referencesOf,
  verdictOf,
} from '../text/references.ts';

/** Trials whose vectors are asked for at a time; the embedding model has limits of its own. */
const concurrency = 8;

/**
 * Cosine of the angle between the answer and the expected answer in the space of an embedding model; below 0 counts as 0,
 * and with several expected answers the nearest counts. It measures likeness of subject: contradictions score high too.
 */
export const semanticSimilarity = defineMetric({
  name: 'semantic-similarity',
  family: 'similarity',
  version: 1,
  summary: 'How near in meaning the answer is to the expected one, by an embedding model.',
  options: () =>
    referenceOptions().extend({
      timeLimitMs: z
        .number()
        .positive()
        .default(60_000)
        .describe('Most milliseconds for the embedding model.'),
    }),
  create: (options, { embedder }) => {
    if (embedder === undefined) {
      throw new TouchstoneError(
        'config-invalid',
        'The metric semantic-similarity needs an embedding model.',
        {
          remedy: 'Configure one as `embedder`, or leave the metric out.',
        },
      );
    }
    return {
      concurrency,
      score: async ({ case: testCase, trial }, context) => {
        const all = referencesOf(testCase, options.from);
        const references = all.filter((reference) => reference.trim() !== '');
        if (all.length === 0) return noReference(options.from);
        if (references.length === 0) return emptyReference;
        const answer = trial.answer ?? '';
        if (answer.trim() === '')
          return verdictOf({ value: 0, explanation: 'there is no answer' }, options.threshold);
        const limit = AbortSignal.timeout(options.timeLimitMs);
        const signal = context === undefined ? limit : AbortSignal.any([limit, context.signal]);
        try {
          const vectors = await embedder.embed([answer, ...references], { signal });
          return compare(vectors, { references, embedder: embedder.name, threshold: options.threshold });
        } catch (error) {
          context?.signal.throwIfAborted();
          const reason = limit.aborted ? `no vectors within ${options.timeLimitMs} ms` : messageOf(error);
          return { status: 'failed', code: 'embedding-failed', reason };
        }
      },
    };
  },
});

interface Compared {
  readonly references: readonly string[];
  readonly embedder: string;
  readonly threshold: number | undefined;
}

function compare(
  [answer = [], ...others]: number[][],
  { references, embedder, threshold }: Compared,
): Verdict {
  const cosines = references.map((_, index) => cosine(answer, others[index] ?? []));
  const best = Math.max(...cosines);
  if (!Number.isFinite(best)) {
    const reason = `${embedder} gave vectors that cannot be compared: empty, zero or of different lengths`;
    return { status: 'failed', code: 'embedding-invalid', reason };
  }
  const evidence = { cosine: best, reference: references[cosines.indexOf(best)] ?? '', embedder };
  return verdictOf({ value: Math.min(Math.max(best, 0), 1), evidence }, threshold);
}

/** Not a number where either has no direction. */
function cosine(first: readonly number[], second: readonly number[]): number {
  if (first.length !== second.length) return Number.NaN;
  return dot(first, second) / Math.sqrt(dot(first, first) * dot(second, second));
}

function dot(first: readonly number[], second: readonly number[]): number {
  let sum = 0;
  for (const [index, value] of first.entries()) sum += value * (second[index] ?? 0);
  return sum;
}
