import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { empty } from './empty.ts';

function corrupt(result: Json): Json {
  if (!('corrupt' in empty)) throw new Error('it does not corrupt');
  return empty.corrupt(result, createRandom(1));
}

test.each<[string, Json, Json]>([
  ['a list', [{ id: 1 }, { id: 2 }], []],
  ['a text', 'The lease says no pets.', ''],
  ['a number', 42, null],
  ['a record', { id: 7, name: 'Ana', guests: ['Ben'] }, {}],
  [
    'an envelope with a list, and what counts it',
    { results: [{ id: 1 }], total: 1, page: 1, query: 'pets' },
    { results: [], total: 0, page: 1, query: 'pets' },
  ],
  ['an envelope in another', { data: { hits: ['a', 'b'], count: 2 } }, { data: { hits: [], count: 0 } }],
  ['a list that is JSON in a text', '[{"id":1}]', '[]'],
  ['an envelope that is JSON in a text', '{"results":["a"],"total":1}', '{"results":[],"total":0}'],
])('%s is emptied in its shape', (_what, result, expected) => {
  expect(corrupt(result)).toEqual(expected);
});

test.each<Json>([[], '', null, {}])('%j stays as it is', (result) => {
  expect(corrupt(result)).toEqual(result);
});
