import { isDeepStrictEqual } from 'node:util';
import type { Run } from '../../schema/run.ts';
import type { Side } from './disagreement-kinds.ts';

/** The value of a metric that failed; one that said nothing is NaN. */
export const failed = Number.NEGATIVE_INFINITY;

/** The place of no metric. */
export const nobody = -1;

/** One side, as it is asked for. */
interface Asked {
  readonly ranks: readonly (readonly number[])[];
  /** Of several metrics, the one with the least value speaks; with −1 the one with the most. */
  readonly sign: 1 | -1;
}

/**
 * Finds out which metrics speak for the sides of contradictions.
 * @param values - The value of every metric of the run, filled in anew for each answer.
 */
export function createSpeakers(run: Run, values: Float64Array) {
  const sides: Asked[] = [];
  let speaking = new Int32Array(0);
  return {
    /**
     * Takes up a side; gives its place in what `find` returns, or undefined when the run has no metric for it.
     * @param which - Which of several metrics speaks: the one with the least or the most value.
     */
    add: ({ by }: Side, which: 'least' | 'most'): number | undefined => {
      const side: Asked = { ranks: rankMetrics(run, by), sign: which === 'least' ? 1 : -1 };
      if (side.ranks.length === 0) return undefined;
      const known = sides.findIndex((other) => isDeepStrictEqual(other, side));
      if (known !== -1) return known;
      sides.push(side);
      speaking = new Int32Array(sides.length);
      return sides.length - 1;
    },
    /** The places of the metrics that may speak. */
    heard: (): number[] => [...new Set(sides.flatMap(({ ranks }) => ranks.flat()))],
    /** For every side that was taken up, the place of the metric that speaks for it in an answer, or `nobody`. */
    find: (): Int32Array => {
      for (let side = 0; side < sides.length; side += 1) {
        speaking[side] = speakerOf(sides[side] as Asked, values);
      }
      return speaking;
    },
  };
}

function rankMetrics({ metrics }: Run, by: Side['by']): number[][] {
  const ranks = by.map((wanted) =>
    metrics.flatMap(({ use, family }, place) =>
      ('use' in wanted ? use.use === wanted.use : family === wanted.family) ? [place] : [],
    ),
  );
  return ranks.filter(({ length }) => length > 0);
}

function speakerOf({ ranks, sign }: Asked, values: Float64Array): number {
  for (const places of ranks) {
    let speaker = nobody;
    let least = Number.POSITIVE_INFINITY;
    for (const place of places) {
      const value = values[place] as number;
      // What a metric that failed would have said is not known, and no lesser authority replaces it.
      if (value === failed) return nobody;
      if (sign * value >= least || Number.isNaN(value)) continue;
      speaker = place;
      least = sign * value;
    }
    if (speaker !== nobody) return speaker;
  }
  return nobody;
}
