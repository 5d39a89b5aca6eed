import { isUnresolved, type Outcome, outcomeOfTrial } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';

/** The worst result of a case. */
interface CaseRank {
  /** The place of the case in the dataset, from 0. */
  readonly position: number;
  /** The ordinals of its trials, in ascending order. */
  readonly ordinals: number[];
  /** True when a trial did not pass. */
  isUnresolved: boolean;
  /** The smallest total of its trials; infinite when none has one. */
  total: number;
}

/**
 * Lists the trials of each case, the worst case first: those with a trial that did not pass, then by the smallest total;
 * cases without a total after others. Each inner list has the ordinals of one case.
 */
export async function listWorstFirst(run: Run, results: AsyncIterable<Outcome>): Promise<number[][]> {
  const ofCase = run.targets.length * run.attempts;
  const ranks = new Map<number, CaseRank>();
  for await (const result of results) {
    const { ordinal } = result.trial;
    const position = Math.floor(ordinal / ofCase);
    const rank = ranks.get(position) ?? { position, ordinals: [], isUnresolved: false, total: Infinity };
    rank.ordinals.push(ordinal);
    rank.isUnresolved ||= isUnresolved(outcomeOfTrial(run, result));
    rank.total = Math.min(rank.total, result.scorecard?.total ?? Infinity);
    ranks.set(position, rank);
  }
  return [...ranks.values()].sort(compareRanks).map(({ ordinals }) => ordinals);
}

function compareRanks(one: CaseRank, other: CaseRank): number {
  if (one.isUnresolved !== other.isUnresolved) return one.isUnresolved ? -1 : 1;
  if (one.total !== other.total) return one.total < other.total ? -1 : 1;
  return one.position - other.position;
}
