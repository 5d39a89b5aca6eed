import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assertionTypes } from './assertion-types.ts';

const page = readFileSync(new URL('../../../../../docs/promptfoo.md', import.meta.url), 'utf8');

/** The rows of the table of assertions in the documentation, with single spaces. */
const documented = (page.split('## Assertions\n')[1] ?? '')
  .split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| `'));

test('the documentation has a row for each type of assertion, with what becomes of it and what differs', () => {
  const rows = Object.entries(assertionTypes).map(([type, { becomes, note = '' }]) =>
    `| \`${type}\` | ${becomes} | ${note} |`.replace('|  |', '| |'),
  );
  expect(documented).toEqual(rows);
});

test('a type that becomes a check says which, and one that does not says why', () => {
  for (const [type, { becomes, note, translate }] of Object.entries(assertionTypes)) {
    expect([type, translate !== undefined]).toEqual([type, becomes !== '–']);
    if (translate === undefined) expect([type, note]).toEqual([type, expect.any(String)]);
  }
});
