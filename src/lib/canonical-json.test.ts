import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

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
