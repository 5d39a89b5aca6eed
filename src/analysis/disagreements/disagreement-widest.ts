import type { Contradiction } from '../../schema/disagreement.ts';

/** How many answers are kept. */
export interface WidestLimits {
  readonly most: number;
  /** Whether a case is kept once, with the answer on which metrics are widest apart. */
  readonly oncePerCase: boolean;
}

/** Keeps the answers on which metrics are widest apart; the first of equals first. */
export function createWidest({ most, oncePerCase }: WidestLimits) {
  const kept: Contradiction[] = [];
  return {
    offer: (found: Contradiction): void => {
      const last = kept.at(-1);
      if (most === 0 || (last !== undefined && kept.length >= most && gapOf(found) <= gapOf(last))) return;
      const same = oncePerCase ? kept.findIndex(({ caseId }) => caseId === found.caseId) : -1;
      const other = kept[same];
      if (other !== undefined && gapOf(other) >= gapOf(found)) return;
      if (other !== undefined) kept.splice(same, 1);
      const place = kept.findIndex((one) => gapOf(one) < gapOf(found));
      kept.splice(place === -1 ? kept.length : place, 0, found);
      if (kept.length > most) kept.pop();
    },
    /** The widest apart first. */
    all: (): Contradiction[] => kept,
  };
}

function gapOf({ high, low }: Contradiction): number {
  return high.value - low.value;
}
