import { quantile } from '../../stats/quantile.ts';
import { type Finding, type GateRuleKind, notMeasured } from './gate-rule.ts';
import { holdWithGaps, type Supposition } from './evaluate-mean.ts';
import { sayPlural } from './phrases.ts';

const shares = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;

/** A nearest-rank percentile of the trials is low enough. A trial without a time could have taken for ever, or none. */
export const latencyRule: GateRuleKind<'latency'> = {
  type: 'latency',
  decide: ({ percentile, atMostMs }, { latencies, summary, run }) => {
    const { planned } = summary.counts;
    const missing = Math.max(0, planned - latencies.length);
    if (latencies.length === 0) return notMeasured('no trial has a time', { threshold: atMostMs });
    const judge = (supposition: Supposition): Finding => {
      const value = percentileUnder(supposition, { latencies, missing, share: shares[percentile] });
      const isMissed = value > atMostMs;
      const said = Number.isFinite(value) ? `${Math.round(value)} ms` : 'without an end';
      return {
        outcome: isMissed ? 'fail' : 'pass',
        reason: `the ${percentile} of the latency, ${said}, is ${isMissed ? '' : 'not '}over ${atMostMs} ms`,
        arithmetic: `nearest-rank ${percentile} of ${sayPlural(latencies.length, 'trial')} ${said}`,
        value: Number.isFinite(value) ? value : null,
        threshold: atMostMs,
        n: latencies.length,
      };
    };
    return holdWithGaps({ planned, missing }, run.gate.minCoverage, judge);
  },
};

interface Times {
  readonly latencies: readonly number[];
  readonly missing: number;
  readonly share: number;
}

function percentileUnder(supposition: Supposition, { latencies, missing, share }: Times): number {
  const all = latencies.length + missing;
  const fast = supposition === 'best' ? missing : 0;
  // Unknown times lie at one end: the rank among all is one among the known, or beyond them.
  const rank = supposition === 'measured' ? share * latencies.length : share * all - fast;
  if (rank > latencies.length + 1e-9) return Infinity;
  if (rank <= 0) return 0;
  const p = Math.min(1, rank / latencies.length);
  return quantile({ values: latencies, p, method: 'nearest-rank' }).value ?? Infinity;
}
