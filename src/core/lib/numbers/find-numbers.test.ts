import { expect, test } from 'vitest';
import { findNumbers } from './find-numbers.ts';

const read = (text: string, decimalMark: '.' | ',' = '.') =>
  findNumbers(text, decimalMark).map(
    ({ value, isPercent, isParenthesized }) =>
      `${value}${isPercent ? '%' : ''}${isParenthesized ? ' in parentheses' : ''}`,
  );

test.each<[string, string[]]>([
  ['The basis is $442,300.', ['442300']],
  ['442.3k', ['442300']],
  ['442.3 thousand dollars', ['442300']],
  ['about 1.2 million and 3bn', ['1200000', '3000000000']],
  ['$5m or 5m or 5M', ['5000000', '5', '5000000']],
  ['$1.5-million, $2 M, 2 M', ['1500000', '2000000', '2']],
  ['1 hundred thousand', ['100000']],
  ['₹4,42,300 or 5 lakh crore', ['442300', '5000000000000']],
  ['12.5 %, 12.5 per cent, 12.5％', ['12.5%', '12.5%', '12.5%']],
  ['(1,204) and ($1,204.00)', ['1204 in parentheses', '1204 in parentheses']],
  ['-$5.20, $-5, −7, x=-5', ['-5.2', '-5', '-7', '-5']],
  ['10–20, 2020-2024, A-5', ['10', '20', '2020', '2024', '5']],
  ['- 5 apples', ['5']],
  ['Q3, A4 and v2', []],
  ['9th of 12km', ['9', '12']],
  ['1e6 and 2.5E-3', ['1000000', '0.0025']],
  ['１，２０４円', ['1204']],
  ['١٦٬١٤٤٫٥ دولار', ['16144.5']],
  ['१६,१४४ and 𝟏𝟐', ['16144', '12']],
  ['本社は16万円', ['160000']],
  ['1.204,50 € or 1.204.300', ['1204.5', '1204300']],
  ['1’204’000 or 1\u202f204\u202f300', ['1204000', '1204300']],
  ['in 2024 300 people', ['2024', '300']],
  ['5,6,7 and 1,20', ['5', '6', '7', '1', '20']],
  ['192.168.1.1, version 1.2.3', []],
  ['2024-08-01 at 12:30', []],
  ['USD 500, EUR500, Rs. 500', ['500', '500', '500']],
  ['.5, 0.1, 007, +12', ['0.5', '0.1', '7', '12']],
  ['1e999', []],
])('finds in %j: %j', (text, numbers) => {
  expect(read(text)).toEqual(numbers);
});

test.each<[string, string[]]>([
  ['1.204,50 €', ['1204.5']],
  ['442.300 Euro', ['442300']],
  ['1 204 300,5', ['1204300.5']],
  ['in 2024 300 Leute', ['2024', '300']],
  ['12,5 % von 3,5 Mio. Euro', ['12.5%', '3500000']],
  ['1,2 Mrd. €', ['1200000000']],
  ['1,204.50', ['1204.5']],
])('finds with a decimal comma in %j: %j', (text, numbers) => {
  expect(read(text, ',')).toEqual(numbers);
});

test('keeps a number as it was written, with its sign, currency and multiplier', () => {
  expect(findNumbers('etwa 3,5 Mio. Euro, -$1.204', ',').map(({ text }) => text)).toEqual([
    '3,5 Mio',
    '-$1.204',
  ]);
});

test('a hundred thousand digits take almost no time', () => {
  expect(findNumbers('9,'.repeat(50_000))).toHaveLength(50_000);
  expect(findNumbers('1.'.repeat(50_000)).length).toBeLessThan(50_001);
  expect(findNumbers('9'.repeat(100_000))).toHaveLength(0);
});

test.each<[string, string[]]>([
  ['12345678901234567890.10 and 1e3', ['12345678901234567890.1', '1000']],
  ['0.50, 007, -0, 442.3k, -1.5e-3', ['0.5', '7', '0', '442300', '-0.0015']],
  ['\u20115 and \u22127', ['-5', '-7']],
])('reads %j to the last digit: %j', (text, exact) => {
  expect(findNumbers(text).map((number) => number.exact)).toEqual(exact);
});

test.each<[string, (string | undefined)[]]>([
  ['$5, US$5, A$5, R$5', ['USD', 'USD', 'AUD', 'BRL']],
  ['5 €, 5 million euros, EUR 5', ['EUR', 'EUR', 'EUR']],
  ['5 dollars and 5', ['USD', undefined]],
  ['from 5 $6', [undefined, 'USD']],
  ['16万円, ¥5', ['JPY', '¥']],
  ['5 apples', [undefined]],
])('reads the currencies of %j: %j', (text, currencies) => {
  expect(findNumbers(text).map((number) => number.currency)).toEqual(currencies);
});

test('says where in the text a number stands', () => {
  const text = '𝟏𝟐 or -$1,204.50 or ≈𝟑 % or 3,5 Mio. Euro';
  expect(findNumbers(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    '𝟏𝟐',
    '-$1,204.50',
    '𝟑 %',
    '3',
    '5 Mio',
  ]);
});
