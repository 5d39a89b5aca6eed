import { expect, test } from 'vitest';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';
import { mostWrong } from '../../../../test/support/most-wrong.ts';
import { createRandom, type Random } from '../../../core/stats/random.ts';
import { watchMean } from './watch-mean.ts';
import type { ErrorRates, RuleStatus } from './rule-watch.ts';

const wording = { toScale: (mean: number) => mean, format: String, passed: 'passed', failed: 'failed' };

/** Returns the status of a rule over values added one by one, and the number of values until then. */
function decide(
  values: readonly number[],
  threshold: number,
  { rates, isAboutPlan = false }: { readonly rates: ErrorRates; readonly isAboutPlan?: boolean },
): { status: RuleStatus; n: number } {
  const population = isAboutPlan ? values.length : undefined;
  const rangeAt = (position: number) => ({
    low: values[position] as number,
    high: values[position] as number,
  });
  const scope = new Uint8Array(values.length).fill(1);
  const watch = watchMean({ threshold, scope, units: { largest: 1, population }, rangeAt, wording }, rates);
  for (let position = 0; position < values.length; position += 1) {
    watch.advance(Uint32Array.of(position));
    if (watch.status() !== 'continue') return { status: watch.status(), n: position + 1 };
  }
  return { status: watch.status(), n: values.length };
}

const even = { pass: 0.05, fail: 0.05 };
const coin = (random: Random, chance: number) => Number(random.next() < chance);

/** Before a release more rounds show smaller errors; the bound allows for the chance of these few. */
const rounds = isReleaseTested ? 1000 : 250;
const most = mostWrong(rounds);

/** Counts the statuses of some runs, of which each may be wrong with 5 %. */
function countOf(decideOne: (random: Random) => RuleStatus): Record<RuleStatus, number> {
  const counts = { pass: 0, fail: 0, continue: 0 };
  for (let seed = 0; seed < rounds; seed += 1) counts[decideOne(createRandom(seed))] += 1;
  return counts;
}

test.each([0.5, 0.8, 0.95])(
  'at a rate of exactly %f, evaluated after every case, few runs pass or fail',
  (chance) => {
    const { pass, fail } = countOf(
      (random) =>
        decide(
          Array.from({ length: 200 }, () => coin(random, chance)),
          chance,
          { rates: even },
        ).status,
    );
    expect(Math.max(pass, fail)).toBeLessThanOrEqual(most);
  },
);

test('a loss of exactly the margin passes in few runs', () => {
  const one = (random: Random) =>
    decide(
      Array.from({ length: 200 }, () => (1 + coin(random, 0.05) - coin(random, 0.1)) / 2),
      0.475,
      { rates: even },
    ).status;
  expect(countOf(one).pass).toBeLessThanOrEqual(most);
});

test('without a confidence, early decisions differ from those of the whole plan in few runs', () => {
  const shuffled = (random: Random, passed: number) => {
    const values: number[] = Array.from({ length: 100 }, (_, index) => Number(index < passed));
    for (let last = 99; last > 0; last -= 1) {
      const other = random.integer(last + 1);
      [values[last], values[other]] = [values[other] as number, values[last] as number];
    }
    return values;
  };
  const over = (passed: number) => (random: Random) =>
    decide(shuffled(random, passed), 0.8, { rates: even, isAboutPlan: true }).status;
  expect(countOf(over(79)).pass).toBeLessThanOrEqual(most);
  const { fail, continue: open } = countOf(over(80));
  expect(fail).toBeLessThanOrEqual(most);
  expect(open).toBe(0);
});

test('a mean exactly at its threshold passes, and one that is a case short of it fails', () => {
  const values = (passed: number) => Array.from({ length: 10 }, (_, index) => Number(index < passed));
  const rates = { pass: 1e-9, fail: 1e-9 };
  expect(decide(values(7), 0.7, { rates, isAboutPlan: true })).toEqual({ status: 'pass', n: 7 });
  expect(decide(values(6), 0.7, { rates, isAboutPlan: true })).toEqual({ status: 'fail', n: 10 });
});

test('with clusters of unequal size, the mean over cases is decided, not the mean over clusters', () => {
  // Nine tenths of the clusters are single failures, yet on average 5 of the 5.45 cases in a cluster pass.
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
    { threshold: 0.8, scope, units: { largest: 10, population: undefined }, rangeAt, wording },
    even,
  );
  for (const [unit, size] of sizes.entries()) {
    const start = starts[unit] as number;
    watch.advance(Uint32Array.from({ length: size }, (_, place) => start + place));
  }
  expect(watch.status()).toBe('pass');
  expect(watch.finding().lower).toBeGreaterThanOrEqual(0.8 - 1e-9);
});

test('the bounds are the thresholds at which the decision would change', () => {
  const random = createRandom(11);
  const values = Array.from({ length: 80 }, () => random.next());
  const finding = (threshold: number) => {
    const rangeAt = (position: number) => ({
      low: values[position] as number,
      high: values[position] as number,
    });
    const scope = new Uint8Array(80).fill(1);
    const watch = watchMean(
      { threshold, scope, units: { largest: 1, population: undefined }, rangeAt, wording },
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
