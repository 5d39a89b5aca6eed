import { tolerance } from '../grades.ts';
import type { Mark } from './read-marks.ts';

/** The score, and what it would be had all that was not measured come out badly or well. */
export interface ScoreRange {
  /** null when a criterion with a weight was not measured. */
  readonly total: number | null;
  readonly lower: number;
  readonly upper: number;
  /** By what the weights of the criteria that apply were divided, so that they add up to 1. */
  readonly scale: number;
}

/**
 * The sum of the weights of the criteria that are true, less those of the negative ones that are true, never below 0.
 * The weight of one that does not apply goes to the others; undefined when none applies.
 */
export function scoreRange(marks: readonly Mark[]): ScoreRange | undefined {
  const counted = marks.filter(({ criterion, truth }) => criterion.weight > 0 && truth !== 'not-applicable');
  const positive = counted.filter(({ criterion }) => criterion.negative !== true);
  const weights = sumOfWeights(positive);
  if (weights === 0) return undefined;
  const scale = Math.abs(weights - 1) < tolerance ? 1 : weights;
  const negative = counted.filter(({ criterion }) => criterion.negative === true);
  const scoreIf = (unknown: boolean): number => {
    const gained = sumOfWeights(positive.filter(({ isMet }) => isMet ?? unknown)) / scale;
    const lost = sumOfWeights(negative.filter(({ isMet }) => !(isMet ?? unknown)));
    return Math.min(1, Math.max(0, gained - lost));
  };
  const [lower, upper] = [scoreIf(false), scoreIf(true)];
  return { total: counted.some(({ isMet }) => isMet === null) ? null : lower, lower, upper, scale };
}

function sumOfWeights(marks: readonly Mark[]): number {
  return marks.reduce((sum, { criterion }) => sum + criterion.weight, 0);
}
