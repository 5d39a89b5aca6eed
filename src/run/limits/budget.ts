import { createTypicalCost } from '../../analysis/summary/percentiles.ts';
import type { Judgement } from '../../schema/judgement.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Trial } from '../../schema/trial.ts';

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
  /**
   * Adds a trial of an earlier part of the run.
   * @param isScored - False when the trial is going to be scored now.
   */
  addKept(trial: Trial, isScored: boolean): void;
  /** Adds the cost of judgements. */
  addJudgements(judgements: readonly Judgement[]): void;
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

/** The tolerance for sums of fractions of cents, which do not add up to exactly a limit. */
const tolerance = 1e-9;

/** Creates a budget with a limit in US dollars. Without a limit, every trial is admitted. */
export function createBudget(maxCost: number = Infinity, { stop, areJudged, onSpent }: BudgetNeeds): Budget {
  const tally = createSpendingTally();
  const trials = createTrialPrices();
  const judging = { cost: 0, trials: 0, waiting: 0 };
  let wake: PromiseWithResolvers<void> | undefined;
  const changed = () => {
    wake?.resolve();
    wake = undefined;
  };
  stop.addEventListener('abort', changed, { once: true });

  const perJudging = () => (judging.trials === 0 ? 0 : judging.cost / judging.trials);
  const nextCost = (target: string) => (trials.typical(target) ?? 0) + perJudging();
  const committed = () =>
    sumOf(tally.read()) + trials.underWay() + (trials.calling() + judging.waiting) * perJudging();
  // While a price is unknown, trials are made one at a time.
  const isPriced = (target: string) => trials.typical(target) !== undefined || trials.calling(target) === 0;
  const isJudgingPriced = () => !areJudged || judging.trials > 0 || trials.calling() + judging.waiting === 0;
  const hasRoom = (target: string) =>
    isPriced(target) && isJudgingPriced() && committed() + nextCost(target) <= maxCost + tolerance;
  const reportSpent = (next: number) => {
    onSpent(sumOf(tally.read()), next);
    return false;
  };

  return {
    admit: async (target) => {
      while (maxCost !== Infinity && !stop.aborted && !hasRoom(target)) {
        if (trials.calling() + judging.waiting === 0) return reportSpent(nextCost(target));
        wake ??= Promise.withResolvers();
        await wake.promise;
      }
      if (!stop.aborted) trials.begin(target);
      return !stop.aborted;
    },
    settle: (trial) => {
      tally.addTrial(trial);
      trials.end(trial);
      judging.waiting += 1;
      changed();
    },
    withdraw: (target) => {
      trials.withdraw(target);
      changed();
    },
    addKept: (trial, isScored) => {
      tally.addTrial(trial);
      trials.learn(trial);
      judging[isScored ? 'trials' : 'waiting'] += 1;
    },
    addJudgements: (judgements) => {
      judging.cost += tally.addJudgements(judgements);
      if (sumOf(tally.read()) > maxCost + tolerance && !stop.aborted) reportSpent(0);
    },
    addScored: (count) => {
      judging.trials += count;
      judging.waiting = Math.max(0, judging.waiting - count);
      changed();
    },
    spent: tally.read,
  };
}

/** Creates the prices of trials by target, with the number of trials that are being made. */
function createTrialPrices() {
  const targets = new Map<string, ReturnType<typeof createPrice>>();
  const priceOf = (target: string) => {
    const price = targets.get(target) ?? createPrice();
    targets.set(target, price);
    return price;
  };
  const sum = (amount: (price: ReturnType<typeof createPrice>) => number) =>
    targets.values().reduce((total, price) => total + amount(price), 0);
  return {
    typical: (target: string) => priceOf(target).cost.read(),
    calling: (target?: string) =>
      target === undefined ? sum(({ calling }) => calling) : priceOf(target).calling,
    underWay: () => sum(({ calling, cost }) => calling * (cost.read() ?? 0)),
    begin: (target: string) => (priceOf(target).calling += 1),
    withdraw: (target: string) => (priceOf(target).calling -= 1),
    end: (trial: Trial) => {
      priceOf(trial.target).calling -= 1;
      priceOf(trial.target).learn(trial);
    },
    learn: (trial: Trial) => priceOf(trial.target).learn(trial),
  };
}

/**
 * Creates the price of one target's trials. A target that answers without reporting a cost is assumed to cost nothing,
 * as nothing better is known.
 */
function createPrice() {
  const cost = createTypicalCost();
  return {
    calling: 0,
    cost,
    learn: (trial: Trial) => {
      const known = costOf(trial) ?? (trial.status === 'completed' ? 0 : undefined);
      if (known !== undefined) cost.add(known);
    },
  };
}

/** The costs of a run in US dollars, as far as they were reported. */
export interface Spending {
  readonly targets: number;
  readonly judges: number;
  /** The cost of models that play users or rewrite their questions. */
  readonly users: number;
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

/** Returns the sum of all parts. */
function sumOf({ targets, judges, users }: Spending): number {
  return targets + judges + users;
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
