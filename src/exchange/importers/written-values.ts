import { toJson } from '../../evaluate/targets/reply/to-json.ts';
import type { KeptValue } from './ledger.ts';

/**
 * Looks for values in what is written of a project. Returns a test of whether a value is there: each number, text and truth value
 * in it, under its name where it has one.
 * @param written - The cases, the answers and the other parts of the project.
 */
export function findWritten(
  claims: readonly KeptValue[],
  written: Iterable<unknown>,
): (value: unknown) => boolean {
  const missing = new Set(claims.flatMap(({ value }) => leavesOf(value)));
  for (const part of written) {
    if (missing.size === 0) break;
    visit(part, undefined, (name, leaf) => {
      missing.delete(keyOf(undefined, leaf));
      missing.delete(keyOf(name, leaf));
    });
  }
  return (value) => leavesOf(value).every((leaf) => !missing.has(leaf));
}

function leavesOf(value: unknown): string[] {
  const leaves: string[] = [];
  visit(toJson(value), undefined, (name, leaf) => leaves.push(keyOf(name, leaf)));
  return leaves;
}

/** Calls a function with each number, text and truth value in a value, and the name of the member that it is in. */
function visit(
  value: unknown,
  name: string | undefined,
  onLeaf: (name: string | undefined, leaf: unknown) => void,
): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object') onLeaf(name, value);
  else if (Array.isArray(value)) for (const item of value) visit(item, name, onLeaf);
  else for (const [key, item] of Object.entries(value)) visit(item, key, onLeaf);
}

function keyOf(name: string | undefined, leaf: unknown): string {
  return JSON.stringify([name ?? null, leaf]);
}
