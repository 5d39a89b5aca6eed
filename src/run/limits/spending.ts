import type { Judgement } from '../../schema/judgement.ts';
import type { Trial } from '../../schema/trial.ts';

/** US dollars that a run has cost, as far as those who were asked say. */
export interface Spending {
  readonly targets: number;
  readonly judges: number;
  /** Models that play users, or put their questions in other words. */
  readonly users: number;
}

/** Adds up what answers cost. */
export interface SpendingTally {
  addTrial(trial: Trial): void;
  /** A call that gave several judgements counts once. Gives what was added. */
  addJudgements(judgements: readonly Judgement[]): number;
  read(): Spending;
}

/** What a trial is known to have cost, who played its user included; undefined when nothing is known. */
export function costOf(trial: Trial): number | undefined {
  const users = userCostOf(trial);
  return trial.cost === undefined && users === undefined ? undefined : (trial.cost ?? 0) + (users ?? 0);
}

function userCostOf({ conversation, rewriting }: Trial): number | undefined {
  const played = conversation?.user?.cost;
  const rewritten = rewriting?.cost;
  return played === undefined && rewritten === undefined ? undefined : (played ?? 0) + (rewritten ?? 0);
}

/** All parts together. */
export function sumOf({ targets, judges, users }: Spending): number {
  return targets + judges + users;
}

/** Starts a tally at nothing. */
export function createSpendingTally(): SpendingTally {
  const spent = { targets: 0, judges: 0, users: 0 };
  const judgeCalls = new Set<string>();
  return {
    addTrial: (trial) => {
      spent.targets += trial.cost ?? 0;
      spent.users += userCostOf(trial) ?? 0;
    },
    addJudgements: (judgements) => {
      const before = spent.judges;
      for (const { id, cost } of judgements.flatMap(({ calls }) => calls)) {
        if (cost === undefined || judgeCalls.has(id)) continue;
        judgeCalls.add(id);
        spent.judges += cost;
      }
      return spent.judges - before;
    },
    read: () => ({ ...spent }),
  };
}
