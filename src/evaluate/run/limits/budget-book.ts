import { addCost, type CostSums, typicalCost } from '../../../decide/analysis/summary/percentiles.ts';

/** The costs of a run in US dollars, as far as they were reported. */
export interface Spending {
  readonly targets: number;
  readonly judges: number;
  /** The cost of models that play users or rewrite their questions. */
  readonly users: number;
}

/** Returns the sum of all parts. */
export function sumOf({ targets, judges, users }: Spending): number {
  return targets + judges + users;
}

/** The known costs of a run, as plain data, so that it can be stored in a record that processes share. */
export interface BudgetBook {
  readonly spent: Spending;
  /** The costs of judges in this part of the run, from which the price of judging a trial is known. */
  readonly judging: number;
  /** The number of trials that were judged for it. */
  readonly judged: number;
  /** The prices of the trials of each target. */
  readonly prices: Readonly<Record<string, CostSums>>;
}

/** A book without costs. */
export const newBook: BudgetBook = {
  spent: { targets: 0, judges: 0, users: 0 },
  judging: 0,
  judged: 0,
  prices: {},
};

/** The trials that are going to cost something: those being made, by target, and those that wait to be judged. */
export interface UnderWay {
  readonly calling: Readonly<Record<string, number>>;
  readonly waiting: number;
}

/** The rules by which one more trial is admitted. */
export interface BudgetRules {
  readonly target: string;
  readonly maxCost: number;
  /** True when judges are asked about trials. */
  readonly areJudged: boolean;
}

/** The tolerance for sums of fractions of cents, which do not add up to exactly a limit. */
export const tolerance = 1e-9;

/** Returns the book with the price of one more trial of a target, if it is known. */
export function addPrice(book: BudgetBook, target: string, cost: number | undefined): BudgetBook {
  if (cost === undefined) return book;
  return { ...book, prices: { ...book.prices, [target]: addCost(book.prices[target], cost) } };
}

/** Returns the likely cost of one more trial of a target, judges included. */
export function nextCost(book: BudgetBook, target: string): number {
  return (typicalCost(book.prices[target]) ?? 0) + perJudging(book);
}

/** Returns what has been spent, and what everything under way is likely to cost. */
export function committedCost(book: BudgetBook, { calling, waiting }: UnderWay): number {
  const trials = Object.entries(calling);
  const calls = trials.reduce(
    (sum, [target, count]) => sum + count * (typicalCost(book.prices[target]) ?? 0),
    0,
  );
  return sumOf(book.spent) + calls + (countCalling(calling) + waiting) * perJudging(book);
}

/**
 * Returns whether one more trial fits, assuming that it and all trials under way cost the typical amount. While a price is
 * unknown, trials are made one at a time.
 */
export function hasRoom(book: BudgetBook, underWay: UnderWay, rules: BudgetRules): boolean {
  const { calling, waiting } = underWay;
  const { target, maxCost, areJudged } = rules;
  const isPriced = book.prices[target] !== undefined || (calling[target] ?? 0) === 0;
  const isJudgingPriced = !areJudged || book.judged > 0 || countCalling(calling) + waiting === 0;
  const fits = committedCost(book, underWay) + nextCost(book, target) <= maxCost + tolerance;
  return isPriced && isJudgingPriced && fits;
}

/** Returns the number of trials being made, of all targets. */
export function countCalling(calling: UnderWay['calling']): number {
  return Object.values(calling).reduce((sum, count) => sum + count, 0);
}

function perJudging({ judging, judged }: BudgetBook): number {
  return judged === 0 ? 0 : judging / judged;
}
