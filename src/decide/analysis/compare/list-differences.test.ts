import { expect, test } from 'vitest';
import { type AskedCase, buildKeptRun } from '../../../../test/support/build-kept-run.ts';
import { measureKey } from '../../../core/schema/run-comparison.ts';
import { compareRuns } from '../../../people/reviews/compare-runs.ts';
import { pickTargets } from './compared-run.ts';
import { listDifferences } from './list-differences.ts';

const asked = (totals: readonly (number | null)[], latencyMs = 10): AskedCase[] =>
  totals.map((total, index) => ({ asks: `q${index}`, attempts: [{ total, latencyMs: latencyMs + index }] }));

async function keptPair() {
  const a = await buildKeptRun(asked([0.5, 1, 0.3, 1, null]), {
    id: 'a',
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  const b = await buildKeptRun(asked([1, 0.25, 0.1 + 0.2, 1, 1], 30), {
    id: 'b',
    createdAt: '2026-01-02T00:00:00.000Z',
  });
  const [pair] = pickTargets(a, b);
  if (pair === undefined) throw new Error('The runs share a target.');
  return pair;
}

test('the differences of pairs that both runs measured are sorted, and rounding is no difference', async () => {
  const [a, b] = await keptPair();
  expect(await listDifferences(a, b, 'score')).toEqual({
    measure: 'score',
    name: 'score',
    better: 'higher',
    differences: [-0.75, 0, 0, 0.5],
  });
  expect(await listDifferences(a, b, 'latency')).toMatchObject({
    unit: 'ms',
    better: 'lower',
    differences: [20, 20, 20, 20, 20],
  });
});

test('B against A has the opposite differences, whichever run is older', async () => {
  const [a, b] = await keptPair();
  expect((await listDifferences(b, a, 'metric.keywords')).differences).toEqual([-0.5, 0, 0, 0.75]);
});

test('every measure of a comparison is listed, with as many differences as it counts', async () => {
  const [a, b] = await keptPair();
  const [comparison] = (await compareRuns([a, b])).comparisons;
  for (const row of comparison?.differences ?? []) {
    const { differences } = await listDifferences(a, b, measureKey(row));
    const signs = [row.higher, row.lower, row.equal];
    expect([
      differences.filter((one) => one > 0).length,
      differences.filter((one) => one < 0).length,
      differences.filter((one) => one === 0).length,
    ]).toEqual(signs);
  }
});

test('a measure that the runs do not share is refused with the names of the others', async () => {
  const [a, b] = await keptPair();
  await expect(listDifferences(a, b, 'tone')).rejects.toMatchObject({
    code: 'usage-invalid',
    remedy: expect.stringContaining('metric.keywords') as string,
  });
});
