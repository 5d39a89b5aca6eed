import type { Run } from '../schema/run.ts';
import type { Side } from './disagreement-kinds.ts';

/** The value of a metric that failed; one that said nothing is NaN. */
export const failed = Number.NEGATIVE_INFINITY;

/** The place of no metric. */
export const nobody = -1;

/**
 * Finds out which metrics speak for the sides of contradictions.
 * @param values - The value of every metric of the run, filled in anew for each answer.
 */
export function createSpeakers(run: Run, values: Float64Array) {
  const keys: string[] = [];
  const finders: (() => number)[] = [];
  let speaking = new Int32Array(0);
  return {
    /**
     * Takes up a side; gives its place in what `find` returns, or undefined when the run has no metric for it.
     * @param which - Which of several metrics speaks: the one with the least or the most value.
     */
    add: ({ by }: Side, which: 'least' | 'most'): number | undefined => {
      const ranks = rankMetrics(run, by);
      if (ranks.length === 0) return undefined;
      const key = JSON.stringify([which, ranks]);
      if (!keys.includes(key)) {
        keys.push(key);
        finders.push(() => speakerOf(ranks, values, which === 'least' ? 1 : -1));
        speaking = new Int32Array(keys.length);
      }
      return keys.indexOf(key);
    },
    /** For every side that was taken up, the place of the metric that speaks for it in an answer, or `nobody`. */
    find: (): Int32Array => {
      for (let side = 0; side < finders.length; side += 1) speaking[side] = finders[side]?.() ?? nobody;
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

function speakerOf(ranks: readonly (readonly number[])[], values: Float64Array, sign: 1 | -1): number {
  for (const places of ranks) {
    let speaker = nobody;
    let least = Number.POSITIVE_INFINITY;
    for (const place of places) {
      const value = values[place] as number;
      // What a metric that failed would have said is not known, and no lesser authority speaks in its stead.
      if (value === failed) return nobody;
      if (sign * value < least) [speaker, least] = [place, sign * value];
    }
    if (speaker !== nobody) return speaker;
  }
  return nobody;
}
