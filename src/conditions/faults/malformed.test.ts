import { expect, test } from 'vitest';
import type { Json } from '../../schema/json.ts';
import { createRandom } from '../../stats/random.ts';
import { malformed } from './malformed.ts';

function allOf(result: Json): Set<string> {
  if (!('corrupt' in malformed)) throw new Error('it does not corrupt');
  const { corrupt } = malformed;
  const seeds = Array.from({ length: 30 }, (_, seed) => seed);
  return new Set(seeds.map((seed) => JSON.stringify(corrupt(result, createRandom(seed)))));
}

test('records come back as a page, as broken JSON, or with every value of the wrong type', () => {
  const spoilt = [...allOf([{ id: 1, name: 'Ana' }])];
  expect(spoilt).toHaveLength(3);
  expect(spoilt).toContain('[{"id":"NaN","name":"[object Object]"}]');
  expect(spoilt.some((text) => text.includes('<!DOCTYPE html>'))).toBe(true);
  const broken = spoilt.find((text) => text.includes('undefined')) ?? '';
  expect(() => JSON.parse(JSON.parse(broken) as string)).toThrow(SyntaxError);
});

test('a text comes back as a page, or garbled', () => {
  const spoilt = [...allOf('Größe der Wohnung: 54 m²')];
  expect(spoilt).toHaveLength(2);
  expect(spoilt.some((text) => text.includes('\ufffd'))).toBe(true);
});
