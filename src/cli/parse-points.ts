import { InvalidArgumentError } from 'commander';

/** A difference in points, such as 5 or 0.5, as a share; for commander. */
export function points(text: string): number {
  const value = Number(text.replace(/\s*points?$/, ''));
  if (text.trim() !== '' && value >= 0 && value < 100) return value / 100;
  throw new InvalidArgumentError('It is a number of points from 0 to below 100, such as 5 or 0.5.');
}
