import { expect, test } from 'vitest';
import { canBeShown, fewestWins, isShown, smallestMargin } from './tests.ts';

const level = 0.00125;
const repeat = (times: number, value: number) => Array.from({ length: times }, () => value);
const improvement = { kind: 'improvement' } as const;

test('an improvement of verdicts needs 10 wins without a loss at the level of the first look', () => {
  const at = (wins: number, losses: number) =>
    isShown({ claim: improvement, measure: 'passed', level }, [
      ...repeat(wins, 1),
      ...repeat(losses, -1),
      ...repeat(50, 0),
    ]);
  expect(at(9, 0)).toBe(false);
  expect(at(10, 0)).toBe(true);
  // P(Bin(14, ½) ≥ 13) = 15 / 2¹⁴ = .00092, and of 13, 14 / 2¹³ = .0017.
  expect(at(12, 1)).toBe(false);
  expect(at(13, 1)).toBe(true);
  expect([level, 6.6e-5, 1.1e-5].map(fewestWins)).toEqual([10, 14, 17]);
});

test('a chance that meets the level exactly is enough', () => {
  expect(isShown({ claim: improvement, measure: 'passed', level: 2 ** -10 }, repeat(10, 1))).toBe(true);
  expect(fewestWins(2 ** -10)).toBe(10);
});

test('no regression of verdicts reads the losses alone', () => {
  const shown = (losses: number, margin: number) =>
    isShown({ claim: { kind: 'no-regression', margin }, measure: 'passed', level }, [
      ...repeat(losses, -1),
      ...repeat(60 - losses, 0),
    ]);
  expect(shown(0, 0.106)).toBe(true);
  expect(shown(0, 0.105)).toBe(false);
  expect(shown(1, 0.13)).toBe(false);
  expect(shown(1, 0.141)).toBe(true);
});

test('scores are tested by bets, in the order given', () => {
  const better = { claim: improvement, measure: 'score', level } as const;
  expect(isShown(better, repeat(60, 0.4))).toBe(true);
  expect(isShown(better, repeat(60, 0))).toBe(false);
  expect(isShown(better, repeat(60, -0.4))).toBe(false);
  const kept = { claim: { kind: 'no-regression', margin: 0.2 }, measure: 'score', level } as const;
  expect(isShown(kept, repeat(60, 0))).toBe(true);
  expect(isShown(kept, repeat(60, -0.2))).toBe(false);
});

test('what cannot be shown by any answers is known before a look', () => {
  expect(canBeShown({ claim: improvement, measure: 'passed', level }, 9)).toBe(false);
  expect(canBeShown({ claim: improvement, measure: 'passed', level }, 10)).toBe(true);
  const kept = (margin: number) =>
    ({ claim: { kind: 'no-regression', margin }, measure: 'passed', level }) as const;
  expect(canBeShown(kept(0.105), 60)).toBe(false);
  expect(canBeShown(kept(0.106), 60)).toBe(true);
  expect(canBeShown({ claim: improvement, measure: 'score', level }, 5)).toBe(false);
  expect(smallestMargin(60, { losses: 0, level })).toBeCloseTo(0.1054, 4);
  expect(isShown({ claim: improvement, measure: 'passed', level }, [])).toBe(false);
});
