import { expect, test } from 'vitest';
import { type AskedCase, buildKeptRun } from '../../../test/support/build-kept-run.ts';
import { compareRuns } from '../../people/reviews/compare-runs.ts';
import { type ComparedRun, pickTargets } from '../../decide/analysis/compare/compared-run.ts';
import { listDifferences } from '../../decide/analysis/compare/list-differences.ts';
import type { Run } from '../../core/schema/run.ts';
import { createRandom } from '../../core/stats/random.ts';
import { settleAttempts } from '../../core/stats/repeats/settle-attempts.ts';
import { listPairs } from './pairs.ts';

/** Builds two runs of cases in different orders, with one case that only one of them has. */
async function buildPair(attempts = 1) {
  const total = (index: number, seed: number) => ((index * seed) % 7) / 6;
  const casesOf = (seed: number): AskedCase[] =>
    Array.from({ length: 20 }, (_, index) => ({
      asks: `q${index}`,
      category: index % 2 === 0 ? 'even' : 'odd',
      attempts: Array.from({ length: attempts }, (__, attempt) => ({
        total: index % 9 === 8 ? null : total(index + attempt, seed),
        answer: `It is ${index * seed}.`,
        latencyMs: index * seed,
      })),
    }));
  const a = await buildKeptRun([...casesOf(3), { asks: 'only in a', attempts: [{ total: 1 }] }], { id: 'a' });
  const b = await buildKeptRun(casesOf(5).toReversed(), { id: 'b' });
  return { a, b };
}

test.each([1, 3])('flips are those of a comparison, with %i attempts', async (attempts) => {
  const { a, b } = await buildPair(attempts);
  const { comparisons } = await compareRuns([a, b], { flips: 100 });
  const flips = comparisons[0]?.flips ?? [];
  for (const flip of ['worse', 'better'] as const) {
    const { rows, count } = await listPairs(a, b, { where: `flip=${flip}` });
    const compared = flips.filter(({ change }) => change === flip);
    expect(rows.map(({ caseId }) => caseId).toSorted()).toEqual(
      compared.map(({ caseId }) => caseId).toSorted(),
    );
    expect(count).toBeGreaterThan(0);
    for (const row of rows) {
      const same = compared.find(({ caseId }) => caseId === row.caseId);
      expect(row).toMatchObject({ a: { passShare: same?.a.passed }, b: { passShare: same?.b.passed } });
      expect([row.a.trial?.attempt, row.b.trial?.attempt]).toEqual([same?.a.attempt, same?.b.attempt]);
    }
  }
});

test('pairs are the cases with the same content, filtered by both sides', async () => {
  const { a, b } = await buildPair();
  const idsOf = async (where: string) => (await listPairs(a, b, { where })).rows.map(({ caseId }) => caseId);
  expect(await idsOf('')).toHaveLength(20);
  const worse = await idsOf('a.passed=true b.passed=false');
  expect(worse).toEqual(await idsOf('flip=worse'));
  expect(await idsOf('a.passed=true b.passed=false category=odd')).toEqual(
    worse.filter((id) => Number(id.slice(1)) % 2 === 1),
  );
  expect(await idsOf('id=q8')).toEqual(['q8']);
  expect(await idsOf('a.answer~"is 12." b.latencyMs<=20')).toEqual(['q4']);
  expect(await idsOf('a.keywords=1 b.total<0.5')).toEqual(
    (await listPairs(a, b)).rows
      .filter((row) => row.a.total === 1 && (row.b.total ?? 1) < 0.5)
      .map(({ caseId }) => caseId),
  );
});

test.each(['id', '-id', 'category', '-category'])(
  'pairs are sorted by %s, and read in parts',
  async (sort) => {
    const { a, b } = await buildPair();
    const { rows } = await listPairs(a, b, { sort });
    const field = sort.endsWith('id') ? 'caseId' : 'category';
    const names = rows.map((row) => row[field]);
    const sorted = names.toSorted();
    expect(names).toEqual(sort.startsWith('-') ? sorted.toReversed() : sorted);
    const first = await listPairs(a, b, { sort, limit: 7 });
    const rest = await listPairs(a, b, { sort, limit: 13, after: first.next ?? '' });
    expect([...first.rows, ...rest.rows]).toEqual(rows);
    expect(rest.next).toBeNull();
  },
);

/** Builds a run whose attempts stop as soon as their case is settled: two of four must pass. */
async function buildCurtailed(id: string, parts: Partial<Run> = {}) {
  const caseRule = { passes: 2, isCurtailed: true };
  const random = createRandom(id);
  const cases = Array.from({ length: 40 }, (_, index): AskedCase => {
    const totals = Array.from({ length: 4 }, () => (random.next() < 0.1 ? null : random.next()));
    const results = totals.map((total) => (total === null ? null : total >= 0.6));
    const { used } = settleAttempts({ planned: 4, required: 2, results });
    const attempts = totals.map((total, place) => ({
      total,
      isAbsent: place >= used,
      latencyMs: 100 * random.next(),
    }));
    return { asks: `q${index}`, attempts };
  });
  return await buildKeptRun(cases, { id, caseRule, ...parts });
}

test.each([
  ['a run', {}],
  ['a rescored run', { rescoredFrom: 'other' }],
])('%s that stops attempts early has the pairs that a comparison averages', async (_, parts) => {
  const [a, b] = [await buildCurtailed('a', parts), await buildCurtailed('b', parts)];
  const [pair] = pickTargets(a, b);
  const { differences } = await listDifferences(...(pair as [ComparedRun, ComparedRun]), 'score');
  const { rows } = await listPairs(a, b, { limit: 200 });
  const changes = rows.flatMap(({ change }) => change ?? []).toSorted((one, other) => one - other);
  expect(changes).toHaveLength(differences.length);
  for (const [place, change] of changes.entries()) expect(change).toBeCloseTo(differences[place] ?? NaN, 12);
  const { comparisons } = await compareRuns([a, b], { flips: 100 });
  const flips = comparisons[0]?.flips ?? [];
  expect(flips.length).toBeGreaterThan(5);
  const listed = rows.filter(({ flip }) => flip !== 'none');
  expect(listed.map(({ caseId, flip, ...row }) => [caseId, flip, row.a.passShare, row.b.passShare])).toEqual(
    flips
      .toSorted((one, other) => Number(one.caseId.slice(1)) - Number(other.caseId.slice(1)))
      .map(({ caseId, change, ...flip }) => [
        caseId,
        change,
        expect.closeTo(flip.a.passed, 12),
        expect.closeTo(flip.b.passed, 12),
      ]),
  );
  expect(listed.map((row) => [row.a.trial?.attempt, row.b.trial?.attempt])).toEqual(
    listed.map(({ caseId }) => {
      const flip = flips.find((one) => one.caseId === caseId);
      return [flip?.a.attempt, flip?.b.attempt];
    }),
  );
});

test('pairs are sorted with unknown values last, and read in parts', async () => {
  const { a, b } = await buildPair();
  const whole = await listPairs(a, b, { sort: '-change' });
  const changes = whole.rows.map(({ change }) => change);
  const known = changes.filter((change) => change !== null);
  expect(known).toEqual(known.toSorted((one, other) => other - one));
  expect(changes.slice(known.length)).toEqual([null, null]);
  for (const [row] of whole.rows.entries()) {
    const { a: before, b: after, change } = whole.rows[row] ?? {};
    if (change !== null) expect(change).toBe((after?.total ?? 0) - (before?.total ?? 0));
  }
  const parts: string[] = [];
  for (let after: string | undefined; ; ) {
    const { rows, next } = await listPairs(a, b, { sort: '-change', after, limit: 3 });
    parts.push(...rows.map(({ caseId }) => caseId));
    if (next === null) break;
    after = next;
  }
  expect(parts).toEqual(whole.rows.map(({ caseId }) => caseId));
});

test.each(['', '-ordinal'])('parts in the order %j of the plan are those of the whole list', async (sort) => {
  const { a, b } = await buildPair(2);
  const whole = await listPairs(a, b, { sort });
  const filtered = await listPairs(a, b, { sort, where: 'id=*' });
  expect(whole).toEqual(filtered);
  expect(whole.rows.map(({ position }) => position)).toEqual(
    Array.from({ length: 20 }, (_, index) => (sort === '' ? index : 19 - index)),
  );
  const first = await listPairs(a, b, { sort, limit: 7 });
  expect(first).toMatchObject({ count: 20, rows: whole.rows.slice(0, 7) });
  const second = await listPairs(a, b, { sort, limit: 13, after: first.next ?? '' });
  expect(second).toMatchObject({ count: 20, rows: whole.rows.slice(7), next: null });
});

test('a filter or a place that cannot be understood is refused', async () => {
  const { a, b } = await buildPair();
  await expect(listPairs(a, b, { where: 'passed=true' })).rejects.toThrow('a.passed or b.passed');
  await expect(listPairs(a, b, { after: 'nonsense' })).rejects.toMatchObject({ code: 'usage-invalid' });
  await expect(listPairs(a, b, { targets: { a: 'bot', b: 'nobot' } })).rejects.toThrow(
    'has no target "nobot"',
  );
});
