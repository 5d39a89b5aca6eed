import type { Judgement } from '../../../core/schema/judgement.ts';
import { createSpendingTally } from './budget.ts';

/** The number and the cost of judgements: `cost` in US dollars, null when the price of a call is unknown. */
export interface JudgingTally {
  readonly calls: number;
  readonly judgements: number;
  readonly cost: number | null;
}

/** Creates a tally of what the calls of judgements cost. A call without a known price makes the sum unknown. */
export function createJudgingTally() {
  const tally = createSpendingTally();
  const calls = new Set<string>();
  let [judgements, isKnown] = [0, true];
  return {
    add: (kept: readonly Judgement[]): void => {
      tally.addJudgements(kept);
      judgements += kept.length;
      for (const { id, cost, reply, usage } of kept.flatMap((judgement) => judgement.calls)) {
        calls.add(id);
        // A call without any reply is not charged.
        const isCharged = reply !== null || usage !== undefined;
        if (isCharged && cost === undefined) isKnown = false;
      }
    },
    /** Returns the known costs so far, in US dollars. */
    spent: () => tally.read().judges,
    summarize: (): JudgingTally => ({
      calls: calls.size,
      judgements,
      cost: isKnown ? tally.read().judges : null,
    }),
  };
}
