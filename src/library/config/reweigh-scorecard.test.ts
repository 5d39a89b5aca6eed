import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadWeights } from './reweigh-scorecard.ts';

const current = new Map([
  ['people', 0.25],
  ['time', 0.25],
  ['duration', 0.1],
  ['alternatives', 0.2],
  ['explanation', 0.2],
]);
const spread = (given: Record<string, number>) =>
  Object.fromEntries(spreadWeights(current, new Map(Object.entries(given))));

test('criteria without a given weight share the rest in their present proportions', () => {
  expect(spread({ people: 0.4 })).toEqual({
    people: 0.4,
    time: expect.closeTo(0.2),
    duration: expect.closeTo(0.08),
    alternatives: expect.closeTo(0.16),
    explanation: expect.closeTo(0.16),
  });
});

test('given weights that add up to 1 leave nothing for the others', () => {
  expect(spread({ people: 0.5, time: 0.5 })).toEqual({
    people: 0.5,
    time: 0.5,
    duration: 0,
    alternatives: 0,
    explanation: 0,
  });
});

test.each([
  [{ tme: 0.3 }, 'The scorecard has no criterion "tme". Did you mean "time"?'],
  [{ people: 0.9, time: 0.3 }, 'The given weights add up to 1.2, more than 1.'],
  [
    { people: 0.2, time: 0.2, duration: 0.2, alternatives: 0.2, explanation: 0.1 },
    'The given weights add up to 0.9, not 1.',
  ],
])('rejects %j', (given, message) => {
  expect(() => spread(given as unknown as Record<string, number>)).toThrow(message);
});

test('new weights always add up to 1', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (people) => {
      const sum = Object.values(spread({ people })).reduce((all, weight) => all + weight, 0);
      expect(sum).toBeCloseTo(1, 9);
    }),
  );
});
