import {
  addPrice,
  type BudgetBook,
  hasRoom,
  newBook,
  nextCost,
  type Spending,
  sumOf,
  tolerance,
  type UnderWay,
} from './budget-book.ts';
import type { Judgement } from '../../../core/schema/judgement.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { Trial } from '../../../core/schema/trial.ts';

/** The budget of a whole run, all its parts together. */
export interface Budget {
  /**
   * Waits until one more trial of a target can begin without passing the limit, assuming that it and all trials under
   * way cost the typical amount. Returns false when that becomes impossible, or the run is stopped.
   */
  admit(target: string): Promise<boolean>;
  /** Records that an admitted trial has been made. */
  settle(trial: Trial): void;
  /** Records that an admitted trial was not begun after all. */
  withdraw(target: string): void;
  /** Adds the cost of a trial of an earlier part of the run. */
  addKept(trial: Trial): void;
  /** Adds the cost of judgements. */
  addJudgements(judgements: readonly Judgement[]): void;
  /** Records that this process is going to score a trial that it has not made now. */
  addWaiting(): void;
  /** Records that this many trials have been scored, so that no judge is going to be asked about them. */
  addScored(trials: number): void;
  /** Returns what the run has cost so far. */
  spent(): Spending;
}

/** The surroundings of a budget. */
export interface BudgetNeeds {
  readonly stop: AbortSignal;
  /** True when judges are asked about trials. Their price is unknown before the first judgement. */
  readonly areJudged: boolean;
  /**
   * Called when there is no money left for one more trial, with what was spent and what one more is likely to cost, in
   * US dollars.
   */
  readonly onSpent: (spent: number, next: number) => void;
}

/** Creates a budget of one process, with a limit in US dollars. Without a limit, every trial is admitted. */
export function createBudget(maxCost: number = Infinity, { stop, areJudged, onSpent }: BudgetNeeds): Budget {
  const tally = createSpendingTally();
  let book: BudgetBook = newBook;
  const calling = new Map<string, number>();
  let waiting = 0;
  let wake: PromiseWithResolvers<void> | undefined;
  const changed = () => {
    wake?.resolve();
    wake = undefined;
  };
  stop.addEventListener('abort', changed, { once: true });

  const underWay = (): UnderWay => ({ calling: Object.fromEntries(calling), waiting });
  const add = (target: string, calls: number) => calling.set(target, (calling.get(target) ?? 0) + calls);
  const isIdle = () => waiting === 0 && calling.values().every((calls) => calls === 0);
  const learn = (trial: Trial) => {
    tally.addTrial(trial);
    book = addPrice({ ...book, spent: tally.read() }, trial.target, priceOf(trial));
  };
  const reportSpent = (next: number) => {
    onSpent(sumOf(tally.read()), next);
    return false;
  };

  return {
    admit: async (target) => {
      while (
        maxCost !== Infinity &&
        !stop.aborted &&
        !hasRoom(book, underWay(), { target, maxCost, areJudged })
      ) {
        if (isIdle()) return reportSpent(nextCost(book, target));
        wake ??= Promise.withResolvers();
        await wake.promise;
      }
      if (!stop.aborted) add(target, 1);
      return !stop.aborted;
    },
    settle: (trial) => {
      add(trial.target, -1);
      learn(trial);
      waiting += 1;
      changed();
    },
    withdraw: (target) => {
      add(target, -1);
      changed();
    },
    addKept: learn,
    addWaiting: () => {
      waiting += 1;
    },
    addJudgements: (judgements) => {
      const judging = book.judging + tally.addJudgements(judgements);
      book = { ...book, judging, spent: tally.read() };
      if (sumOf(book.spent) > maxCost + tolerance && !stop.aborted) reportSpent(0);
    },
    addScored: (count) => {
      book = { ...book, judged: book.judged + count };
      waiting = Math.max(0, waiting - count);
      changed();
    },
    spent: tally.read,
  };
}

/**
 * Returns what a trial teaches about the price of its target; undefined when nothing. A target that answers without reporting a
 * cost is assumed to cost nothing, as nothing better is known.
 */
export function priceOf(trial: Trial): number | undefined {
  return costOf(trial) ?? (trial.status === 'completed' ? 0 : undefined);
}

/** A running total of the costs of a run. */
interface SpendingTally {
  addTrial(trial: Pick<Outcome['trial'], 'cost' | 'conversation' | 'rewriting'>): void;
  /** Adds the cost of judgements, each call once even when it gave several judgements. Returns the amount added. */
  addJudgements(judgements: readonly Judgement[]): number;
  read(): Spending;
}

/** Returns the known cost of a trial, its simulated user included; undefined when nothing is known. */
function costOf(trial: Trial): number | undefined {
  const users = userCostOf(trial);
  return trial.cost === undefined && users === undefined ? undefined : (trial.cost ?? 0) + (users ?? 0);
}

function userCostOf({
  conversation,
  rewriting,
}: Pick<Outcome['trial'], 'conversation' | 'rewriting'>): number | undefined {
  const played = conversation?.user?.cost;
  const rewritten = rewriting?.cost;
  return played === undefined && rewritten === undefined ? undefined : (played ?? 0) + (rewritten ?? 0);
}

/** Creates an empty tally. */
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
