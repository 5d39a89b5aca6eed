import type { Judgement } from '../schema/judgement.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';

/** Adds up what targets and judges say their answers cost. */
export interface Budget {
  add(trials: readonly ScoredTrial[]): void;
  /** A call that gave several judgements counts once. */
  addJudgements(judgements: readonly Judgement[]): void;
  isSpent(): boolean;
}

/** The budget of a whole run, all its parts together. Tells once, with what was spent, when there is no money left. */
export function createBudget(maxCost: number | undefined, onSpent: (spent: number) => void): Budget {
  let spent = 0;
  let isSpent = false;
  const judgeCalls = new Set<string>();
  const spend = (amount: number) => {
    spent += amount;
    if (isSpent || maxCost === undefined || spent < maxCost) return;
    isSpent = true;
    onSpent(spent);
  };
  return {
    add: (trials) => spend(trials.reduce((sum, { trial }) => sum + (trial.cost ?? 0), 0)),
    addJudgements: (judgements) => {
      for (const { id, cost = 0 } of judgements.flatMap(({ calls }) => calls)) {
        if (maxCost === undefined || judgeCalls.has(id)) continue;
        judgeCalls.add(id);
        spend(cost);
      }
    },
    isSpent: () => isSpent,
  };
}
