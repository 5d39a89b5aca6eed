import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clausesOf, withoutClauses } from './clauses.ts';

function textsOf(text: string): string[] {
  return clausesOf(text).map((clause) => clause.text);
}

test('sentences, lines, what a colon announces, dashes and contrasts are apart', () => {
  expect(textsOf('It failed. So I asked Ana, but Ben answered: 3 pm — or later!\n- one\n- two')).toEqual([
    'It failed.',
    'So I asked Ana',
    'but Ben answered:',
    '3 pm',
    'or later!',
    '- one',
    '- two',
  ]);
});

test('figures with points and colons stay whole', () => {
  expect(textsOf('At 10:30 it was $1,204.50, ca. 3.5 % more')).toEqual([
    'At 10:30 it was $1,204.50, ca.',
    '3.5 % more',
  ]);
});

test('a clause stands where it says, and cutting all of them out leaves white space and what joined them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const clauses = clausesOf(text);
      for (const clause of clauses) expect(text.slice(clause.index).startsWith(clause.text)).toBe(true);
      const rest = withoutClauses(text, clauses);
      expect(rest).toHaveLength(text.length);
      expect(rest.replaceAll(/[\s,—–-]/gu, '')).toBe('');
    }),
  );
});
