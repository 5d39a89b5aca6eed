import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, createHashSet, hashText } from './content-hash.ts';

test('keys stand in code-unit order at every depth, and what is undefined is left out', () => {
  expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null, B: 'x' })).toBe(
    '{"B":"x","a":null,"b":[{"d":1}]}',
  );
  expect(canonicalJson([undefined, ''])).toBe('[null,""]');
});

test('numbers that JSON cannot hold are refused', () => {
  expect(() => canonicalJson({ a: [Number.NaN] })).toThrow(TypeError);
  expect(() => canonicalJson(Number.POSITIVE_INFINITY)).toThrow(TypeError);
});

test('it is JSON of the same value, whatever the order of the keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(value))).toBe(text);
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

test('a hash is new once, however many others come between', () => {
  const set = createHashSet();
  const hashes = Array.from({ length: 20_000 }, (_, index) => hashText(String(index)));
  expect(hashes.every((hash) => set.add(hash))).toBe(true);
  expect(hashes.some((hash) => set.add(hash))).toBe(false);
  expect(set.add(hashText('another'))).toBe(true);
});

test('the hash of nothing but zeros is a hash like any other', () => {
  const set = createHashSet();
  expect(set.add('0'.repeat(32))).toBe(true);
  expect(set.add('0'.repeat(32))).toBe(false);
});
