import type { Json } from '../../schema/json.ts';

const good = ['true', 'pass', 'passed', 'success', 'succeeded', 'correct', 'yes', 'c'];
const bad = ['false', 'fail', 'failed', 'failure', 'error', 'incorrect', 'wrong', 'no', 'i'];

/**
 * A recorded verdict as a number: numbers and texts of numbers as they are, true and words such as `passed` as the greatest
 * value, false and words such as `failed` as the least. Undefined for what is none of these.
 */
export function readScore(
  value: Json,
  { least, greatest }: { readonly least: number; readonly greatest: number },
): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? greatest : least;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  if (good.includes(word)) return greatest;
  if (bad.includes(word)) return least;
  return word === '' || Number.isNaN(Number(word)) ? undefined : Number(word);
}
