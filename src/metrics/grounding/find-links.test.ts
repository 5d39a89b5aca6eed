import { expect, test } from 'vitest';
import { findLinks } from './find-links.ts';

test.each([
  ['See https://Example.com/a/?x=1.', ['example.com/a/?x=1']],
  ['(http://www.example.com/) or www.example.com', ['example.com', 'example.com']],
  ['write to Ana.Reyes@example.co.uk, please', ['ana.reyes@example.co.uk']],
  ['[site](https://example.com/path)', ['example.com/path']],
  ['no@ address, @nobody, a.b', []],
])('%j', (text, addresses) => {
  expect(findLinks(text).map(({ address }) => address)).toEqual(addresses);
});
