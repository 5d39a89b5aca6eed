import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Verdict } from '../schema/verdict.ts';
import { buildCase, buildTrial } from '../testing/build-records.ts';
import { keywords } from './keywords.ts';

const score = (wanted: string[] | undefined, answer: string | null, threshold?: number) =>
  keywords.definition
    .create({ threshold }, {})
    .score({ case: buildCase({ expected: { keywords: wanted } }), trial: buildTrial(answer) }) as Extract<
    Verdict,
    { status: 'scored' }
  >;

test.each([
  [['900', '9th', 'Montrose', 'CO'], 'Your property is located at 900 S 9th St, Montrose, CO 81401', 1],
  [
    ['basis', 'depreciation', '442300', 'land', 'building'],
    'The total basis for your property is 442300 dollars, which includes the land and building components.',
    0.8,
  ],
  [['August', '2024', 'rental', 'income', '16144'], 'I found some transaction data for you.', 0],
  [[], 'anything', 1],
  [[], null, 1],
  [undefined, 'anything', 1],
  [['x'], null, 0],
  [['STRASSE', 'ÉCOLE'], 'die Straße, une école', 0.5],
  [['東京'], '本社は東京にあります', 1],
  [['a', 'a', 'b'], 'only a here', 2 / 3],
])('keywords %j in %j → %d', (wanted, answer, value) => {
  expect(score(wanted, answer).value).toBeCloseTo(value, 12);
});

test('found and missing keywords are named in the order of the case', () => {
  expect(score(['basis', 'depreciation', 'land'], 'Land and basis')).toMatchObject({
    explanation: 'missing: depreciation',
    evidence: { found: ['basis', 'land'], missing: ['depreciation'] },
  });
});

test('the verdict passes from the threshold on, and says nothing of passing without one', () => {
  expect(score(['a', 'b', 'c'], 'a b', 2 / 3).passed).toBe(true);
  expect(score(['a', 'b', 'c'], 'a', 2 / 3).passed).toBe(false);
  expect(score(['a'], 'a').passed).toBeUndefined();
});

test('equals the definition of the documents on any text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, unit: 'grapheme' })),
      fc.string({ unit: 'grapheme' }),
      (wanted, answer) => {
        const found = wanted.filter((keyword) => answer.toLowerCase().includes(keyword.toLowerCase())).length;
        const expected = wanted.length === 0 ? 1 : found / wanted.length;
        expect(score(wanted, answer).value).toBe(expected);
      },
    ),
  );
});
