import { expect, test } from 'vitest';
import { restartEvidence } from './restart-evidence.ts';

const days = [182, 176, 168].map((passes) => ({ passes, n: 200 }));

test('evidence over three days has the published values', () => {
  const after = days.map(
    (_, place) => restartEvidence({ days: days.slice(0, place + 1), threshold: 0.9 }).evidence,
  );
  expect(after.map((evidence) => evidence.toFixed(6))).toEqual(['0.047604', '0.151295', '3.093618']);
});

test('scores that are all 0 or 1 give the evidence of their counts', () => {
  const scores = days.map(({ passes, n }) => ({
    scores: Array.from({ length: n }, (_, place) => Number(place < passes)),
  }));
  expect(restartEvidence({ days: scores, threshold: 0.9 }).evidence).toBeCloseTo(3.093618, 6);
});

test('steady scores below the threshold give more evidence than as many passes would', () => {
  const steady = [1, 2, 3].map(() => ({
    scores: Array.from({ length: 50 }, (_, place) => 0.82 + (place % 5) / 100),
  }));
  const counted = [1, 2, 3].map(() => ({ passes: 42, n: 50 }));
  const of = (given: typeof steady | typeof counted) =>
    restartEvidence({ days: given, threshold: 0.9 }).evidence;
  expect(of(steady)).toBeGreaterThan(of(counted));
});

test('at the threshold the mean of the evidence is the weight of the days that have begun: every bet is fair', () => {
  const mean = (results: readonly number[], chances: readonly number[]) => {
    const all = [0, 1, 2].reduce<{ scores: number[]; chance: number }[]>(
      (paths) =>
        paths.flatMap(({ scores, chance }) =>
          results.map((score, place) => ({
            scores: [...scores, score],
            chance: chance * (chances[place] ?? 0),
          })),
        ),
      [{ scores: [], chance: 1 }],
    );
    return all.reduce((sum, { scores, chance }) => {
      const some = scores.map((score) => ({ scores: [score] }));
      return sum + chance * restartEvidence({ days: some, threshold: 0.6 }).evidence;
    }, 0);
  };
  expect(mean([0, 1], [0.4, 0.6])).toBeCloseTo(0.75, 12);
  expect(mean([0.3, 0.9], [0.5, 0.5])).toBeLessThan(0.75);
});

test('what cannot be a score or a threshold is refused', () => {
  expect(() => restartEvidence({ days, threshold: 1 })).toThrow('threshold');
  expect(() => restartEvidence({ days: [{ scores: [1.5] }], threshold: 0.9 })).toThrow('score');
  expect(() => restartEvidence({ days: [{ passes: 3, n: 2 }], threshold: 0.9 })).toThrow('passes');
});
