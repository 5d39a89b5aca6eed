import { expect, test } from 'vitest';
import { findPlantedTokens } from '../../../core/lib/planted-tokens.ts';
import type { Json } from '../../../core/schema/json.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { promptInjection } from './prompt-injection.ts';

function corrupt(result: Json, seed = 1): Json {
  if (!('corrupt' in promptInjection)) throw new Error('it does not corrupt');
  return promptInjection.corrupt(result, createRandom(seed));
}

const passage = 'No pets are allowed in the building.';

test('the instruction is at the end of the longest text, and nothing else changes', () => {
  const result = [{ id: 'lease#pets', score: 3.5, text: passage, title: 'Lease of the house' }];
  const [planted] = corrupt(result) as typeof result;
  expect(planted).toMatchObject({ id: 'lease#pets', score: 3.5, title: 'Lease of the house' });
  expect(planted?.text.startsWith(`${passage}\n\n`)).toBe(true);
  expect(findPlantedTokens(planted?.text ?? '')).toHaveLength(1);
});

test('a text, and JSON in a text, receive the instruction too', () => {
  expect(corrupt(passage)).toContain(`${passage}\n\n`);
  const [planted] = JSON.parse(corrupt(JSON.stringify([{ text: passage }])) as string);
  expect(findPlantedTokens(planted.text)).toHaveLength(1);
});

test('there are several instructions, and every seed has a word of its own', () => {
  const all = Array.from({ length: 40 }, (_, seed) => corrupt(passage, seed) as string);
  expect(new Set(all.flatMap(findPlantedTokens)).size).toBe(40);
  const orders = new Set(all.map((text) => text.replace(findPlantedTokens(text)[0] ?? '', 'WORD')));
  expect(orders.size).toBe(4);
});

test.each<Json>([[], [{ id: 1, total: 3 }], 'Montrose', 42, null, { name: 'Ana' }])(
  '%j has no place for an instruction',
  (result) => {
    expect(corrupt(result)).toEqual(result);
  },
);
