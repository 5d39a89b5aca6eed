import fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, nearestName } from './nearest-name.ts';

const known = ['keywords', 'latency', 'regex', 'id', 'tool-usage'];

test.each([
  ['latncy', 'latency'],
  ['KEYWORDS', 'keywords'],
  ['ergex', 'regex'],
  ['tool_usage', 'tool-usage'],
  ['di', 'id'],
])('%s is meant to be %s', (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

test.each(['x', 'q', 'accuracy', '', 'no'])('nothing is near %j', (name) => {
  expect(nearestName(name, known)).toBeUndefined();
});

test('the nearer of two names is suggested, and the first of two equally near ones', () => {
  expect(nearestName('test-two', ['test-three', 'test-tow', 'test-ten'])).toBe('test-tow');
  expect(nearestName('bat', ['cat', 'hat'])).toBe('cat');
});

test('the hint is a sentence or empty', () => {
  expect(didYouMean('regexp', known)).toBe(' Did you mean "regex"?');
  expect(didYouMean('accuracy', known)).toBe('');
});

test('a known name is nearest to itself, and to itself with any one letter lost, doubled or changed', () => {
  const slip = fc.tuple(fc.constantFrom('', 'xx', 'x'), fc.nat(20));
  fc.assert(
    fc.property(fc.constantFrom('keywords', 'latency', 'tool-usage'), slip, (name, [by, place]) => {
      const at = place % name.length;
      expect(nearestName(name, known)).toBe(name);
      expect(nearestName(name.slice(0, at) + by + name.slice(at + 1), known)).toBe(name);
    }),
  );
});
