import { expect, test } from 'vitest';
import { findLinks, findQuotes, findTimes, readNumbers } from './find-facts.ts';

test.each([
  ['say "paid in cash" now', [['paid in cash']]],
  [
    '“paid” and „bezahlt“ and «payé» and »bezahlt« and 「支払い」',
    [['paid'], ['bezahlt'], ['payé'], ['bezahlt'], ['支払い']],
  ],
  ['"the price […] was paid ... in cash"', [['the price ', ' was paid ', ' in cash']]],
  ['6" wide and 12" long', []],
  ["it's Ana's and 'maybe'", []],
  ['"" and "..." and "?"', []],
  ['"open\nclosed"', []],
  ['**"bold"**', [['bold']]],
])('%j', (text, parts) => {
  expect(findQuotes(text).map((quote) => quote.parts)).toEqual(parts);
});

const pm = 12 * 60;

test.each([
  ['open 9:00 to 17:30', [[540, 540 + pm], [1050]]],
  ['5:30 pm, 5:30 P.M. and 12 am', [[1050], [1050], [0]]],
  ['12 pm', [[720]]],
  ['14h30 or 9 Uhr', [[870], [540, 540 + pm]]],
  ["at 5 o'clock", [[300, 300 + pm]]],
  ['１７：３０', [[1050]]],
  ['25:00, 9:75, 13 pm, 9 amps, 1:2, 10h', []],
])('%j', (text, readings) => {
  expect(
    findTimes(text)
      .sort((a, b) => a.index - b.index)
      .map((time) => time.readings),
  ).toEqual(readings);
});

test.each([
  ['See https://Example.com/a/?x=1.', ['example.com/a/?x=1']],
  ['(http://www.example.com/) or www.example.com', ['example.com', 'example.com']],
  ['write to Ana.Reyes@example.co.uk, please', ['ana.reyes@example.co.uk']],
  ['[site](https://example.com/path)', ['example.com/path']],
  ['no@ address, @noone, a.b', []],
])('%j', (text, addresses) => {
  expect(findLinks(text).map(({ address }) => address)).toEqual(addresses);
});

test.each([
  ['1,204', [[[1204], [1.204]]]],
  ['1.204', [[[1.204], [1204]]]],
  ['1204,50 €', [[[1204, 50], [1204.5]]]],
  ['0.66', [[[0.66]]]],
  ['$2951.02', [[[2951.02]]]],
  ['1.204,50', [[[1204.5], [1204.5]]]],
  [
    '5 and 7',
    [
      [[5], [5]],
      [[7], [7]],
    ],
  ],
  ['none', []],
])('%j', (text, values) => {
  const read = readNumbers(text).map(({ readings }) =>
    readings.map((reading) => reading.map(({ value }) => value)),
  );
  expect(read).toEqual(values);
});
