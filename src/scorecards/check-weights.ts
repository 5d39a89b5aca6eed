import { TouchstoneError } from '../errors.ts';
import { tolerance } from './grades.ts';

/** Throws `scorecard-weights` unless the weights add up to 1. */
export function checkWeights(
  scorecard: string,
  weights: readonly (readonly [criterion: string, weight: number])[],
): void {
  const sum = weights.reduce((total, [, weight]) => total + weight, 0);
  if (Math.abs(sum - 1) <= tolerance) return;
  const listed = weights.map(([name, weight]) => `${name} ${weight}`);
  throw new TouchstoneError(
    'scorecard-weights',
    `The weights of the scorecard ${scorecard} add up to ${Number(sum.toFixed(12))}, not 1: ${listed.join(', ')}.`,
  );
}
