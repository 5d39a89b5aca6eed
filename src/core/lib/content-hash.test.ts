import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, createHashSet, hashText } from './content-hash.ts';

test('keys are in code-unit order at every depth, and undefined members are left out', () => {
  expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null, B: 'x' })).toBe(
    '{"B":"x","a":null,"b":[{"d":1}]}',
  );
  expect(canonicalJson([undefined, ''])).toBe('[null,""]');
});

test('numbers that JSON cannot represent are refused', () => {
  expect(() => canonicalJson({ a: [Number.NaN] })).toThrow(TypeError);
  expect(() => canonicalJson(Number.POSITIVE_INFINITY)).toThrow(TypeError);
});

test('canonical JSON is JSON of the same value, whatever the order of the keys', () => {
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

test('a hash is new only once, however many others are added in between', () => {
  const set = createHashSet();
  const hashes = Array.from({ length: 20_000 }, (_, index) => hashText(String(index)));
  expect(hashes.every((hash) => set.add(hash))).toBe(true);
  expect(hashes.some((hash) => set.add(hash))).toBe(false);
  expect(set.add(hashText('another'))).toBe(true);
});

test('a hash of zeros only is a hash like any other', () => {
  const set = createHashSet();
  expect(set.add('0'.repeat(32))).toBe(true);
  expect(set.add('0'.repeat(32))).toBe(false);
});
