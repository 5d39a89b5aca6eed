import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../stats/random.ts';
import { watchMean } from './watch-mean.ts';
import type { ErrorRates, Standing } from './rule-watch.ts';

const telling = { toScale: (mean: number) => mean, say: String, held: 'held', broken: 'broken' };

/** What a rule comes to over values that are shown one by one, and after how many. */
function decide(
  values: readonly number[],
  threshold: number,
  { rates, isAboutPlan = false }: { readonly rates: ErrorRates; readonly isAboutPlan?: boolean },
): { standing: Standing; n: number } {
  const population = isAboutPlan ? values.length : undefined;
  const rangeAt = (position: number) => ({
    low: values[position] as number,
    high: values[position] as number,
  });
  const scope = new Uint8Array(values.length).fill(1);
  const watch = watchMean({ threshold, scope, units: { largest: 1, population }, rangeAt, telling }, rates);
  for (let position = 0; position < values.length; position += 1) {
    watch.advance(Uint32Array.of(position));
    if (watch.standing() !== 'continue') return { standing: watch.standing(), n: position + 1 };
  }
  return { standing: watch.standing(), n: values.length };
}

const even = { pass: 0.05, fail: 0.05 };
const coin = (random: Random, chance: number) => Number(random.next() < chance);

function countWrong(runs: number, decideOne: (random: Random) => Standing, wrong: Standing): number {
  let count = 0;
  for (let seed = 0; seed < runs; seed += 1) count += Number(decideOne(createRandom(seed)) === wrong);
  return count;
}

// 67 of 1000 and more have a chance of about 1 in 100 where each is wrong with 5 %.
test.each([0.5, 0.8, 0.95])(
  'at a rate of just %f, looked at after every case, few of 1000 runs pass or fail',
  (chance) => {
    const one = (random: Random) =>
      decide(
        Array.from({ length: 200 }, () => coin(random, chance)),
        chance,
        { rates: even },
      ).standing;
    expect(countWrong(1000, one, 'pass')).toBeLessThan(67);
    expect(countWrong(1000, one, 'fail')).toBeLessThan(67);
  },
);

test('a loss of just the margin is taken for none in few of 1000 runs', () => {
  const one = (random: Random) =>
    decide(
      Array.from({ length: 200 }, () => (1 + coin(random, 0.05) - coin(random, 0.1)) / 2),
      0.475,
      { rates: even },
    ).standing;
  expect(countWrong(1000, one, 'pass')).toBeLessThan(67);
});

test('by the point, what is decided early is what the whole plan says, but for few of 1000 runs', () => {
  const shuffled = (random: Random, passed: number) => {
    const values: number[] = Array.from({ length: 100 }, (_, index) => Number(index < passed));
    for (let last = 99; last > 0; last -= 1) {
      const other = random.integer(last + 1);
      [values[last], values[other]] = [values[other] as number, values[last] as number];
    }
    return values;
  };
  const over = (passed: number) => (random: Random) =>
    decide(shuffled(random, passed), 0.8, { rates: even, isAboutPlan: true }).standing;
  expect(countWrong(1000, over(79), 'pass')).toBeLessThan(67);
  expect(countWrong(1000, over(80), 'fail')).toBeLessThan(67);
  expect(countWrong(1000, over(80), 'continue')).toBe(0);
});

test('a mean that reaches its threshold exactly holds, and one a case short of it does not', () => {
  const values = (passed: number) => Array.from({ length: 10 }, (_, index) => Number(index < passed));
  const rates = { pass: 1e-9, fail: 1e-9 };
  expect(decide(values(7), 0.7, { rates, isAboutPlan: true })).toEqual({ standing: 'pass', n: 7 });
  expect(decide(values(6), 0.7, { rates, isAboutPlan: true })).toEqual({ standing: 'fail', n: 10 });
});

test('clusters of unequal size decide about the mean over cases, not the mean over clusters', () => {
  // Nine tenths of the clusters are single failures, and yet 5 of 5.45 cases in a mean cluster of both pass.
  const random = createRandom(3);
  const sizes = Array.from({ length: 400 }, () => (random.next() < 0.5 ? 1 : 10));
  const starts = sizes.map((_, unit) => sizes.slice(0, unit).reduce((sum, size) => sum + size, 0));
  const cases = sizes.reduce((sum, size) => sum + size, 0);
  const passes = new Uint8Array(cases);
  for (const [unit, size] of sizes.entries()) {
    const start = starts[unit] as number;
    for (let place = start; place < start + size; place += 1) passes[place] = Number(size === 10);
  }
  const rangeAt = (position: number) => ({
    low: passes[position] as number,
    high: passes[position] as number,
  });
  const scope = new Uint8Array(cases).fill(1);
  const watch = watchMean(
    { threshold: 0.8, scope, units: { largest: 10, population: undefined }, rangeAt, telling },
    even,
  );
  for (const [unit, size] of sizes.entries()) {
    const start = starts[unit] as number;
    watch.advance(Uint32Array.from({ length: size }, (_, place) => start + place));
  }
  expect(watch.standing()).toBe('pass');
  expect(watch.finding().lower).toBeGreaterThanOrEqual(0.8 - 1e-9);
});

test('the bounds lie where the decision would change', () => {
  const random = createRandom(11);
  const values = Array.from({ length: 80 }, () => random.next());
  const finding = (threshold: number) => {
    const rangeAt = (position: number) => ({
      low: values[position] as number,
      high: values[position] as number,
    });
    const scope = new Uint8Array(80).fill(1);
    const watch = watchMean(
      { threshold, scope, units: { largest: 1, population: undefined }, rangeAt, telling },
      even,
    );
    for (let position = 0; position < 80; position += 1) watch.advance(Uint32Array.of(position));
    return watch.finding();
  };
  const { lower, upper, value } = finding(0.5);
  expect(lower).toBeLessThan(value as number);
  expect(upper).toBeGreaterThan(value as number);
  expect(finding((lower as number) - 0.05).outcome).toBe('pass');
  expect(finding((upper as number) + 0.05).outcome).toBe('fail');
});
