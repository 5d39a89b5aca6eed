import { expect, test } from 'vitest';
import type { RegressionCheck } from '../../../core/schema/decision.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { buildKeptRun } from '../../../../test/support/build-kept-run.ts';
import { compareRuns } from '../../../people/reviews/compare-runs.ts';

type Totals = readonly (number | null)[];

const kept = new Map<string, ReturnType<typeof buildKeptRun>>();

async function check(a: Totals, b: Totals, clusters?: readonly string[]): Promise<RegressionCheck> {
  // Nothing is written to a run that was built.
  const keep = async (totals: Totals, id: string, day: number) => {
    const key = JSON.stringify([totals, id, clusters]);
    const built =
      kept.get(key) ??
      buildKeptRun(
        totals.map((total, index) => ({
          asks: `q${index}`,
          attempts: [{ total }],
          cluster: clusters?.[index],
        })),
        { id, createdAt: `2026-01-0${day}T00:00:00.000Z` },
      );
    kept.set(key, built);
    return await built;
  };
  const { comparisons } = await compareRuns([await keep(a, 'a', 1), await keep(b, 'b', 2)], { margin: 0.05 });
  return comparisons[0]!.regression!;
}

const list = (n: number, value: (index: number) => number | null) =>
  Array.from({ length: n }, (_, index) => value(index));
const noisy = (index: number) => 0.8 + ((index * 7) % 11) / 100;

test('300 questions of which B answers nothing to 12 are not shown not to be worse', async () => {
  const a = list(300, noisy);
  const b = list(300, (index) => (index < 12 ? null : noisy(index)));
  const found = await check(a, b);
  expect(found).toMatchObject({
    decision: 'not-measured',
    reason: '12 of 300 pairs are measured in A only: it could be anything from inconclusive to pass',
  });
  expect((await check(a, a)).decision).toBe('pass');
});

test('pairs that both runs lost are in the sample, as in a gate', async () => {
  const [gone, whole] = [list(300, (index) => (index < 12 ? null : noisy(index))), list(300, noisy)];
  expect(await check(gone, gone)).toMatchObject({
    decision: 'not-measured',
    reason: '12 of 300 pairs are measured in neither: it could be anything from inconclusive to pass',
  });
  const mixed = list(300, (index) => (index >= 6 && index < 18 ? null : noisy(index)));
  expect((await check(gone, mixed)).reason).toBe(
    '18 of 300 pairs are not measured whole (6 in A only, 6 in B only, 6 in neither): it could be anything from inconclusive to pass',
  );
  const one = list(300, (index) => (index < 1 ? null : noisy(index)));
  expect((await check(one, one)).decision).toBe('pass');
  expect((await check(whole, one)).decision).toBe('pass');
});

test('attempts that B lost are in the sample, too, and a metric that applies to neither run is not', async () => {
  const keep = async (totals: (index: number) => readonly (number | null)[], id: string) =>
    await buildKeptRun(
      Array.from({ length: 300 }, (_, index) => ({
        asks: `q${index}`,
        attempts: totals(index).map((total) => ({ total })),
      })),
      { id, createdAt: `2026-01-0${id === 'a' ? 1 : 2}T00:00:00.000Z` },
    );
  const a = await keep((index) => [noisy(index), noisy(index)], 'a');
  const b = await keep((index) => [index < 30 ? null : noisy(index), noisy(index)], 'b');
  const { comparisons } = await compareRuns([a, b], { margin: 0.05 });
  expect(comparisons[0]?.regression).toMatchObject({
    decision: 'not-measured',
    reason:
      '30 of 300 pairs are measured in both without some attempts: it could be anything from inconclusive to pass',
  });
});

test('a lost pair counts by what the other run had: little is lost where A had little', async () => {
  const low = (index: number) => (index < 12 ? 0.01 : noisy(index));
  const lost = (index: number) => (index < 12 ? null : noisy(index));
  expect((await check(list(300, low), list(300, lost))).decision).toBe('pass');
});

test('pairs that A lost are put in at the best for A, and clusters stay together', async () => {
  const a = list(300, (index) => (index < 20 ? null : noisy(index)));
  expect((await check(a, list(300, noisy))).decision).toBe('pass');
  const clusters = list(300, (index) => index).map((index) => `d${Math.floor((index ?? 0) / 3)}`);
  const gone = list(300, (index) => (index < 12 ? null : noisy(index)));
  expect((await check(list(300, noisy), gone, clusters)).decision).toBe('not-measured');
});

test('what no lost pair could change is decided', async () => {
  const lost = (value: (index: number) => number) => (index: number) => (index === 0 ? null : value(index));
  expect(
    (
      await check(
        list(100, noisy),
        list(
          100,
          lost(() => 0.3),
        ),
      )
    ).decision,
  ).toBe('fail');
  expect(
    (
      await check(
        list(300, noisy),
        list(
          300,
          lost((index) => noisy(index) + 0.05),
        ),
      )
    ).decision,
  ).toBe('pass');
});

test('a loss of the margin in pairs that B lost passes in at most 5 of 100 runs', async () => {
  const [n, runs] = [120, 20];
  const random = createRandom(`lost ${n}`);
  let wrong = 0;
  for (let run = 0; run < runs; run += 1) {
    const a = list(n, () => 0.9 + 0.1 * random.next());
    // B answers nothing to 1 in 20 questions, where it would score 0, and is a little worse elsewhere.
    const b = a.map((value) => (random.next() < 0.05 ? null : (value ?? 0) - 0.0026));
    wrong += Number((await check(a, b)).decision === 'pass');
  }
  expect(wrong / runs).toBeLessThanOrEqual(0.05);
});
