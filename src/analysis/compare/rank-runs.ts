import type { RankedRun, RunDifference } from '../../schema/run-comparison.ts';
import { holm } from '../../stats/multiplicity/adjust-p-values.ts';
import { confidence } from '../summary/to-estimate.ts';
import type { ComparedRun } from './compared-run.ts';
import { mirrored } from './tell-difference.ts';

/** Run `b` minus run `a` on the measure of the ranking; runs are given by their place in a list. */
export interface RankedPair {
  readonly a: number;
  readonly b: number;
  readonly row: RunDifference;
}

/**
 * Ranks runs by their differences to the first of them, each from the first to the last place that it could have: behind all
 * runs that are visibly better, and before all that are visibly worse (Holm over all pairs). To be told apart is not
 * transitive, so no single place can say it: the second may be as good as the first, and the third as good as the second.
 */
export function rankRuns(runs: readonly ComparedRun[], pairs: readonly RankedPair[]): RankedRun[] {
  const adjusted = holm({ pValues: pairs.map(({ row }) => row.pValue ?? 1) }).adjusted;
  const sign = pairs[0]?.row.better === 'lower' ? -1 : 1;
  const gainOf = (pair?: RankedPair) =>
    sign * (pair?.row.difference.value ?? sign * Number.NEGATIVE_INFINITY);
  const gains = runs.map((_, place) =>
    place === 0 ? 0 : gainOf(pairs.find(({ a, b }) => a === 0 && b === place)),
  );
  const order = [...runs.keys()].sort((one, other) => (gains[other] ?? 0) - (gains[one] ?? 0));
  const visible = pairs
    .filter((_, index) => (adjusted[index] ?? 1) < 1 - confidence)
    .map((pair) =>
      gainOf(pair) > 0 ? { winner: pair.b, loser: pair.a } : { winner: pair.a, loser: pair.b },
    );
  const [best = 0] = order;
  return order.map((place) => {
    const found = pairs.findIndex(({ a, b }) => a === Math.min(best, place) && b === Math.max(best, place));
    return {
      rank: 1 + visible.filter(({ loser }) => loser === place).length,
      lastRank: runs.length - visible.filter(({ winner }) => winner === place).length,
      ...nameOf(runs[place]),
      toLeader: toLeader(pairs[found], place),
      adjustedPValue: found === -1 ? null : (adjusted[found] ?? null),
    };
  });
}

function nameOf(run: ComparedRun | undefined): Pick<RankedRun, 'run' | 'target'> {
  return { run: run?.run.id ?? '', target: run?.target ?? '' };
}

function toLeader(pair: RankedPair | undefined, place: number): RankedRun['toLeader'] {
  if (pair === undefined) return null;
  return pair.b === place ? pair.row.difference : mirrored(pair.row.difference);
}
