import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJson as findTexts } from './find-json.ts';

const findJson = (...parameters: Parameters<typeof findTexts>): unknown[] =>
  findTexts(...parameters).map((text) => JSON.parse(text) as unknown);

const both = ['object', 'array'] as const;

test.each<[text: string, found: unknown[]]>([
  ['{"a":1}', [{ a: 1 }]],
  ['Here it is:\n```json\n{"a": [1, {"b": "}"}]}\n```\nAnything else?', [{ a: [1, { b: '}' }] }]],
  ['first {"a":1}, then [2, 3] and {"b":null}.', [{ a: 1 }, [2, 3], { b: null }]],
  ['{name} is a placeholder, {"a": true} is not', [{ a: true }]],
  ['{"outer": {"a": 1}, oops} [4]', [{ a: 1 }, [4]]],
  ['[[1], [2], {"x": }', [[1], [2]]],
  ['{"unclosed": "see [1, 2] there', [[1, 2]]],
  ['{"a": "\\u00e9\\n\\"}"} {"b": "\\x"} {"c": 1e5}', [{ a: 'é\n"}' }, { c: 100_000 }]],
  ['{"a": 01} {"a": 1.} [+1] [.5] [1,] {"a":1,} [] {}', [[], {}]],
  ['{"a": "line\nbreak"} [NaN] [Infinity] [undefined] {a: 1} {\'a\': 1}', []],
  ['{"__proto__": 1}', [JSON.parse('{"__proto__": 1}')]],
  ['"text" 12 true', []],
  ['', []],
])('%j', (text, found) => {
  expect(findJson(text, both)).toEqual(found);
});

test('lists can be left out, but not the objects inside them', () => {
  expect(findJson('as [1] says: {"a": [2]}', ['object'])).toEqual([{ a: [2] }]);
  expect(findJson('as [1] says: {"a": [2]}', ['array'])).toEqual([[1]]);
});

test('finds every JSON object or list inside any text without brackets and quotes', () => {
  const prose = fc.string().map((text) => text.replace(/[[\]{}"]/g, ''));
  const container = fc
    .jsonValue()
    .map((value) => (value !== null && typeof value === 'object' ? value : [value]));
  const spaced = fc.tuple(container, fc.constantFrom(undefined, 2, '\t'));
  fc.assert(
    fc.property(fc.array(fc.tuple(prose, spaced)), prose, (parts, last) => {
      const texts = parts.map(([before, [value, space]]) => `${before}${JSON.stringify(value, null, space)}`);
      const wanted = parts.map(([, [value]]) => JSON.parse(JSON.stringify(value)) as unknown);
      expect(findJson(texts.join('') + last, both)).toEqual(wanted);
    }),
  );
});

/** Finds the values by trying every piece of the text. */
function findByTrying(text: string): unknown[] {
  for (const { index } of text.matchAll(/[[{]/g)) {
    for (let end = index + 2; end <= text.length; end++) {
      try {
        return [JSON.parse(text.slice(index, end)) as unknown, ...findByTrying(text.slice(end))];
      } catch {
        continue;
      }
    }
  }
  return [];
}

test('finds what JSON.parse reads of the pieces of a text', () => {
  const pieces = fc.array(
    fc.constantFrom(...'{}[]:, 10-.eE+'.split(''), 'true', 'null', '"b"', '"c":1', '"c":'),
    {
      maxLength: 25,
    },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      expect(findJson(parts.join(''), both)).toEqual(findByTrying(parts.join('')));
    }),
    { numRuns: 2000 },
  );
});

test('long texts of brackets and quotes are read in one pass', () => {
  for (const piece of ['[', '{"a":', '{"', '["\\"', '[1,', '{"a":[', '[]', '"']) {
    expect(findJson(piece.repeat(50_000), ['object'])).toEqual([]);
  }
});
