import { createTypicalCost } from '../../analysis/summary/percentiles.ts';
import type { Judgement } from '../../schema/judgement.ts';
import type { Trial } from '../../schema/trial.ts';

/** The money of a whole run, all its parts together. */
export interface Budget {
  /**
   * Waits until one more trial of a target can begin without passing the limit, if it and all that is under way cost what
   * is typical. False when that cannot be any more, or the run is stopped.
   */
  admit(target: string): Promise<boolean>;
  /** A trial that was admitted has been made. */
  settle(trial: Trial): void;
  /** A trial that was admitted was not begun after all. */
  withdraw(target: string): void;
  /** A trial was made in an earlier part of the run, and scored there, or is going to be now. */
  addKept(trial: Trial, isScored: boolean): void;
  addJudgements(judgements: readonly Judgement[]): void;
  /** So many trials have been scored: no judge is going to be asked about them. */
  addScored(trials: number): void;
  spent(): Spending;
}

/** What a budget reports to. */
export interface BudgetNeeds {
  readonly stop: AbortSignal;
  /** Whether judges are asked about trials, at a price that nobody knows before the first. */
  readonly areJudged: boolean;
  /** Told when there is no money left for one more trial: what was spent, and what one is likely to cost. */
  readonly onSpent: (spent: number, next: number) => void;
}

/** Fractions of cents do not add up to exactly a limit. */
const tolerance = 1e-9;

/** A budget with a limit in US dollars; without one, everything is admitted. */
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
  // Before anything is known of a price, one at a time.
  const isPriced = (target: string) => trials.typical(target) !== undefined || trials.calling(target) === 0;
  const isJudgingPriced = () => !areJudged || judging.trials > 0 || trials.calling() + judging.waiting === 0;
  const hasRoom = (target: string) =>
    isPriced(target) && isJudgingPriced() && committed() + nextCost(target) <= maxCost + tolerance;
  const giveUp = (next: number) => {
    onSpent(sumOf(tally.read()), next);
    return false;
  };

  return {
    admit: async (target) => {
      while (maxCost !== Infinity && !stop.aborted && !hasRoom(target)) {
        if (trials.calling() + judging.waiting === 0) return giveUp(nextCost(target));
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
      if (sumOf(tally.read()) > maxCost + tolerance && !stop.aborted) giveUp(0);
    },
    addScored: (count) => {
      judging.trials += count;
      judging.waiting = Math.max(0, judging.waiting - count);
      changed();
    },
    spent: tally.read,
  };
}

/** What trials of each target cost, and how many are being made. */
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

/** A target that answers and does not say what that costs is taken to cost nothing: there is nothing else to go by. */
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

/** US dollars that a run has cost, as far as those who were asked say. */
export interface Spending {
  readonly targets: number;
  readonly judges: number;
  /** Models that play users, or put their questions in other words. */
  readonly users: number;
}

/** Adds up what answers cost. */
interface SpendingTally {
  addTrial(trial: Trial): void;
  /** A call that gave several judgements counts once. Gives what was added. */
  addJudgements(judgements: readonly Judgement[]): number;
  read(): Spending;
}

/** What a trial is known to have cost, who played its user included; undefined when nothing is known. */
function costOf(trial: Trial): number | undefined {
  const users = userCostOf(trial);
  return trial.cost === undefined && users === undefined ? undefined : (trial.cost ?? 0) + (users ?? 0);
}

function userCostOf({ conversation, rewriting }: Trial): number | undefined {
  const played = conversation?.user?.cost;
  const rewritten = rewriting?.cost;
  return played === undefined && rewritten === undefined ? undefined : (played ?? 0) + (rewritten ?? 0);
}

/** All parts together. */
function sumOf({ targets, judges, users }: Spending): number {
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
