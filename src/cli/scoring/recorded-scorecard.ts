import type { Config } from '../../config/config.ts';

/** A scorecard by which a recorded verdict alone decides, with the metrics that are worth holding against it. */
export function recordedScorecard(column: string): Pick<Config, 'scorecard' | 'metrics'> {
  const metric = { use: 'recorded-score', name: column, field: column };
  return {
    scorecard: { use: 'weighted', name: 'recorded', criteria: [{ metric, weight: 1, required: true }] },
    metrics: ['tool-calls', 'tool-usage', 'latency'],
  };
}
