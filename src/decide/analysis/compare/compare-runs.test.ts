import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type PairComparison,
  runComparisonSchema,
  type RunDifference,
} from '../../../core/schema/run-comparison.ts';
import type { Run } from '../../../core/schema/run.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import { type AskedCase, buildKeptRun, type TriedCase } from '../../../../test/support/build-kept-run.ts';
import { compareRuns } from '../../../people/reviews/compare-runs.ts';
import type { CompareChoices } from './compare-runs.ts';

const early = { id: 'run-a', createdAt: '2026-01-01T00:00:00.000Z' };
const late = { id: 'run-b', createdAt: '2026-01-02T00:00:00.000Z' };

const before = [0.5, 0.625, 0.8, 0.3, 1, 0.9, 0.45, 0.7, 0.55, 0.65, 0.2, 0.85];
const after = [0.6, 0.75, 0.7, 0.65, 1, 0.95, 0.6, 0.9, 0.5, 0.85, 0.45, 0.8];
const ofClusters = ['x', 'x', 'x', 'y', 'y', 'z', 'z', 'z', undefined, 'w', 'w', 'w'];

function asked(
  totals: readonly (number | null)[],
  parts: (index: number) => Partial<AskedCase> = () => ({}),
) {
  return totals.map(
    (total, index): AskedCase => ({ asks: `q${index}`, attempts: [{ total }], ...parts(index) }),
  );
}

async function compared(
  a: readonly AskedCase[],
  b: readonly AskedCase[],
  choices: Omit<CompareChoices, 'review'> & Sides = {},
) {
  const { inA = {}, inB = {}, ...rest } = choices;
  const runs = [await buildKeptRun(a, { ...early, ...inA }), await buildKeptRun(b, { ...late, ...inB })];
  const comparison = runComparisonSchema.parse(await compareRuns(runs, rest));
  return { comparison, pair: comparison.comparisons[0]! };
}

interface Sides {
  readonly inA?: Partial<Run>;
  readonly inB?: Partial<Run>;
}

function rowOf({ differences }: PairComparison, measure: RunDifference['measure'], name: string = measure) {
  return differences.find((row) => row.measure === measure && row.name === name)!;
}

// The limits and p-values of scores: partial fractions of the sum of exponential variables, with 250 digits.
test('scores are compared by Gaffke’s bounds, passes by McNemar’s mid-p and Tango’s interval, as in R', async () => {
  const { pair } = await compared(asked(before), asked(after));
  const score = rowOf(pair, 'score');
  expect(score.meanA).toBeCloseTo(0.627083333333, 11);
  expect(score.meanB).toBeCloseTo(0.729166666667, 11);
  expect(score.difference.value).toBeCloseTo(0.1020833333333, 12);
  expect(score.difference.lower).toBeCloseTo(-0.195290684016557, 11);
  expect(score.difference.upper).toBeCloseTo(0.346962308451104, 11);
  expect(score.difference).toMatchObject({ n: 12, method: 'gaffke', confidence: 0.95 });
  expect(score.pValue).toBeCloseTo(0.677751181775331, 11);
  // 8 questions above and 3 below: R, binom.test(3, 11), mid-p.
  expect(score.signPValue).toBeCloseTo(0.14599609375, 11);
  expect([score.higher, score.lower, score.equal]).toEqual([8, 3, 1]);
  // Half of the interval, and the deviation of 80 % power: 0.271126 + 0.841621 × 0.136705 / √12.
  expect(score.sensitivity?.detectable).toBeCloseTo(0.3043395, 6);
  expect(score.sensitivity?.plans[1]).toEqual({ difference: 0.05, questions: 136 });
  const passed = rowOf(pair, 'passed');
  expect(passed.difference).toMatchObject({ value: 0.25, method: 'tango' });
  expect(passed.difference.lower).toBeCloseTo(-0.0531175, 6);
  expect(passed.difference.upper).toBeCloseTo(0.5323053, 6);
  expect(passed.pValue).toBeCloseTo(0.125, 12);
  expect(pair.verdict).toEqual({
    outcome: 'no-visible-difference',
    measure: 'score',
    name: 'score',
    isCertain: true,
  });
});

test('cases that share a cluster are not independent: their bounds are those of clusters', async () => {
  const labels = (index: number) => {
    const cluster = ofClusters[index];
    return cluster === undefined ? {} : { cluster };
  };
  const { pair } = await compared(asked(before), asked(after, labels));
  const { difference, pValue } = rowOf(pair, 'score');
  expect(pair.pairing.clusters).toBe(5);
  expect(difference).toMatchObject({ method: 'gaffke', clusters: 5 });
  expect(difference.lower).toBeCloseTo(-0.545594562960516, 11);
  expect(difference.upper).toBeCloseTo(0.626477220094379, 11);
  expect(pValue).toBe(1);
  const alone = await compared(
    asked(before),
    asked(after, (index) => ({ cluster: `c${index}` })),
  );
  expect(alone.pair.pairing.clusters).toBeUndefined();
});

test('repeats are averaged within a case before anything is tested', async () => {
  const tries = (totals: readonly number[]) =>
    Array.from({ length: 6 }, (_, index): AskedCase => {
      const attempts = totals.slice(2 * index, 2 * index + 2).map((total): TriedCase => ({ total }));
      return { asks: `q${index}`, attempts };
    });
  const { pair } = await compared(
    tries([0.5, 0.7, 0.2, 0.4, 1, 0.8, 0.6, 0.6, 0.3, 0.1, 0.9, 0.5]),
    tries([0.6, 0.8, 0.3, 0.4, 0.9, 1, 0.8, 0.7, 0.5, 0.2, 0.6, 0.7]),
  );
  const { difference, pValue } = rowOf(pair, 'score');
  expect(difference.n).toBe(6);
  expect(difference.lower).toBeCloseTo(-0.41994154300692, 11);
  expect(difference.upper).toBeCloseTo(0.501181200066212, 11);
  expect(pValue).toBe(1);
  expect(rowOf(pair, 'passed').difference.method).toBe('gaffke');
});

test('means of several attempts are not boolean, even if all attempts agree', async () => {
  const twice = (passed: number) =>
    Array.from({ length: 12 }, (_, index): AskedCase => {
      const attempt = { total: Number(index < passed) };
      return { asks: `q${index}`, attempts: [attempt, attempt] };
    });
  const { pair } = await compared(twice(8), twice(11));
  const { difference, pValue } = rowOf(pair, 'passed');
  expect(difference).toMatchObject({ value: 0.25, n: 12, method: 'gaffke' });
  expect(difference.lower).toBeCloseTo(-0.125514727778832, 10);
  expect(difference.upper).toBeCloseTo(0.571858461878189, 10);
  expect(pValue).toBeCloseTo(0.25, 10);
});

test('cases are paired by content even with another order, id or category; edited and new ones are listed', async () => {
  const b = asked(after, (index) => ({ id: `other-${index}` })).toReversed();
  const edited: AskedCase = { asks: 'q0, but harder', id: 'q0', attempts: [{ total: 0 }] };
  const { pair } = await compared(asked(before), [edited, ...b.filter(({ asks }) => asks !== 'q0')]);
  expect(pair.pairing).toEqual({
    pairs: 11,
    onlyA: { count: 1, ids: ['q0'] },
    onlyB: { count: 1, ids: ['q0'] },
    edited: { count: 1, ids: ['q0'] },
  });
  expect(rowOf(pair, 'score').difference.value).toBeCloseTo((12 * 0.1020833333333 - 0.1) / 11, 10);
  expect(pair.notices.map(({ kind }) => kind)).toEqual(['same-target', 'dataset']);
});

test('pairs that one run did not measure are counted, and can make a verdict uncertain', async () => {
  const high = before.map((total) => Math.min(1, 0.9 + total / 10));
  const surely = await compared(asked(before.map((total) => total / 5)), asked(high));
  expect(surely.pair.verdict).toMatchObject({ outcome: 'better', isCertain: true });
  const hole = high.map((total, index) => (index < 4 ? null : total));
  const doubtful = await compared(asked(before.map((total) => total / 5)), asked(hole));
  expect(doubtful.pair.verdict).toMatchObject({ outcome: 'better', isCertain: false });
  const holes = after.map((total, index) => (index === 4 ? null : total));
  const { pair } = await compared(asked(before), asked(holes));
  const score = rowOf(pair, 'score');
  expect(score).toMatchObject({ pairs: 12, onlyA: 1, onlyB: 0, neither: 0, difference: { n: 11 } });
  expect(pair.notMeasured).toEqual({ inA: { count: 0, ids: [] }, inB: { count: 1, ids: ['q4'] } });
  const unasked = asked(after, (index) => (index > 9 ? { attempts: [{ total: 0, isAbsent: true }] } : {}));
  const stopped = await compared(asked(before), unasked, { inB: { status: 'interrupted' } });
  expect(rowOf(stopped.pair, 'score')).toMatchObject({ pairs: 12, onlyA: 2, difference: { n: 10 } });
  expect(stopped.pair.notices[0]).toMatchObject({ kind: 'unfinished', name: 'run-b' });
});

test('a category in which even a large difference would not be visible has too few cases', async () => {
  const inCategory = (totals: readonly number[]) =>
    totals.map((total, index): AskedCase => {
      return { asks: `q${index}`, category: index < 6 ? 'small' : 'large', attempts: [{ total }] };
    });
  const older = Array.from({ length: 46 }, (_, index) => (index % 2) * (index < 6 ? 1 : 0.2));
  const newer = older.map((total, index) => (index < 6 ? 1 - total : 0.2 - total));
  const { pair } = await compared(inCategory(older), inCategory(newer));
  const small = rowOf(pair, 'category', 'small');
  expect(small).toMatchObject({ finding: 'too-few', difference: { n: 6, tooFew: true } });
  expect(small.pValue).toBeGreaterThan(0.05);
  expect(rowOf(pair, 'category', 'large').finding).toBe('not-visible');
});

test('few pairs give not enough data; equal runs show no difference', async () => {
  const few = await compared(asked(before.slice(0, 4)), asked(after.slice(0, 4)));
  expect(few.pair.verdict.outcome).toBe('not-enough-data');
  const none = await compared(
    asked(before),
    asked(before, (index) => ({ asks: `z${index}` })),
  );
  expect(none.pair.verdict.outcome).toBe('not-enough-data');
  expect(none.pair.pairing).toMatchObject({ pairs: 0, onlyA: { count: 12 } });
  const equal = await compared(asked(before), asked(before));
  expect(equal.pair.verdict.outcome).toBe('no-visible-difference');
  expect(rowOf(equal.pair, 'score').difference.value).toBe(0);
});

test('the verdict’s measure is corrected on its own, the other rows together', async () => {
  const { comparison, pair } = await compared(asked(before), asked(after));
  const [score, ...rest] = pair.differences;
  const others = rest.filter(({ pValue }) => pValue !== null);
  expect(others.map(({ measure }) => measure)).toEqual(['passed', 'metric', 'errors', 'latency']);
  expect(score?.adjustedPValue).toBe(score?.pValue);
  expect(comparison.corrected).toEqual({ method: 'holm', verdicts: 1, others: others.length });
  const keywords = rowOf(pair, 'metric', 'keywords');
  expect(keywords.adjustedPValue).toBe(Math.min(1, keywords.pValue! * others.length));
  expect(keywords.finding).toBe('not-visible');
});

test('flips have both answers, those to the worse first, and of several attempts the majority counts', async () => {
  const passing = asked([1, 1, 0, 1, 1, 1], (index) => ({
    attempts: [{ total: index === 2 ? 0 : 1, answer: 'A' }],
  }));
  const failing = asked([1, 0, 1, 1, 1, 1], (index) => ({
    attempts: [{ total: index === 1 ? 0 : 1, answer: 'B' }],
  }));
  const { pair } = await compared(passing, failing);
  expect([pair.flipsToWorse, pair.flipsToBetter]).toEqual([1, 1]);
  expect([pair.passedInBoth, pair.failedInBoth]).toEqual([4, 0]);
  expect(pair.flips).toMatchObject([
    { change: 'worse', caseId: 'q1', a: { answer: 'A', passed: 1 }, b: { answer: 'B', passed: 0 } },
    { change: 'better', caseId: 'q2', metrics: [{ name: 'keywords', a: 0, b: 1 }] },
  ]);
  const often = (totals: readonly number[]) => [{ asks: 'q', attempts: totals.map((total) => ({ total })) }];
  const flaky = await compared(often([1, 0, 1]), often([0, 1, 0]));
  expect(flaky.pair.flips).toMatchObject([{ change: 'worse', a: { attempt: 1 }, b: { attempt: 1 } }]);
  const tied = await compared(often([1, 0]), often([0, 0]));
  expect([tied.pair.passedInBoth, tied.pair.failedInBoth, tied.pair.flips.length]).toEqual([0, 0, 0]);
});

test('changed rules are reported by name, and their rows are marked', async () => {
  const metric = (version: number, fingerprint: string) => ({
    metrics: [{ name: 'keywords', use: { use: 'keywords' }, version, fingerprint }],
  });
  const { pair } = await compared(asked(before), asked(after), {
    margin: 0.05,
    inA: { ...metric(1, 'x'), touchstoneVersion: '0.1.0' },
    inB: { ...metric(2, 'y'), touchstoneVersion: '0.2.0' },
  });
  expect(pair.notices).toContainEqual({
    kind: 'metric',
    name: 'keywords',
    message: 'is of version 1 in A and 2 in B',
  });
  expect(pair.notices).toContainEqual(expect.objectContaining({ kind: 'version' }));
  expect(rowOf(pair, 'metric', 'keywords').isRuleChanged).toBe(true);
});

test('regressions are tested by non-inferiority, and missing pairs or changed rules prevent a pass', async () => {
  const check = async (a: readonly (number | null)[], b: readonly (number | null)[], margin: number) =>
    (await compared(asked(a), asked(b), { margin })).pair.regression!;
  // Twelve pairs do not rule out a rare large loss; partial fractions with 250 digits.
  const better = await check(before, after, 0.05);
  expect(better).toMatchObject({ decision: 'inconclusive', method: 'gaffke', margin: 0.05, needed: 59 });
  expect(better.lower).toBeCloseTo(-0.14744017802843, 10);
  expect(better.upper).toBeCloseTo(0.308130666309292, 10);
  expect((await check(before, after, 0.15)).decision).toBe('pass');
  const low = before.map((total) => total / 3);
  expect((await check(before, low, 0.02)).decision).toBe('fail');
  // Equal pairs have no spread: few of them do not rule out a rare loss.
  expect((await check(before, before, 0.05)).decision).toBe('inconclusive');
  const many = (pairs: number) => Array.from({ length: pairs }, () => 0.8);
  expect((await check(many(58), many(58), 0.05)).decision).toBe('inconclusive');
  expect((await check(many(59), many(59), 0.05)).decision).toBe('pass');
  const lost = many(100).map((total, index) => (index < 3 ? null : total));
  expect(await check(many(100), lost, 0.05)).toMatchObject({ decision: 'not-measured' });
});

test('the same check on these questions alone: attempts are all that varies', async () => {
  const check = async (a: AskedCase[], b: AskedCase[]) =>
    (await compared(a, b, { margin: 0.05 })).pair.regressionOnThese;
  const tried = (totals: readonly number[], answer = 'yes'): AskedCase[] =>
    totals.map((total, place) => ({
      asks: `q${place}`,
      attempts: [1, 2, 3].map(() => ({ total, passed: total > 0.5, answer })),
    }));
  const [same, lost] = [
    tried(Array.from({ length: 30 }, () => 1)),
    Array.from({ length: 30 }, (_, at) => Number(at > 2)),
  ];
  expect(await check(same, same)).toMatchObject({
    decision: 'pass',
    lower: expect.closeTo(-0.022384, 6),
    questions: 30,
    attempts: [3, 3],
  });
  expect(await check(same, tried(lost))).toMatchObject({
    decision: 'fail',
    upper: expect.closeTo(-0.077616, 6),
  });
  expect(await check(tried(lost), same)).toMatchObject({ decision: 'pass' });
  // Recorded answers would be the same again: chance is in the three attempts alone.
  const once = same.map(({ asks }) => ({ asks, attempts: [{ total: 1, passed: true, answer: 'other' }] }));
  const { targets } = buildRun();
  const recorded = { targets: targets.map((target) => ({ ...target, isRecorded: true as const })) };
  const { pair } = await compared(same, once, { margin: 0.05, inB: recorded });
  expect(pair.regressionOnThese).toMatchObject({
    decision: 'pass',
    lower: expect.closeTo((-1.6448536 / 30) * Math.sqrt(0.25 / 3), 6),
    attempts: [3, 1],
  });
  expect((await check(same, once))?.decision).toBe('inconclusive');
});

test('unread expectations prevent a pass and are reported for the run', async () => {
  const dataset = {
    sources: ['golden.jsonl'],
    cases: 60,
    hash: 'h',
    expectations: [{ expectation: 'answer' as const, cases: 60 }],
  };
  const many = asked(Array.from({ length: 60 }, () => 0.8));
  const { pair } = await compared(many, many, { margin: 0.05, inA: { dataset }, inB: { dataset } });
  const message = 'checks less than its questions expect: 60 of 60 expected answers are read by no metric';
  expect(pair.notices).toContainEqual({ kind: 'unread', name: pair.b.run, message });
  expect(pair.regression).toMatchObject({ decision: 'not-measured', reason: `one of the runs ${message}` });
  const inBoth = { dataset, unread: ['answer' as const] };
  const accepted = await compared(many, many, { margin: 0.05, inA: inBoth, inB: inBoth });
  expect(accepted.pair.regression?.decision).toBe('pass');
});

test('more than two runs are ranked, and indistinguishable ones share their possible ranks', async () => {
  const run = async (id: string, day: number, shift: number) => {
    const noise = [0.01, -0.02, 0.015, 0, -0.01, 0.02];
    const cases = asked(
      [...before, ...before].map((total, index) => total / 2 + shift + (noise[(index * day) % 6] ?? 0)),
    );
    return await buildKeptRun(cases, { id, createdAt: `2026-01-0${day}T00:00:00.000Z` });
  };
  const runs = [await run('first', 1, 0.01), await run('second', 2, 0.47), await run('third', 5, 0.474)];
  const { ranking, comparisons, corrected } = await compareRuns(runs);
  expect(ranking?.map(({ rank, lastRank, run: id }) => [rank, lastRank, id])).toEqual([
    [1, 2, 'third'],
    [1, 2, 'second'],
    [3, 3, 'first'],
  ]);
  expect(ranking?.map(({ toLeader }) => toLeader === null)).toEqual([true, false, false]);
  expect(comparisons.map(({ b, verdict }) => [b.run, verdict.outcome])).toEqual([
    ['second', 'better'],
    ['third', 'better'],
  ]);
  expect(corrected.verdicts).toBe(2);
});

test('a run indistinguishable from the second is not ranked behind it, though the first is better', async () => {
  const noise = [0.1, -0.1, 0.05, -0.05, 0, 0];
  const thrice = [...before, ...before, ...before];
  const run = async (id: string, day: number, shift: number) => {
    const cases = asked(
      thrice.map((total, index) => total / 2 + shift + (day === 2 ? (noise[index % 6] ?? 0) : 0)),
    );
    return await buildKeptRun(cases, { id, createdAt: `2026-01-0${day}T00:00:00.000Z` });
  };
  const shifted = thrice.map((total, index) => total / 2 + 0.02 + (index % 2) * 0.01);
  const c = await buildKeptRun(asked(shifted), { id: 'c', createdAt: '2026-01-03T00:00:00.000Z' });
  const { ranking } = await compareRuns([await run('b', 1, 0.2), await run('a', 2, 0.1), c]);
  expect(ranking?.map(({ rank, lastRank, run: id }) => [rank, lastRank, id])).toEqual([
    [1, 2, 'b'],
    [1, 3, 'a'],
    [2, 3, 'c'],
  ]);
});

test('targets match by name or as chosen; comparing a run with itself is refused', async () => {
  const named = (name: string) => ({ targets: [{ name, use: { use: 'module' }, fingerprint: name }] });
  const other = await compared(asked(before), asked(after), { inA: named('old'), inB: named('new') });
  expect([other.pair.a.target, other.pair.b.target]).toEqual(['old', 'new']);
  const targets = [{ a: 'old', b: 'other' }];
  await expect(
    compared(asked(before), asked(after), { inA: named('old'), inB: named('new'), targets }),
  ).rejects.toMatchObject({
    code: 'usage-invalid',
    message: 'Run run-b has no target "other"; it has new.',
  });
  const kept = await buildKeptRun(asked(before), early);
  await expect(compareRuns([kept, kept])).rejects.toMatchObject({ code: 'usage-invalid' });
  await expect(compareRuns([kept])).rejects.toMatchObject({ code: 'usage-invalid' });
});

test('A against B is the mirror image of B against A', async () => {
  const total = fc.option(
    fc.integer({ min: 0, max: 4 }).map((quarters) => quarters / 4),
    { nil: null, freq: 8 },
  );
  const one = fc.record({
    number: fc.integer({ min: 0, max: 12 }),
    attempts: fc.array(fc.record({ total, latencyMs: fc.integer({ min: 1, max: 50 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
    category: fc.constantFrom('x', 'y'),
    cluster: fc.constantFrom(undefined, 'm', 'n', 'o'),
  });
  const cases = fc.uniqueArray(one, { minLength: 1, maxLength: 12, selector: ({ number }) => number });
  await fc.assert(
    fc.asyncProperty(cases, cases, async (first, second) => {
      const [a, b] = [await keep(first, early), await keep(second, late)];
      const forward = (await compareRuns([a, b], { margin: 0.1 })).comparisons[0]!;
      const backward = (await compareRuns([b, a], { margin: 0.1 })).comparisons[0]!;
      expect(seenFrom(backward)).toEqual(seenFrom(mirror(forward)));
    }),
    { numRuns: 20 },
  );
});

type Drawn = readonly (Pick<AskedCase, 'attempts' | 'category'> & {
  number: number;
  cluster: string | undefined;
})[];

async function keep(drawn: Drawn, parts: Partial<Run>) {
  const cases = drawn.map(({ number, attempts, category = 'x', cluster }): AskedCase => {
    return { asks: `q${number}`, attempts, category, ...(cluster === undefined ? {} : { cluster }) };
  });
  return await buildKeptRun(cases, parts);
}

const opposite = {
  better: 'worse',
  worse: 'better',
  'better-on-most': 'worse-on-most',
  'worse-on-most': 'better-on-most',
  different: 'different',
  'not-visible': 'not-visible',
  'not-comparable': 'not-comparable',
} as const;
const { different: _, 'not-visible': _none, ...oppositeOf } = opposite;
const minus = (value: number | null) => (value === null ? null : 0 - value);

/** Returns a comparison as it would be with A and B exchanged. */
function mirror({
  a,
  b,
  pairing,
  notMeasured,
  differences,
  flips,
  verdict,
  ...rest
}: PairComparison): PairComparison {
  return {
    ...rest,
    a: b,
    b: a,
    pairing: { ...pairing, onlyA: pairing.onlyB, onlyB: pairing.onlyA },
    notMeasured: { inA: notMeasured.inB, inB: notMeasured.inA },
    verdict: { ...verdict, outcome: turned(verdict.outcome) },
    differences: differences.map((row) => ({
      ...row,
      meanA: row.meanB,
      meanB: row.meanA,
      difference: {
        ...row.difference,
        value: minus(row.difference.value),
        lower: minus(row.difference.upper),
        upper: minus(row.difference.lower),
      },
      higher: row.lower,
      lower: row.higher,
      onlyA: row.onlyB,
      onlyB: row.onlyA,
      finding: row.finding === 'too-few' ? row.finding : opposite[row.finding],
    })),
    flips: flips.map((flip) => ({
      ...flip,
      change: flip.change === 'worse' ? 'better' : 'worse',
      a: flip.b,
      b: flip.a,
      metrics: flip.metrics.map((metric) => ({ ...metric, a: metric.b, b: metric.a })),
    })),
    flipsToWorse: rest.flipsToBetter,
    flipsToBetter: rest.flipsToWorse,
  };
}

function turned(outcome: PairComparison['verdict']['outcome']): PairComparison['verdict']['outcome'] {
  const isOfRow = outcome === 'no-visible-difference' || outcome === 'not-enough-data';
  return isOfRow ? outcome : oppositeOf[outcome];
}

/** Returns the parts that do not depend on the order: regressions are one-sided, and notices mention A and B. */
function seenFrom({
  regression: _regression,
  regressionOnThese: _fixed,
  notices: _notices,
  flips,
  ...rest
}: PairComparison) {
  const sorted = flips.toSorted((one, other) => (one.caseId < other.caseId ? -1 : 1));
  return { ...rest, flips: sorted };
}

test('verdicts alone are those of a whole comparison, and as many flips of either change can be asked for', async () => {
  const one = asked([1, 1, 1, 1, 0, 0, 0, 1, 1, 1], (index) => ({ category: `c${index % 2}` }));
  const other = asked([0, 0, 0, 0, 1, 1, 1, 1, 1, 1], (index) => ({ category: `c${index % 2}` }));
  const whole = await compared(one, other, { flips: 2 });
  const brief = await compared(one, other, { flips: 2, isOfEither: true, isHeadlineOnly: true });
  expect(whole.pair.differences.length).toBeGreaterThan(3);
  expect(brief.pair.differences).toEqual(whole.pair.differences.slice(0, 1));
  expect(brief.pair.verdict).toEqual(whole.pair.verdict);
  expect(whole.pair.flips.map(({ change }) => change)).toEqual(['worse', 'worse']);
  expect(brief.pair.flips.map(({ change }) => change)).toEqual(['worse', 'worse', 'better', 'better']);
});
