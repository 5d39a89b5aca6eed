import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { settleAttempts } from '../../stats/repeats/settle-attempts.ts';
import { attemptResult } from '../../analysis/attempts/attempt-result.ts';
import { curtailingRule } from '../../analysis/attempts/attempt-rule.ts';

/**
 * Where attempts at a case end once they settle it, holds them until they do, and gives them all with their weights: one
 * alone does not say yet how much it counts. Of other runs, every trial is given as it comes.
 */
export function createAttemptGatherer(run: Run): (outcome: Outcome) => readonly Outcome[] {
  const rule = curtailingRule(run);
  if (rule === undefined) return (outcome) => [outcome];
  const open = new Map<number, Outcome[]>();
  return (outcome) => {
    const place = Math.floor(outcome.trial.ordinal / rule.planned);
    const attempts = [...(open.get(place) ?? []), outcome].toSorted(byOrdinal);
    const { decision, weights } = settleAttempts({ ...rule, results: attempts.map(attemptResult) });
    const notNeeded = rule.planned - attempts.length;
    if (decision === 'continue' && notNeeded > 0) {
      open.set(place, attempts);
      return [];
    }
    open.delete(place);
    return attempts.map((attempt, index) => ({
      ...attempt,
      weight: weights[index] ?? 1,
      ...(index === 0 && { notNeeded }),
    }));
  };
}

function byOrdinal(one: Outcome, other: Outcome): number {
  return one.trial.ordinal - other.trial.ordinal;
}
