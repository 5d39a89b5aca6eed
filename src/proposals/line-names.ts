import { createFieldMapping } from '../datasets/field-mapping.ts';
import type { LineNames } from './case-line.ts';
import { linesOf } from './unified-diff.ts';

/** The lines of a file that are looked at, from its end. */
const looked = 200;

/**
 * Finds the names that the lines of a dataset use for the fields of cases, so that a new line looks like its neighbours: of
 * several names for a field, the most frequent one.
 */
export function findLineNames(text: string | null): LineNames {
  const mapping = createFieldMapping();
  const counts = new Map<string, Map<string, number>>();
  const count = (field: string, name: string) => {
    const names = counts.get(field) ?? new Map<string, number>();
    counts.set(field, names.set(name, (names.get(name) ?? 0) + 1));
  };
  for (const [name, value] of linesOf(text ?? '')
    .slice(-looked)
    .flatMap(entriesOf)) {
    const target = mapping.targetOf(name);
    // Messages are written under a name of their own.
    if (target && (target.field !== 'input' || typeof value === 'string')) count(target.field, name);
    for (const part of name === 'expected' && isObject(value) ? Object.keys(value) : []) {
      const inner = mapping.partOf(part);
      if (inner !== undefined) count(inner.field, `expected.${part}`);
    }
  }
  return Object.fromEntries(
    Array.from(counts, ([field, names]) => [field, [...names].sort((a, b) => b[1] - a[1])[0]?.[0] ?? field]),
  );
}

function entriesOf(line: string): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? Object.entries(value) : [];
  } catch {
    return [];
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
