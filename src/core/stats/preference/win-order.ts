import { comparedPairs, type PairOfTargets, type PreferenceTable } from './tally-preferences.ts';

/** Which targets a chain of wins leads from and to. */
export type WinOrder = {
  /** Returns whether a chain of wins and ties leads from target i to target j. */
  leads(i: number, j: number): boolean;
  /** The group of every target: between two of a group, chains lead both ways. It has the number of its first target. */
  readonly groups: readonly number[];
};

/**
 * Finds the groups within which differences of strength have finite estimates: those between whose members chains of
 * wins lead both ways. A tie counts as a step either way.
 *
 * Method: L. R. Ford, American Mathematical Monthly 64 (1957): the estimates of Bradley and Terry are finite exactly
 * when there is one group. Chains by S. Warshall, Journal of the ACM 9 (1962).
 */
export function findWinOrder(table: PreferenceTable): WinOrder {
  const size = table.names.length;
  const leads = new Uint8Array(size * size);
  for (const { i, j, iWins, jWins, ties } of comparedPairs(table)) {
    if (iWins + ties > 0) leads[i * size + j] = 1;
    if (jWins + ties > 0) leads[j * size + i] = 1;
  }
  for (let via = 0; via < size; via += 1) {
    for (let from = 0; from < size; from += 1) {
      if (leads[from * size + via] !== 1) continue;
      for (let to = 0; to < size; to += 1) if (leads[via * size + to] === 1) leads[from * size + to] = 1;
    }
  }
  const has = (i: number, j: number) => leads[i * size + j] === 1;
  const groups = table.names.map((_, i) => {
    const first = table.names.findIndex((_name, j) => j < i && has(i, j) && has(j, i));
    return first === -1 ? i : first;
  });
  return { leads: has, groups };
}

/**
 * Returns whether the parameter of ties has a finite estimate besides the strengths, for pairs within groups with at
 * least one tie.
 *
 * Method: the likelihood has a maximum exactly when no direction of the parameters keeps or improves the probability of
 * everything observed (S. J. Haberman, The Analysis of Frequency Data (1974), ch. 2). With ties as the direction's unit,
 * a win needs a difference of at least 2 and a tie one of at most 2; such strengths exist unless a cycle has more wins
 * than ties, which the method of Bellman and Ford finds.
 */
export function hasTieEstimate(pairs: readonly PairOfTargets[], size: number): boolean {
  const steps = pairs.flatMap(({ i, j, iWins, jWins, ties }) => [
    ...(iWins > 0 ? [{ from: i, to: j, length: -1 }] : []),
    ...(jWins > 0 ? [{ from: j, to: i, length: -1 }] : []),
    ...(ties > 0
      ? [
          { from: i, to: j, length: 1 },
          { from: j, to: i, length: 1 },
        ]
      : []),
  ]);
  const distances = new Float64Array(size);
  for (let round = 0; round < size; round += 1) {
    let hasChanged = false;
    for (const { from, to, length } of steps) {
      const distance = (distances[from] as number) + length;
      if (distance < (distances[to] as number)) [distances[to], hasChanged] = [distance, true];
    }
    if (!hasChanged) return false;
  }
  return true;
}
