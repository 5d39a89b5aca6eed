import { expect, test } from 'vitest';
import { cutLong, partAt } from './cut-long.ts';

test('a short value stays as it is', () => {
  const value = { answer: 'It is.', list: [1, null, true] };
  expect(cutLong(value, '/result')).toEqual({ value, cuts: [] });
});

test('long texts and lists are cut, with their place and their size', () => {
  const whole = { result: { 'a/b~c': 'x'.repeat(30_000), list: Array.from({ length: 600 }, () => 1) } };
  const { value, cuts } = cutLong(whole.result, '/result');
  expect(value['a/b~c']).toHaveLength(20_000);
  expect(value.list).toHaveLength(500);
  expect(cuts).toEqual([
    { path: '/result/a~1b~0c', length: 30_000 },
    { path: '/result/list', length: 600 },
  ]);
  expect(partAt(whole, '/result/a~1b~0c')).toBe(whole.result['a/b~c']);
  expect(partAt(whole, '/result/constructor/name')).toBeUndefined();
});

test('everything together stays below 2 MB, whatever it is made of', () => {
  const texts = Array.from({ length: 400 }, () => 'x'.repeat(100_000));
  const lists = Array.from({ length: 5_000 }, () => Array.from({ length: 500 }, (_, index) => ({ index })));
  for (const value of [texts, lists, { texts, lists }]) {
    const { value: cut, cuts } = cutLong(value, '');
    expect(JSON.stringify(cut).length).toBeLessThan(2_000_000);
    expect(cuts.length).toBeGreaterThan(0);
  }
});
