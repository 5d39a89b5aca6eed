import { expect, test } from 'vitest';
import { conditionsOf } from './condition-flags.ts';

test('kinds stand with commas between them, and flags may be given again', () => {
  expect(conditionsOf({ faults: ['timeout, empty@0.5', 'stale'] })).toEqual({
    faults: ['timeout', 'empty@0.5', 'stale'],
  });
  expect(conditionsOf({ perturb: ['case:upper'] })).toEqual({ perturb: ['case:upper'] });
  expect(conditionsOf({})).toEqual({});
});

test.each([
  [{ faults: ['timeot'] }, '--faults: there is no fault "timeot". Did you mean "timeout"?'],
  [{ perturb: ['typos,'] }, '--perturb: "": write a kind'],
  [{ faults: ['timeout@5'] }, '--faults: "timeout@5": the rate after the @'],
])('%j is refused in the words of the command line', (flags, words) => {
  expect(() => conditionsOf(flags)).toThrow(words);
});
