import { expect, test } from 'vitest';
import { messageOf } from './errors.ts';

test.each([
  [new RangeError('no such price'), 'no such price'],
  [new RangeError(), 'RangeError'],
  [Object.assign(new RangeError(), { message: { code: 7 } }), 'RangeError'],
  ['no database', 'no database'],
  [{ message: 'of another realm', code: 7 }, 'of another realm'],
  ['', 'it threw an empty text'],
  [undefined, 'it threw undefined'],
  [null, 'it threw null'],
  [503, 'it threw 503'],
  [Symbol('gone'), 'it threw Symbol(gone)'],
  [() => 1, 'it threw a function'],
  [['a', 'b'], 'it threw a list of 2'],
  [{ status: 500, body: 'x' }, 'it threw an object with the keys status, body'],
  [Object.create(null), 'it threw an empty object'],
])('%o is put into words', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});

test('what refuses to be read is put into words all the same', () => {
  const refuse = () => {
    throw new Error('no');
  };
  expect(messageOf(new Proxy({}, { get: refuse }))).toBe('it threw something that cannot be read');
});
