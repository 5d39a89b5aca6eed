import type { RankedRun, RunDifference } from '../../schema/run-comparison.ts';
import { holm } from '../../stats/multiplicity/adjust-p-values.ts';
import { confidence } from '../to-estimate.ts';
import type { ComparedRun } from './compared-run.ts';
import { mirrored } from './tell-difference.ts';

/** Run `b` minus run `a` on the measure of the ranking; runs are given by their place in a list. */
export interface RankedPair {
  readonly a: number;
  readonly b: number;
  readonly row: RunDifference;
}

/**
 * Ranks runs by their differences to the first of them. The best of what is left leads a rank, and all whose difference to it
 * is not visible (Holm over all pairs) share it.
 */
export function rankRuns(runs: readonly ComparedRun[], pairs: readonly RankedPair[]): RankedRun[] {
  const adjusted = holm({ pValues: pairs.map(({ row }) => row.pValue ?? 1) }).adjusted;
  const sign = pairs[0]?.row.better === 'lower' ? -1 : 1;
  const gains = runs.map((_, place) => {
    const pair = pairs.find(({ a, b }) => a === 0 && b === place);
    return place === 0 ? 0 : sign * (pair?.row.difference.value ?? Number.NEGATIVE_INFINITY);
  });
  const left = new Set([...runs.keys()].sort((one, other) => (gains[other] ?? 0) - (gains[one] ?? 0)));
  const ranked: RankedRun[] = [];
  while (left.size > 0) {
    const rank = ranked.length + 1;
    const [leader = 0] = left;
    for (const place of left) {
      const found = pairs.findIndex(
        ({ a, b }) => a === Math.min(leader, place) && b === Math.max(leader, place),
      );
      const adjustedPValue = found === -1 ? null : (adjusted[found] ?? null);
      if (adjustedPValue !== null && adjustedPValue < 1 - confidence) continue;
      left.delete(place);
      ranked.push({ rank, ...nameOf(runs[place]), toLeader: toLeader(pairs[found], place), adjustedPValue });
    }
  }
  return ranked;
}

function nameOf(run: ComparedRun | undefined): Pick<RankedRun, 'run' | 'target'> {
  return { run: run?.run.id ?? '', target: run?.target ?? '' };
}

function toLeader(pair: RankedPair | undefined, place: number): RankedRun['toLeader'] {
  if (pair === undefined) return null;
  return pair.b === place ? pair.row.difference : mirrored(pair.row.difference);
}
