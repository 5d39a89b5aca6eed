import { TouchstoneError } from '../errors.ts';
import { didYouMean } from '../lib/text/nearest-name.ts';
import { tolerance } from './grades.ts';

/**
 * Returns new weights of a scorecard's criteria: the given ones, and the rest of 1 shared by the others in their
 * present proportions. Throws `scorecard-weights` for an unknown criterion and for weights that cannot add up to 1.
 */
export function spreadWeights(
  current: ReadonlyMap<string, number>,
  given: ReadonlyMap<string, number>,
): Map<string, number> {
  for (const name of given.keys()) if (!current.has(name)) throw unknownCriterion(name, current);
  const fixed = sumOf(given.values());
  const others = [...current].filter(([name]) => !given.has(name));
  const room = sumOf(others.map(([, weight]) => weight));
  const isShared = room > 0 && fixed <= 1 + tolerance;
  if (!isShared && Math.abs(fixed - 1) > tolerance) throw wrongSum(fixed, others.length);
  const scale = isShared ? Math.max(0, 1 - fixed) / room : 0;
  return new Map([...current].map(([name, weight]) => [name, given.get(name) ?? weight * scale]));
}

function sumOf(weights: Iterable<number>): number {
  return [...weights].reduce((sum, weight) => sum + weight, 0);
}

function unknownCriterion(name: string, current: ReadonlyMap<string, number>): TouchstoneError {
  const hint = didYouMean(name, current.keys());
  return new TouchstoneError('scorecard-weights', `The scorecard has no criterion "${name}".${hint}`, {
    remedy: `Its criteria are ${[...current.keys()].join(', ')}.`,
  });
}

function wrongSum(fixed: number, others: number): TouchstoneError {
  const sum = Number(fixed.toFixed(6));
  const message =
    others === 0 || fixed < 1
      ? `The given weights add up to ${sum}, not 1.`
      : `The given weights add up to ${sum}, more than 1.`;
  return new TouchstoneError('scorecard-weights', message, {
    remedy: 'Weights of a scorecard add up to 1; criteria without a given weight share the rest.',
  });
}
