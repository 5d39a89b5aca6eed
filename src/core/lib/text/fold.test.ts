import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldForComparison, foldWithPlaces } from './fold.ts';

const areAlike = (first: string, second: string) => foldForComparison(first) === foldForComparison(second);

test.each([
  ["can't help", 'I can’t help'.slice(2)],
  ["can't", 'can`t'],
  ["rock 'n' roll", 'rock ‘n’ roll'],
  ['"quoted"', '“quoted”'],
  ['"quoted"', '«quoted»'],
  ['e-mail', 'e\u2011mail'],
  ['e-mail', 'e\u2010mail'],
  ['10-20', '10–20'],
  ['-5', '\u22125'],
  ['a b', 'a\u00a0b'],
  ['1 000', '1\u202f000'],
  ['a b', '  a \n\t b '],
  ['cooperate', 'co\u00adoperate'],
  ['word', 'wo\u200brd\ufeff'],
  ['office', 'oﬃce'],
  ['touchstone 42', 'ＴＯＵＣＨ\u200bｓｔｏｎｅ　４２'],
  ['café', 'cafe\u0301'],
  ['Ångström', 'A\u030angstro\u0308m'],
  ['Việt Nam', 'Việt Nam'.normalize('NFD')],
  ['한국어', '한국어'.normalize('NFD')],
  ['パン', 'ﾊﾟﾝ'],
  ['が', 'が'.normalize('NFD')],
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['ΟΔΥΣΣΕΥΣ', 'Οδυσσευς'],
  ['İstanbul', 'istanbul'],
  ['ISPARTA', 'ısparta'],
  ['wait...', 'wait…'],
  ['the total basis', 'the **total** basis'],
  ['bold and so', '__bold and__ _so_'],
  ['very much so', '***very*** *much* so'],
  ['run npm test', 'run `npm test`'],
  ['答案是巴黎。', '答案是**巴黎**。'],
  ['snake_case', 'snake\\_case'],
  ['$5 and 5%', '\\$5 and 5\\%'],
  ['10^2', '10²'],
  ['x^2', 'x²'],
  ['10^-5 m', '10⁻⁵ m'],
  ['1/2', '½'],
  ['1/2', '¹⁄₂'],
  ['2 1/2', '2½'],
  ['H2O', 'H₂O'],
  ['20 m^2', '20 ㎡'],
  ['(1)', '⑴'],
  ['42', '٤٢'],
  ['42', '४२'],
  ['12', '𝟏𝟐'],
  ['5 µm', '5 μm'],
  ['x >= 5', 'x ≥ 5'],
  ['x != 5', 'x ≠ 5'],
  ['I ❤ it', 'I ❤️ it'],
])('%j and %j are the same text', (first, second) => {
  expect(areAlike(first, second)).toBe(true);
});

test.each([
  ['10²', '102'],
  ['10²', '10'],
  ['10₂', '102'],
  ['10①', '101'],
  ['5½', '51/2'],
  ['2**3', '23'],
  ['2**3**4', '234'],
  ['a*b*c', 'abc'],
  ['a*b', 'ab'],
  ['snake_case_name', 'snakecasename'],
  ['__init__', 'init'],
  ['*args, **kwargs', 'args, kwargs'],
  ['src/**/*.ts', 'src/.ts'],
  ['(*a)*(*b)', '(a)(b)'],
  ['5 * 3 * 2', '5  3  2'],
  ['Müller', 'Muller'],
  ['José', 'Jose'],
  ['ß', 's'],
  ['a\u0430', 'aa'],
  ['👨‍👩‍👧', '👨👩👧'],
  ['-5', '5'],
  ['a\\$', 'a$'],
])('%j and %j are different texts', (first, second) => {
  expect(areAlike(first, second)).toBe(false);
});

test('a part of the folded text leads to its original', () => {
  const folded = foldWithPlaces('Das **ﬁnale** Maß:\u00a0½ “Straße”, 10² co\u00adop');
  expect(folded.text).toBe('das finale mass: 1/2 "strasse", 10^2 coop');
  const originalOf = (part: string) => {
    const start = folded.text.indexOf(part);
    return folded.originalOf(start, start + part.length);
  };
  expect(originalOf('finale')).toBe('ﬁnale');
  expect(originalOf('finale mass')).toBe('ﬁnale** Maß');
  expect(originalOf('1/2')).toBe('½');
  expect(originalOf('"strasse"')).toBe('“Straße”');
  expect(originalOf('10^2')).toBe('10²');
  expect(originalOf('coop')).toBe('co\u00adop');
});

const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '**',
        '*',
        '_',
        '`',
        '\n',
        ' ',
        'x',
        '²',
        '½',
        '\u0301',
        'İ',
        'ß',
        'ﬁ',
        '\u00ad',
        '٣',
        '\\_',
        '1',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

test('both folds give the same text, every place lies in the original, and folding again changes no letter', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { text: folded, originalRange } = foldWithPlaces(text);
      expect(folded).toBe(foldForComparison(text));
      let last = 0;
      for (let place = 0; place < folded.length; place++) {
        const [start, end] = originalRange(place, place + 1);
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeLessThanOrEqual(text.length);
        last = start;
      }
    }),
    { numRuns: 500, seed: 40 },
  );
});

test('the Unicode form of a text changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(foldForComparison(text.normalize('NFD'))).toBe(foldForComparison(text.normalize('NFC')));
    }),
    { numRuns: 500, seed: 40 },
  );
});

const cpuOf = (work: () => unknown) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

test.each([
  'a',
  ' ',
  '*',
  '**a',
  '_',
  '`',
  'é',
  'e\u0301',
  '\u0301',
  '²',
  '½',
  'ﷺ',
  'ß',
  '\u200d',
  '한',
  '中',
  '\\_',
  '**a** ',
])('a hostile text takes time in proportion to its length: %j', (part) => {
  // Where the time grew with the square of the length, this would take minutes.
  const text = part.repeat(Math.ceil(1e5 / part.length));
  expect(cpuOf(() => foldForComparison(text))).toBeLessThan(3);
  expect(cpuOf(() => foldWithPlaces(text))).toBeLessThan(3);
});
