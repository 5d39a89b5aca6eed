import type { Judgement } from '../schema/judgement.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';

/** US dollars that a run has cost, as far as targets and judges say. */
export interface Spending {
  readonly targets: number;
  readonly judges: number;
}

/** Adds up what targets and judges say their answers cost. */
export interface Budget {
  add(trials: readonly ScoredTrial[]): void;
  /** A call that gave several judgements counts once. */
  addJudgements(judgements: readonly Judgement[]): void;
  spent(): Spending;
  isSpent(): boolean;
}

/** The budget of a whole run, all its parts together. Tells once, with what was spent, when there is no money left. */
export function createBudget(maxCost: number | undefined, onSpent: (spent: number) => void): Budget {
  const spent = { targets: 0, judges: 0 };
  let isSpent = false;
  const judgeCalls = new Set<string>();
  const spend = (on: keyof Spending, amount: number) => {
    spent[on] += amount;
    const sum = spent.targets + spent.judges;
    if (isSpent || maxCost === undefined || sum < maxCost) return;
    isSpent = true;
    onSpent(sum);
  };
  return {
    add: (trials) =>
      spend(
        'targets',
        trials.reduce((sum, { trial }) => sum + (trial.cost ?? 0), 0),
      ),
    addJudgements: (judgements) => {
      for (const { id, cost } of judgements.flatMap(({ calls }) => calls)) {
        if (cost === undefined || judgeCalls.has(id)) continue;
        judgeCalls.add(id);
        spend('judges', cost);
      }
    },
    spent: () => ({ ...spent }),
    isSpent: () => isSpent,
  };
}
