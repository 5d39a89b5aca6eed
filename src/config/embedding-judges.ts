import { createEmbeddingJudge } from '../judges/embedding-judge.ts';
import type { Judge } from '../judges/judge.ts';
import type { MetricNeeds } from '../metrics/metric.ts';
import type { Embedder } from '../models/embedder.ts';
import type { ResolveNeeds } from './resolve-needs.ts';

/** Makes the judges of an embedding model: one for all metrics with the same time limit, so that they ask together. */
export function createEmbeddingJudges(
  embedder: Embedder,
  { environment }: Pick<ResolveNeeds, 'environment'>,
): NonNullable<MetricNeeds['embedder']> {
  const judges = new Map<number, Judge>();
  return ({ timeLimitMs }) => {
    const judge = judges.get(timeLimitMs) ?? createEmbeddingJudge(embedder, { timeLimitMs, environment });
    judges.set(timeLimitMs, judge);
    return judge;
  };
}
