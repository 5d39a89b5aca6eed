import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { type DriftWatch, type FreshLabel, watchDrift } from './drift-watch.ts';

const basis = {
  sensitivity: { rate: 138 / 150, trials: 150 },
  specificity: { rate: 41 / 50, trials: 50 },
  leastSensitivity: 0.865379,
  leastSpecificity: 0.692039,
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

test('the cumulative sum adds log likelihood ratios of a loss of ten points, and never falls below 0', () => {
  const labels = labelsOf([
    [1, true, true],
    [1, true, false],
    [1, false, false],
    [1, false, true],
    [1, true, false],
    [1, true, true],
  ]);
  // The same sum in Python.
  expect(watchDrift({ ...basis, labels }).cusum.value).toBeCloseTo(1.1133482502375815, 12);
  const right = labelsOf([[500, true, true]]);
  expect(watchDrift({ ...basis, labels: right }).cusum).toMatchObject({ value: 0, alarmAt: null });
});

test('a steady judge rarely gives an alarm, and one that lost twenty points soon does', () => {
  const random = createRandom(11);
  const draw = (tpr: number, tnr: number, count: number) =>
    Array.from({ length: count }, (): FreshLabel => {
      const truth = random.next() < 0.75;
      return { truth, isAlike: random.next() < (truth ? tpr : tnr) };
    });
  const alarms = Array.from({ length: 200 }, () => watchDrift({ ...basis, labels: draw(0.92, 0.82, 260) }));
  const isEnded = ({ isDrifted }: DriftWatch) => isDrifted;
  expect(alarms.filter(isEnded).length).toBeLessThan(10);
  const worse = Array.from({ length: 200 }, () => watchDrift({ ...basis, labels: draw(0.72, 0.62, 260) }));
  expect(worse.filter(isEnded).length).toBeGreaterThan(190);
});

test('three of the last twenty checks outside their limits are drift, while the cumulative sum sees none', () => {
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
  expect(three).toMatchObject({ isDrifted: true, cusum: { alarmAt: null } });
  expect(three.checks.filter(({ isOutside }) => isOutside)).toHaveLength(3);
  expect(watchOf('b', clean, 'b', clean)).toMatchObject({ isDrifted: false });
  // The first of the three is the twentieth from the end, then the twenty-first.
  const late = ['b', clean, 'b', 'g'.repeat(12)];
  expect(watchOf(...late, 'b')).toMatchObject({ isDrifted: true, cusum: { alarmAt: null } });
  const forgotten = watchOf(...late, 'g', 'b');
  expect(forgotten).toMatchObject({ isDrifted: false, cusum: { alarmAt: null } });
  expect(forgotten.recent).toHaveLength(20);
  expect(forgotten.checks).toHaveLength(21);
});

test('rates and sizes that cannot be are refused', () => {
  expect(() => watchDrift({ ...basis, labels: [], size: 0 })).toThrow(RangeError);
  const sensitivity = { rate: 1.2, trials: 10 };
  expect(() => watchDrift({ ...basis, labels: [], sensitivity })).toThrow(RangeError);
});
