import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as stats from './index.ts';

type Numbers = number | readonly number[] | null;
type Line = {
  readonly function: string;
  readonly options: object;
  readonly expected: Readonly<Record<string, Numbers>>;
};

// Computed with 40 digits from definitions by write-reference-values.py.
const lines: Line[] = readFileSync(new URL('reference-values.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const functions: Readonly<Record<string, unknown>> = stats;

test.each(lines)(
  '$function of $options has the reference values',
  ({ function: name, options, expected }) => {
    const compute = functions[name] as (options: object) => Record<string, Numbers> | number;
    const computed = compute(options);
    const result = typeof computed === 'number' ? { pValue: computed } : computed;
    for (const [field, reference] of Object.entries(expected)) {
      expect([result[field]].flat()).toEqual([reference].flat().map(closely));
    }
  },
);

/** Returns a matcher that allows for rounding after eleven digits. */
function closely(reference: number | null): unknown {
  if (reference === null) return null;
  const size = Math.abs(reference);
  return size === 0 ? expect.closeTo(0, 14) : expect.closeTo(reference, 11 - Math.ceil(Math.log10(size)));
}
