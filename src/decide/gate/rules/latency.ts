import { quantile } from '../../../core/stats/quantile.ts';
import { type Finding, notMeasured } from '../gate-rule.ts';
import type { GateRuleKind } from './rule-kind.ts';
import { evaluateWithGaps, type Scenario } from './evaluate-mean.ts';
import { formatCount } from '../phrases.ts';
import type { Reading } from '../reading.ts';
import { planMean } from '../watch/plan-mean.ts';

const shares = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;

/**
 * The rule that a nearest-rank percentile of the trials is low enough. A trial without a time may have taken any
 * time.
 */
export const latencyRule: GateRuleKind<'latency'> = {
  type: 'latency',
  reads: 'times',
  decide: ({ percentile, atMostMs }, { latencies, summary, run }) => {
    const { planned } = summary.counts;
    const missing = Math.max(0, planned - latencies.length);
    if (latencies.length === 0) return notMeasured('no attempt has a time', { threshold: atMostMs });
    const evaluate = (scenario: Scenario): Finding => {
      const value = percentileInScenario(scenario, { latencies, missing, share: shares[percentile] });
      const isMissed = value > atMostMs;
      const time = Number.isFinite(value) ? `${Math.round(value)} ms` : 'unbounded';
      return {
        outcome: isMissed ? 'fail' : 'pass',
        reason: `the ${percentile} of the latency, ${time}, is ${isMissed ? 'over' : 'at most'} ${atMostMs} ms`,
        arithmetic: `nearest-rank ${percentile} of ${formatCount(latencies.length, 'attempt')} ${time}`,
        value: Number.isFinite(value) ? value : null,
        threshold: atMostMs,
        n: latencies.length,
      };
    };
    return evaluateWithGaps({ planned, missing }, run.gate.minCoverage, evaluate);
  },
  // A percentile is at most a limit when that share of the trials is: the mean of values that are 1 or 0.
  watch: ({ percentile, atMostMs }, place) => {
    const within = place.numbers.read(`within ${atMostMs}`, readIsWithin(atMostMs));
    const what = `the share of attempts within ${atMostMs} ms`;
    return planMean(
      { relation: 'at-least', threshold: shares[percentile], confidence: undefined, what },
      within,
      place,
    );
  },
};

interface Times {
  readonly latencies: readonly number[];
  readonly missing: number;
  readonly share: number;
}

function percentileInScenario(scenario: Scenario, { latencies, missing, share }: Times): number {
  const all = latencies.length + missing;
  const fast = scenario === 'best' ? missing : 0;
  // Unknown times lie at one end: the rank among all is a rank among the known times, or beyond them.
  const rank = scenario === 'measured' ? share * latencies.length : share * all - fast;
  if (rank > latencies.length + 1e-9) return Infinity;
  if (rank <= 0) return 0;
  const p = Math.min(1, rank / latencies.length);
  return quantile({ values: latencies, p, method: 'nearest-rank' }).value ?? Infinity;
}

/** Creates a reading of whether a trial took at most a number of milliseconds. */
function readIsWithin(atMostMs: number): Reading {
  return {
    unit: () => undefined,
    read: ({ trial }) => {
      const time = trial.status === 'completed' ? trial.latency?.totalMs : undefined;
      if (time === undefined) return { status: 'missing', low: 0, high: 1 };
      return { status: 'measured', value: Number(time <= atMostMs) };
    },
  };
}
