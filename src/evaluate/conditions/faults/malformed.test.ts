import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { malformed } from './malformed.ts';

function allOf(result: Json): Set<string> {
  if (!('corrupt' in malformed)) throw new Error('it does not corrupt');
  const { corrupt } = malformed;
  const seeds = Array.from({ length: 30 }, (_, seed) => seed);
  return new Set(seeds.map((seed) => JSON.stringify(corrupt(result, createRandom(seed)))));
}

test('records become a page, broken JSON, or values of the wrong type', () => {
  const corrupted = [...allOf([{ id: 1, name: 'Ana' }])];
  expect(corrupted).toHaveLength(3);
  expect(corrupted).toContain('[{"id":"NaN","name":"[object Object]"}]');
  expect(corrupted.some((text) => text.includes('<!DOCTYPE html>'))).toBe(true);
  const broken = corrupted.find((text) => text.includes('undefined')) ?? '';
  expect(() => JSON.parse(JSON.parse(broken) as string)).toThrow(SyntaxError);
});

test('a text becomes a page, or garbled text', () => {
  const corrupted = [...allOf('Größe der Wohnung: 54 m²')];
  expect(corrupted).toHaveLength(2);
  expect(corrupted.some((text) => text.includes('\ufffd'))).toBe(true);
});
