import { mostWrong } from '../../../../test/support/most-wrong.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../core/schema/result.ts';
import type { TargetComparison } from '../../../core/schema/summary.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import { createTargetComparison } from './compare-targets.ts';

interface CaseValues {
  readonly total?: number | null;
  readonly status?: Outcome['trial']['status'];
  readonly category?: string;
  readonly cluster?: string;
  readonly totalMs?: number;
  readonly cost?: number;
}

/** Compares targets over cases: each case is a row with one list of attempts for each target. */
function compare(cases: readonly (readonly (readonly CaseValues[])[])[]): TargetComparison[] {
  const names = (cases[0] ?? []).map((_, place) => `t${place}`);
  const run = buildRun({
    targets: names.map((name) => ({ name, use: { use: 'module' }, fingerprint: name })),
    scorecard: { name: 's', use: { use: 's' }, version: 1, criteria: [], grades: [], passMark: 0.7 },
  });
  const comparison = createTargetComparison(run, ['money', 'papers']);
  let ordinal = 0;
  for (const [index, targets] of cases.entries()) {
    for (const [place, attempts] of targets.entries()) {
      for (const values of attempts) {
        comparison.add(outcomeOf(values, { ordinal, caseId: `c${index}`, target: `t${place}` }));
        ordinal += 1;
      }
    }
  }
  return comparison.summarize();
}

function outcomeOf(
  { total = 1, status = 'completed', category, cluster, totalMs, cost }: CaseValues,
  place: { ordinal: number; caseId: string; target: string },
): Outcome {
  return {
    case: { ...(category !== undefined && { category }), ...(cluster !== undefined && { cluster }) },
    trial: {
      ...place,
      status,
      retries: 0,
      ...(totalMs === undefined ? {} : { latency: { totalMs } }),
      ...(cost === undefined ? {} : { cost }),
    },
    verdicts: total === null ? {} : { keywords: { status: 'scored', value: total } },
    scorecard: { total, lower: total ?? 0, upper: total ?? 1, grade: null, passed: total && total >= 0.7 },
  } as Outcome;
}

function find(all: readonly TargetComparison[], measure: string, name = measure): TargetComparison {
  const found = all.find((one) => one.measure === measure && one.name === name);
  if (found === undefined) throw new Error(`no ${measure} ${name}`);
  return found;
}

// Student's sleep data (Biometrika 1908): ten patients, two drugs; R: t.test(paired = TRUE).
const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

test('differences are paired by case: the sleep data have their published interval', () => {
  const cases = first.map((value, index) => [[{ totalMs: value }], [{ totalMs: second[index] as number }]]);
  const latency = find(compare(cases), 'latency');
  expect(latency).toMatchObject({ leader: 't0', best: 't0', better: 'lower', unit: 'ms' });
  expect(latency.differences).toHaveLength(1);
  expect(latency.differences[0]).toMatchObject({ target: 't1', n: 10, method: 't' });
  expect(latency.differences[0]?.value).toBeCloseTo(-1.58, 12);
  expect(latency.differences[0]?.lower).toBeCloseTo(-2.459_885_8, 7);
  expect(latency.differences[0]?.upper).toBeCloseTo(-0.700_114_2, 7);
});

test('a target is best only when its lead exceeds the noise', () => {
  const noisy = [0.9, 0.1, 0.8, 0.2, 0.9, 0.3].map((total, index) => [[{ total }], [{ total: index / 6 }]]);
  expect(find(compare(noisy), 'score')).toMatchObject({ leader: 't0', best: null });
  const slight = noisy.map(([a], index) => [a ?? [], [{ total: (a?.[0]?.total ?? 0) - 0.05 - index / 200 }]]);
  const onMost = find(compare(slight), 'score');
  expect(onMost).toMatchObject({ leader: 't0', best: null, bestOnMost: 't0' });
  expect(onMost.signPValue).toBeCloseTo(2 ** -6, 12);
  const clear = noisy.map((_, index) => [[{ total: 0.95 + index / 100 }], [{ total: index / 100 }]]);
  expect(find(compare(clear), 'score')).toMatchObject({ leader: 't0', best: 't0' });
  expect(find(compare(clear), 'score')).not.toHaveProperty('bestOnMost');
});

test('the best of three is better than each of the others', () => {
  const cases = Array.from({ length: 12 }, (_, index) => {
    const total = 0.5 + (index % 4) / 10;
    return [[{ total: total - 0.3 }], [{ total }], [{ total: total + (index % 2 === 0 ? 0.05 : -0.06) }]];
  });
  const score = find(compare(cases), 'score');
  expect(score).toMatchObject({ leader: 't1', best: null });
  expect(score.differences.map(({ target }) => target)).toEqual(['t0', 't2']);
});

test('attempts at a case are averaged first', () => {
  const attempts = compare([
    [[{ total: 1 }, { total: 0 }], [{ total: 0 }]],
    [[{ total: 0.6 }], [{ total: 0.2 }, { total: 0.4 }]],
  ]);
  const { means, differences } = find(attempts, 'score');
  expect(means.map(({ value, n }) => [value, n])).toEqual([
    [0.55, 2],
    [expect.closeTo(0.15, 12), 2],
  ]);
  expect(differences[0]).toMatchObject({ value: expect.closeTo(0.4, 12), n: 2 });
});

test('equal differences of scores have the interval that so many leave open, those of quantities none', () => {
  const alike = (cases: number) =>
    compare(
      Array.from({ length: cases }, () => [[{ total: 1, totalMs: 10 }], [{ total: 0.5, totalMs: 20 }]]),
    );
  // The share 0.75 of [−1, 1] times 0.025^(1 / 20), as `boundedMeanBounds` is for equal values.
  const score = find(alike(20), 'score');
  expect(score).toMatchObject({ best: 't0' });
  expect(score.differences[0]?.lower).toBeCloseTo(2 * 0.75 * 0.025 ** (1 / 20) - 1, 9);
  expect(find(alike(6), 'score')).toMatchObject({ best: null, bestOnMost: 't0' });
  const latency = find(alike(6), 'latency');
  expect(latency).toMatchObject({ pValue: 2 ** -5, differences: [{ value: -10, lower: null, upper: null }] });
  expect(find(alike(5), 'latency').best).toBeNull();
});

test('equal targets have no best', () => {
  const same = compare(Array.from({ length: 20 }, () => [[{ total: 1 }], [{ total: 1 }]]));
  expect(same.map(({ best }) => best).filter((best) => best !== null)).toEqual([]);
});

test('cases that only one of two measured count against the leader', () => {
  const better = Array.from({ length: 20 }, (_, index) => [
    [{ total: 0.9 + (index % 3) / 100 }],
    [{ total: 0.4 }],
  ]);
  const missing = (cases: number) =>
    Array.from({ length: cases }, () => [[{ status: 'failed' as const, total: null }], [{ total: 0.8 }]]);
  expect(find(compare([...better, ...missing(1)]), 'score')).toMatchObject({ leader: 't0', best: 't0' });
  expect(find(compare([...better, ...missing(8)]), 'score')).toMatchObject({ leader: 't0', best: null });
});

test('an unmeasured target cannot be beaten', () => {
  const cases = Array.from({ length: 9 }, (_, index) => [
    [{ total: index / 10 }],
    [{ total: null, status: 'failed' as const }],
  ]);
  const score = find(compare(cases), 'score');
  expect(score).toMatchObject({ leader: 't0', best: null, differences: [] });
  expect(score.means[1]).toMatchObject({ value: null, n: 0 });
  expect(find(compare(cases), 'errors')).toMatchObject({ leader: 't0', best: 't0' });
});

test('an unreported amount is missing, never 0', () => {
  const cases = Array.from({ length: 8 }, (_, index) => [
    [{ cost: 0.01 + index / 1000 }],
    [index < 4 ? { cost: 0.02 } : {}],
  ]);
  const { means, differences } = find(compare(cases), 'cost');
  expect(means[1]).toMatchObject({ value: 0.02, n: 4 });
  expect(differences[0]).toMatchObject({ n: 4 });
  expect(find(compare(cases), 'input-tokens')).toMatchObject({ leader: null, differences: [] });
});

test('categories are compared on their own cases', () => {
  const cases = Array.from({ length: 24 }, (_, index) => {
    const category = index % 2 === 0 ? 'money' : 'papers';
    const [a, b] = category === 'money' ? [1, 0] : [0.5, 0.5];
    return [[{ category, total: a - index / 100 }], [{ category, total: b }]];
  });
  const all = compare(cases);
  expect(find(all, 'category', 'money')).toMatchObject({ best: 't0', differences: [{ n: 12 }] });
  expect(find(all, 'category', 'papers').means.map(({ n }) => n)).toEqual([12, 12]);
});

test('a single target is not compared', () => {
  expect(compare([[[{}]], [[{}]]])).toEqual([]);
});

test('the order of two targets changes only names', () => {
  const totals = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 10 })),
    {
      minLength: 2,
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(totals, (pairs) => {
      const score = (flip: boolean) =>
        find(
          compare(
            pairs.map(([a, b]) =>
              flip ? [[{ total: b / 10 }], [{ total: a }]] : [[{ total: a }], [{ total: b / 10 }]],
            ),
          ),
          'score',
        );
      const [straight, flipped] = [score(false), score(true)];
      const rename = { t0: 't1', t1: 't0' } as Record<string, string>;
      expect(flipped.best).toBe(straight.best === null ? null : rename[straight.best]);
      const isTie = straight.means[0]?.value === straight.means[1]?.value;
      if (!isTie)
        expect(flipped.differences[0]?.value).toBeCloseTo(straight.differences[0]?.value as number, 12);
    }),
  );
});

test('a failed call counts as an error, and is missing for score and passed', () => {
  const cases = Array.from({ length: 4 }, (_, index) => [
    [index === 0 ? { status: 'failed' as const, total: null } : { total: 0.9 }],
    [{ total: 0.5 }],
  ]);
  const all = compare(cases);
  expect(find(all, 'passed').means.map(({ value, n }) => [value, n])).toEqual([
    [1, 3],
    [0, 4],
  ]);
  expect(find(all, 'errors').means.map(({ value }) => value)).toEqual([0.25, 0]);
});

test('a verdict on a failed call counts as in the components of the run: one name has one number', () => {
  const failing = { status: 'failed' as const, total: 0 };
  const cases = [0, 1, 2].map((index) => [[index === 2 ? failing : {}], [index === 2 ? failing : {}]]);
  const { means } = find(compare(cases), 'metric', 'keywords');
  expect(means.map(({ value, n }) => [value, n])).toEqual([
    [expect.closeTo(2 / 3, 12), 3],
    [expect.closeTo(2 / 3, 12), 3],
  ]);
  expect(find(compare(cases), 'score').means.map(({ n }) => n)).toEqual([2, 2]);
});

test('questions that share a document are compared by documents', () => {
  const truths = [1, 1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1];
  const documents = Array.from('aaaaaabbbbcccddefghi');
  const all = compare(
    truths.map((total, place) => {
      const labels = { cluster: documents[place] as string, category: 'money' };
      return [[{ total, ...labels }], [{ total: 1, ...labels }]];
    }),
  );
  for (const row of [find(all, 'score'), find(all, 'category', 'money')]) {
    // Partial fractions of the documents' sums, with 250 digits.
    expect(row.means[0]).toMatchObject({ value: expect.closeTo(0.8, 12), clusters: 9 });
    expect(row.leader).toBe('t1');
    expect(row.differences[0]).toMatchObject({ clusters: 9, method: 'gaffke', tooFew: true });
    expect(row.differences[0]?.lower).toBeCloseTo(-0.532263547530839, 10);
    expect(row.differences[0]?.upper).toBeCloseTo(0.680105789532922, 10);
  }
});

test('the best target is corrected for the number of rows by Holm’s method, the first row on its own', () => {
  const random = createRandom('marks');
  let [ofScore, ofOthers] = [0, 0];
  const rounds = 300;
  for (let round = 0; round < rounds; round += 1) {
    const some = Array.from({ length: 20 }, () =>
      [0, 1].map(() => [
        { total: random.next(), totalMs: 50 + 10 * random.next(), cost: random.next(), category: 'money' },
      ]),
    );
    const [score, ...rest] = compare(some);
    if (score?.best !== null) ofScore += 1;
    if (rest.some(({ best }) => best !== null)) ofOthers += 1;
  }
  // Uncorrected, the others would be near 15 %.
  expect(ofScore).toBeLessThanOrEqual(mostWrong(rounds));
  expect(ofOthers).toBeLessThanOrEqual(mostWrong(rounds));
});

test('rows have p-values before and after the correction', () => {
  const cases = first.map((value, index) => [
    [{ totalMs: value, cost: index % 3 }],
    [{ totalMs: second[index] as number, cost: (index + 1) % 3 }],
  ]);
  const latency = find(compare(cases), 'latency');
  // R: t.test(extra ~ group, data = sleep, paired = TRUE)$p.value.
  expect(latency.pValue).toBeCloseTo(0.00283289, 8);
  expect(latency.adjustedPValue).toBeGreaterThan(latency.pValue as number);
});

test('the interval of a difference of shares stays within the possible range', () => {
  const [score] = compare([
    [[{ total: 1 }], [{ total: 0 }]],
    [[{ total: 1 }], [{ total: 0.9 }]],
  ]);
  expect(score?.differences[0]).toMatchObject({ value: expect.closeTo(0.55, 12), n: 2 });
  expect(score?.differences[0]?.lower).toBeGreaterThanOrEqual(-1);
  expect(score?.differences[0]?.upper).toBeLessThanOrEqual(1);
});
