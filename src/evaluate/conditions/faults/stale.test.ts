import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { ageValue, stale } from './stale.ts';

function corrupt(result: Json, seed = 1): Json {
  if (!('corrupt' in stale)) throw new Error('it does not corrupt');
  return stale.corrupt(result, createRandom(seed));
}

test('dates are earlier by the same time, amounts differ, ids and years stay, and every row states its age', () => {
  const row = {
    id: 4711,
    due_date: '2025-11-01',
    amount: 1850.5,
    units: 3,
    year_built: 1962,
    name: 'Ana',
    paid: true,
  };
  const [aged, second] = corrupt([row, { due_date: '2025-11-11' }]) as (typeof row & { cache: string })[];
  const [, days = ''] = /this copy is (\d+) days old/.exec(aged?.cache ?? '') ?? [];
  const earlier = (Date.parse('2025-11-01') - Date.parse(aged?.due_date ?? '')) / 86_400_000;
  expect(earlier).toBe(Number(days));
  expect(Date.parse('2025-11-11') - Date.parse(second?.due_date ?? '')).toBe(earlier * 86_400_000);
  expect(aged).toMatchObject({ id: 4711, units: 2, year_built: 1962, name: 'Ana', paid: true });
  expect(Math.abs((aged?.amount ?? 0) / 1850.5 - 1)).toBeLessThanOrEqual(0.2001);
  expect(aged?.amount).not.toBe(1850.5);
});

test('a text states its age first, and keeps its wording', () => {
  expect(corrupt('The rent is $1,850.50 from 2024-07-01 on.')).toMatch(
    /^\[cache stale: this copy is \d+ days old\]\nThe rent is \$[\d,]+\.\d\d from 202\d-\d\d-\d\d on\.$/,
  );
});

test('instants keep their time of day', () => {
  expect(corrupt({ start: '2026-03-26T16:00Z' })).toMatchObject({
    start: expect.stringMatching(/^202[56]-\d\d-\d\dT16:00Z$/),
  });
});

test('a text that is not a date stays', () => {
  expect(corrupt({ note: '2025-02-30 or 2025-13-01' })).toMatchObject({
    note: expect.stringContaining('2025-13-01'),
  });
});

test('an amount always changes, and keeps its decimals', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 10_000_000 }),
      fc.nat({ max: 2 }),
      fc.nat(),
      (size, decimals, seed) => {
        const amount = size / 10 ** decimals;
        const isYear = Number.isInteger(amount) && amount >= 1800 && amount <= 2200;
        const isSmall = Number.isInteger(amount) && amount < 2;
        const aged = ageValue(amount, { days: 100, random: createRandom(seed) }) as number;
        expect(aged === amount).toBe(isYear || isSmall);
        expect(String(aged).split('.')[1]?.length ?? 0).toBeLessThanOrEqual(decimals);
      },
    ),
  );
});
