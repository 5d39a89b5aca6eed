import { expect, test } from 'vitest';
import { momentsOf, varianceOf } from './moments.ts';

test('equal values have exactly their value as mean and exactly no spread', () => {
  expect(momentsOf(Array.from({ length: 7 }, () => 0.1))).toEqual({ n: 7, mean: 0.1, squares: 0 });
});

test('a small spread far from 0 is computed accurately', () => {
  const moments = momentsOf([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]);
  expect(moments.mean).toBe(1e9 + 10);
  expect(varianceOf(moments)).toBe(30);
});

test('fewer than two values have no variance, and a value that is not finite is refused with its position', () => {
  expect(varianceOf(momentsOf([1]))).toBeNaN();
  expect(momentsOf([])).toEqual({ n: 0, mean: 0, squares: 0 });
  expect(() => momentsOf([1, 2, Infinity])).toThrow('value 3 is Infinity; it must be finite.');
});
