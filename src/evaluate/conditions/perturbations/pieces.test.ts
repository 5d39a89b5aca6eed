import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPieces } from './pieces.ts';

function keptOf(text: string): string[] {
  return toPieces(text).flatMap((piece) => (piece.isKept ? [piece.text] : []));
}

test.each([
  [
    'Mail ana.ruiz@rent.example or see https://rent.example/a?b=c.',
    ['ana.ruiz@rent.example', 'https://rent.example/a?b=c.'],
  ],
  ['What does "no pets" mean, and «pas de chien»?', ['"no pets"', '«pas de chien»']],
  ["It's Ana's dog, and the sign says 'no dogs'.", ["'no dogs'"]],
  ['Unit B12 cost $1,850 on 2024-07-01', ['B12', '$1,850', '2024-07-01']],
  [
    'Run `npm start` in {{folder name}} as @ana #urgent',
    ['`npm start`', '{{folder name}}', '@ana', '#urgent'],
  ],
  ['the column due_date and the path a/b', ['due_date', 'a/b']],
  ['nothing to keep here', []],
])('in "%s" these parts stay: %j', (text, kept) => {
  expect(keptOf(text)).toEqual(kept);
});

test('joined again, the pieces are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(
        toPieces(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
