/** The budget of a held-out set, frozen when the set is made. */
export interface RefereeBudget {
  /** The most looks, K. */
  readonly looks: number;
  /** The most surprises, J, from 1 to K. */
  readonly surprises: number;
  /** The least chance that no answer in the life of the set is false. */
  readonly confidence: number;
}

/** The number of answers of a held-out set so far. */
export interface Answered {
  readonly looks: number;
  /** The answers that were not the expected ones. */
  readonly surprises: number;
}

/** Returns whether a held-out set answers nothing any more. */
export function isSpent({ looks, surprises }: RefereeBudget, answered: Answered): boolean {
  return answered.looks >= looks || answered.surprises >= surprises;
}

/**
 * Returns the level at which a look is tested after j surprises: α_j / C(K, j + 1).
 *
 * Whatever the agent saw elsewhere, a look is a node of a tree: the list of answers before it. With j surprises before it,
 * look k has C(k − 1, j) histories, and the K looks together C(K, j + 1). Each node is a fixed pair of versions, so its
 * test is wrong with chance `level` at most, and the union over all nodes with chance Σ α_j = α (C. Dwork et al.,
 * "Generalization in adaptive data analysis and holdout reuse", 2015, section 4: answers of short descriptions).
 */
export function levelAfter(surprises: number, budget: RefereeBudget): number {
  return shareOf(surprises, budget) / choose(budget.looks, surprises + 1);
}

/** Returns α_j = α / 2^(j+1), the last doubled, so that they add up to α. */
function shareOf(j: number, { surprises, confidence }: RefereeBudget): number {
  const isLast = j === surprises - 1;
  return (1 - confidence) / 2 ** (isLast ? j : j + 1);
}

/** Returns the number of ways to choose k of n. */
function choose(n: number, k: number): number {
  let ways = 1;
  for (let place = 1; place <= k; place += 1) ways = (ways * (n - k + place)) / place;
  return ways;
}
