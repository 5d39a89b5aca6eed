import { valueAtPath } from '../../lib/value-at-path.ts';
import type { Usage } from '../../schema/trial.ts';
import { invalidField } from './invalid-answer.ts';
import { usageAliases } from './reply-aliases.ts';

/**
 * Reads token counts in the spelling of any of the large model APIs; a count that was not reported stays absent.
 */
export function readUsage(value: unknown, field: string): Usage | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidField(field, value, 'an object with token counts');
  }
  const usage: Usage = {};
  for (const count of Object.keys(usageAliases) as (keyof Usage)[]) {
    const amount = readFirst(value, usageAliases[count], field);
    if (amount !== undefined) usage[count] = amount;
  }
  return usage;
}

function readFirst(source: object, paths: readonly string[], field: string): number | undefined {
  const record = source as Readonly<Record<string, unknown>>;
  for (const path of paths) {
    const value = path.includes('.') ? valueAtPath(source, path) : record[path];
    const amount = readAmount(value, `${field}.${path}`);
    if (amount !== undefined) return amount;
  }
  return undefined;
}

/** Reads a number that cannot be negative; null and undefined are an amount that was not reported. */
export function readAmount(value: unknown, field: string): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  throw invalidField(field, value, 'a number that is not negative');
}
