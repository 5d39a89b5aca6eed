import { expect, test } from 'vitest';
import { type FreshLabel, watchDrift } from './drift-watch.ts';

const basis = {
  sensitivity: { rate: 138 / 150, trials: 150 },
  specificity: { rate: 41 / 50, trials: 50 },
};

function labelsOf(parts: readonly (readonly [count: number, truth: boolean, isAlike: boolean])[]) {
  return parts.flatMap(([count, truth, isAlike]) =>
    Array.from({ length: count }, (): FreshLabel => ({ truth, isAlike })),
  );
}

// numpy.convolve of scipy.stats.betabinom.pmf(range(n + 1), n, right + .5, wrong + .5) of passes and fails, SciPy 1.17.
test.each([
  [14, 6, 138, 150, 41, 50, 0.95, [15, 20]],
  [20, 0, 138, 150, 41, 50, 0.95, [15, 20]],
  [5, 15, 45, 50, 40, 50, 0.95, [12, 20]],
  [30, 10, 60, 100, 60, 100, 0.99, [15, 32]],
])('%d passes and %d fails have the limits of beta-binomials', (...row) => {
  const [passes, fails, tp, yes, tn, no, confidence, limits] = row;
  const { checks } = watchDrift({
    ...basis,
    labels: labelsOf([
      [passes, true, true],
      [fails, false, true],
    ]),
    sensitivity: { rate: tp / yes, trials: yes },
    specificity: { rate: tn / no, trials: no },
    size: passes + fails,
    confidence,
  });
  expect(checks.map(({ lower, upper }) => [lower, upper])).toEqual([limits]);
});

test('labels are checked in the order in which they were given, and a rest waits', () => {
  const labels = labelsOf([
    [20, true, true],
    [6, true, false],
    [14, true, true],
    [7, false, true],
  ]);
  const { checks, waiting } = watchDrift({ ...basis, labels });
  expect(checks.map(({ alike, isOutside }) => [alike, isOutside])).toEqual([
    [20, false],
    [14, true],
  ]);
  expect(waiting).toBe(7);
});

test('a sum for each kind adds log likelihood ratios of a loss of twenty points, and never falls below 0', () => {
  const labels = labelsOf([
    [1, true, true],
    [1, true, false],
    [1, false, false],
    [1, false, true],
    [1, true, false],
    [1, true, true],
  ]);
  // The same sums in Python, of (138 + 1) / 152 and (41 + 1) / 52.
  const { stricter, lenient } = watchDrift({ ...basis, labels });
  expect([stricter, lenient].map(({ value }) => value.toFixed(6))).toEqual(['2.164218', '0.428437']);
  expect([stricter.labels, lenient.labels]).toEqual([4, 2]);
  const right = labelsOf([[500, true, true]]);
  expect(watchDrift({ ...basis, labels: right }).stricter).toMatchObject({ value: 0, alarmAt: null });
});

test('a judge that passes half of the bad answers is lenient by the 35th, also among five times as many good ones', () => {
  const labels = labelsOf([
    [5, true, true],
    [1, false, false],
    [5, true, true],
    [1, false, true],
  ]);
  const watch = watchDrift({ ...basis, labels: Array.from({ length: 30 }, () => labels).flat() });
  expect(watch.lenient.value.toFixed(6)).toBe('12.853119');
  expect(watch).toMatchObject({ isDrifted: true, lenient: { alarmAt: 35 }, stricter: { alarmAt: null } });
  expect(watch.recent.filter(({ isOutside }) => isOutside)).toEqual([]);
});

test('a target that becomes worse is no drift of a judge that errs on bad answers as often as before', () => {
  const labels = labelsOf([
    [4, false, true],
    [1, false, false],
  ]);
  const worse = Array.from({ length: 60 }, () => labels).flat();
  expect(watchDrift({ ...basis, labels: worse })).toMatchObject({ isDrifted: false });
});

test('three of the last twenty checks outside their limits are drift, while the cumulative sums see none', () => {
  const good = labelsOf([[20, true, true]]);
  // One batch in which six of twenty agreements are missing, at its beginning: the sum has time to fall again.
  const bad = labelsOf([
    [6, true, false],
    [14, true, true],
  ]);
  const batches = (...kinds: string[]) =>
    kinds
      .join('')
      .split('')
      .flatMap((kind) => (kind === 'b' ? bad : good));
  const watchOf = (...kinds: string[]) => watchDrift({ ...basis, labels: batches(...kinds) });
  const clean = 'g'.repeat(5);
  const three = watchOf('b', clean, 'b', clean, 'b');
  expect(three).toMatchObject({ isDrifted: true, stricter: { alarmAt: null } });
  expect(three.checks.filter(({ isOutside }) => isOutside)).toHaveLength(3);
  expect(watchOf('b', clean, 'b', clean)).toMatchObject({ isDrifted: false });
  // The first of the three is the twentieth from the end, then the twenty-first.
  const late = ['b', clean, 'b', 'g'.repeat(12)];
  expect(watchOf(...late, 'b')).toMatchObject({ isDrifted: true, stricter: { alarmAt: null } });
  const forgotten = watchOf(...late, 'g', 'b');
  expect(forgotten).toMatchObject({ isDrifted: false, stricter: { alarmAt: null } });
  expect(forgotten.recent).toHaveLength(20);
  expect(forgotten.checks).toHaveLength(21);
});

test('rates and sizes that cannot be are refused', () => {
  expect(() => watchDrift({ ...basis, labels: [], size: 0 })).toThrow(RangeError);
  const sensitivity = { rate: 1.2, trials: 10 };
  expect(() => watchDrift({ ...basis, labels: [], sensitivity })).toThrow(RangeError);
});
