import { expect, test } from 'vitest';
import { findQuotes } from './find-facts.ts';

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
