import { expect, test } from 'vitest';
import { parsePythonLiteral } from './python-literal.ts';

const valueOf = (text: string) => parsePythonLiteral(text)?.value;

test('texts, numbers, constants, lists, tuples and dictionaries are read as Python writes them', () => {
  expect(valueOf(`['a', "it's", 'say "hi"', 'line\\nbreak', '\\u00e9\\x41', '\\\\d']`)).toEqual([
    'a',
    "it's",
    'say "hi"',
    'line\nbreak',
    'éA',
    '\\d',
  ]);
  expect(valueOf("{'n': -1.5e3, 'yes': True, 'no': False, 'none': None, 'nan': nan, 't': (1, 2,)}")).toEqual({
    n: -1500,
    yes: true,
    no: false,
    none: null,
    nan: 'NaN',
    t: [1, 2],
  });
  expect(valueOf(' [] ')).toEqual([]);
  expect(JSON.stringify(valueOf("{'id': 1290461237612345677}"))).toBe('{"id":1290461237612345677}');
});

test('what is no literal as a whole is none: calls, names, cut-off texts, and nesting without end', () => {
  for (const text of [
    '',
    'hello',
    '[1, 2',
    "['a' 'b']",
    "['a",
    '{1}',
    '[1] + [2]',
    "__import__('os').system('true')",
    'array([1])',
    '['.repeat(10_000),
  ]) {
    expect({ text, value: valueOf(text) }).toEqual({ text, value: undefined });
  }
});

test('an array of numpy is read where it may be one', () => {
  expect(parsePythonLiteral("['a' 'b'\n 'c']", true)?.value).toEqual(['a', 'b', 'c']);
  expect(parsePythonLiteral('[1 2. 3]', true)?.value).toEqual([1, 2, 3]);
  expect(parsePythonLiteral("['a''b']", true)).toBeUndefined();
  expect(parsePythonLiteral("['a' 'b' ...]", true)).toBeUndefined();
});

test('a key `__proto__` is a member like any other', () => {
  const read = valueOf("{'__proto__': {'polluted': True}}") as object;
  expect(Object.keys(read)).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
