import type { SequentialDecision } from '../../schema/decision.ts';
import type { TargetSummary } from '../../schema/summary.ts';

/** What was asked of some targets, and what it would have taken to ask the rest. */
export function sumSaved(
  targets: readonly TargetSummary[],
): Required<Pick<SequentialDecision, 'asked' | 'planned' | 'saved'>> {
  const all = targets.map(savedOn);
  const sum = (part: (saved: (typeof all)[number]) => number | null) =>
    all.reduce<number | null>((total, each) => {
      const amount = part(each);
      return total === null || amount === null ? null : total + amount;
    }, 0);
  return {
    asked: all.reduce((total, { asked }) => total + asked, 0),
    planned: all.reduce((total, { planned }) => total + planned, 0),
    saved: {
      calls: all.reduce((total, { calls }) => total + calls, 0),
      cost: sum(({ cost }) => cost),
      answeringMs: sum(({ answeringMs }) => answeringMs),
    },
  };
}

function savedOn({ counts: { planned }, usage: { trials, cost, latency } }: TargetSummary) {
  const calls = Math.max(0, planned - trials);
  const each = cost.sum === null || cost.reported === 0 ? null : cost.sum / cost.reported;
  return {
    asked: trials,
    planned,
    calls,
    cost: each === null ? (calls === 0 ? 0 : null) : each * calls,
    answeringMs: latency === null ? (calls === 0 ? 0 : null) : latency.p50 * calls,
  };
}
