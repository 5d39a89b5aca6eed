import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { keywords } from './keywords.ts';

const score = (wanted: string[] | undefined, answer: string | null, threshold?: number) =>
  scoreAnswer(keywords, answer, { options: { threshold }, expected: { keywords: wanted } }) as Extract<
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
  [
    ['basis', 'depreciation', '442300', 'land', 'building'],
    'Your total basis is $442,300, which includes both the land and the building.',
    0.8,
  ],
  [['49'], 'The desk lamp costs $149.', 0],
  [['August', '2024', 'rental', 'income', '16144'], 'I found some transaction data for you.', 0],
  [[], 'anything', 1],
  [[], null, 1],
  [['x'], null, 0],
  [['STRASSE', 'ÉCOLE'], 'die Straße, une école', 1],
  [['東京'], '本社は東京にあります', 1],
  [['a', 'a', 'b'], 'only a here', 2 / 3],
])('keywords %j in %j → %d', (wanted, answer, value) => {
  expect(score(wanted, answer).value).toBeCloseTo(value, 12);
});

test('names found and missing keywords in the order of the case', () => {
  expect(score(['basis', 'depreciation', 'land'], 'Land and basis')).toMatchObject({
    explanation: 'missing: depreciation',
    evidence: { found: ['basis', 'land'], missing: ['depreciation'] },
  });
});

test('says how a keyword was found, and in which longer word or number a missing one stands', () => {
  const wanted = ['1299', 'deduct', 'lamp', 'legal', '49'];
  const answer = 'It is $1,299.00 and deductible, but illegal; the lamp costs $149.';
  expect(score(wanted, answer)).toMatchObject({
    value: 0.6,
    explanation:
      'missing: legal (only inside “illegal”), 49 (only inside “$149”); found: 1299 as “$1,299.00”, deduct as “deductible”',
    evidence: {
      found: ['1299', 'deduct', 'lamp'],
      missing: ['legal', '49'],
      foundAs: { 1299: '$1,299.00', deduct: 'deductible' },
      inside: { legal: 'illegal', 49: '$149' },
    },
  });
});

test('the evidence stays small, however many keywords there are and however long the words', () => {
  const wanted = Array.from({ length: 500 }, (_, index) => `word${index}x`);
  const answer = wanted.map((word) => `${word}${'y'.repeat(500)}`).join(' ');
  const { evidence, explanation } = score(wanted, answer);
  expect(Object.keys((evidence as { inside: object }).inside)).toHaveLength(20);
  expect(explanation?.length).toBeLessThan(10_000);
});

test('passes from the threshold on, and neither passes nor fails without one', () => {
  expect(score(['a', 'b', 'c'], 'a b', 2 / 3).passed).toBe(true);
  expect(score(['a', 'b', 'c'], 'a', 2 / 3).passed).toBe(false);
  expect(score(['a'], 'a').passed).toBeUndefined();
});

test('with the option `source`, equals the definition of the source documents on any text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1, unit: 'grapheme' })),
      fc.string({ unit: 'grapheme' }),
      (wanted, answer) => {
        const found = wanted.filter((keyword) => answer.toLowerCase().includes(keyword.toLowerCase())).length;
        const expected = wanted.length === 0 ? 1 : found / wanted.length;
        const options = { source: true };
        const verdict = scoreAnswer(keywords, answer, { options, expected: { keywords: wanted } });
        expect(valueOf(verdict)).toBe(expected);
      },
    ),
  );
});

type Options = Parameters<typeof keywords>[0];
const found = (options: Options, keyword: string, answer: string) =>
  valueOf(scoreAnswer(keywords, answer, { options: { ...options }, expected: { keywords: [keyword] } }));

test.each<[Options, string, string, number]>([
  [{ alternatives: true }, 'rental income | rent received', 'Rent received: 16,144', 1],
  [{ alternatives: true }, 'rental income | rent received', 'Rent paid', 0],
  [{ alternatives: true }, ' | ', 'a | b', 1],
  [{}, 'rental income | rent received', 'Rent received', 0],
  [{}, 'a|b', 'literally a|b', 1],

  [{ match: 'word' }, 'land', 'the island', 0],
  [{ match: 'word' }, 'land', 'Land, building', 1],
  [{ match: 'word' }, 'rental income', 'the Rental\n income was', 1],
  [{ match: 'word' }, 'C++', 'written in C++.', 1],
  [{ match: 'word' }, 'C', 'written in Ceylon', 0],
  [{ match: 'word' }, '16,144', 'it was 16,144.50', 0],
  [{ match: 'word' }, 'ＬＡＮＤ', 'land', 1],
  [{ match: 'word' }, '442', '４４２ and ٤٤٢', 1],
  [{ match: 'word' }, '東京', '本社は東京にあります', 1],
  [{ match: 'word' }, '京都', '東京都庁', 0],
  [{ match: 'word' }, 'דירה', 'ה\u200fדירה \u202bדירה\u202c נמכרה', 1],
  [{ match: 'word' }, 'إيجار', 'دخل إيـــجار كبير', 1],

  [{ match: 'stem' }, 'lease', 'leases and leasing', 1],
  [{ match: 'stem' }, 'depreciated buildings', 'a building depreciates', 0],
  [{ match: 'stem' }, 'depreciated buildings', "depreciating building's roofs", 1],
  [{ match: 'stem' }, 'land', 'the island', 0],
  [{ match: 'stem' }, '東京', '本社は東京にあります', 1],
  [{ match: 'stem' }, '%', '5 %', 1],

  [{ numbers: true }, '1204', 'it cost $1,204.00', 1],
  [{ numbers: true }, '442,300', 'a basis of 442.3k', 1],
  [{ numbers: true }, '$442,300', 'a basis of ４４２３００ dollars', 1],
  [{ numbers: true }, '1204', 'it cost 12040', 0],
  [{ numbers: true, match: 'word' }, '1204', 'it cost 12040', 0],
  [{ match: 'substring' }, '1204', 'it cost 12040', 1],
  [{ match: 'substring' }, 'legal', 'an illegal act', 1],
  [{ match: 'word-start' }, 'custom', 'a customer', 1],
  [{ match: 'word-start' }, 'custom', 'accustomed', 0],
  [{ match: 'name' }, 'Tom', 'Tomas', 0],
  [{ source: true }, 'legal', 'an ILLEGAL act', 1],
  [{ source: true }, '1204', 'it cost $1,204', 0],
  [{ numbers: true }, '1,5', 'etwa 1,50', 1],
  [{ numbers: true, decimalMark: ',', match: 'word' }, '1,5', 'etwa 1,50', 1],
  [{ numbers: true }, 'land 5', 'five', 0],
  [{}, '1204', 'it cost $1,204', 1],
  [{ numbers: false }, '1204', 'it cost $1,204', 1],
  [{ numbers: false }, '1204', 'it cost 1,204.50', 0],

  [{ normalize: true }, '㎡ 12', 'm²  １２', 1],
  [{}, '㎡ 12', 'm²  １２', 1],
  [{}, '㎡ 12', 'm2  １２', 0],
])('with %j the keyword %j in %j → %d', (options, keyword, answer, value) => {
  expect(found(options, keyword, answer)).toBe(value);
});

test.each<[string, string, number]>([
  ['depreciation', 'No depreciation was taken.', 0],
  ['depreciation', 'Depreciation is included.', 1],
  ['depreciation', "The depreciation isn't included.", 0],
  ['Montrose', 'It is not in Denver, it is in Montrose.', 1],
  ['Denver', 'It is not in Denver, it is in Montrose.', 0],
  ['Montrose, CO', 'It is at 900 S 9th St, Montrose, CO 81401.', 1],
  ['land', 'The basis does not include depreciation, land, or furniture.', 0],
  ['furniture', 'The basis does not include depreciation, land, or furniture.', 0],
  ['building', 'The basis does not include land. The building counts.', 1],
  ['income', 'There was no expense but an income.', 1],
  ['income', 'Not only expenses, but also income.', 1],
  ['income', 'No doubt the income was high.', 1],
  ['not refundable', 'The deposit is not refundable.', 1],
  ['Miete', 'Die Miete wurde nicht bezahlt.', 0],
  ['loyer', 'Le loyer n’est pas payé.', 0],
  ['北京', '总部不是在北京。', 0],
  ['1,204', 'It was 1,204, no more than that.', 1],
])('with ignoreNegated the keyword %j in %j → %d', (keyword, answer, value) => {
  expect(found({ ignoreNegated: true }, keyword, answer)).toBe(value);
});

test('without the option a keyword in a negated clause counts, as in the source documents', () => {
  expect(found({}, 'depreciation', 'No depreciation was taken.')).toBe(1);
});

test('a keyword that looks like alternatives is reported with the option that would split it', () => {
  expect(score(['rental income | rent received'], 'nothing').explanation).toMatch(/`alternatives`/);
  expect(score(['rental income'], 'nothing').explanation).toBe('missing: rental income');
});

test('a case without keywords is not applicable, unless full marks are asked for', () => {
  expect(scoreAnswer(keywords, 'anything', {})).toMatchObject({ status: 'not-applicable' });
  const options = { nothingExpected: 'full' } as const;
  expect(scoreAnswer(keywords, 'anything', { options })).toMatchObject({ status: 'scored', value: 1 });
});
