import { afterEach, expect, test } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TargetSummary } from '../../core/schema/summary.ts';
import { openSqliteStore } from '../../stores/sqlite/sqlite.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { type GatedCase, runScores } from '../../../test/support/gated-run.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function openStore(kind: 'memory' | 'sqlite') {
  if (kind === 'memory') return createMemoryStore();
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-clusters-'));
  cleanups.push(async () => await rm(folder, { recursive: true }));
  const store = openSqliteStore(path.join(folder, 'touchstone.db'));
  cleanups.push(async () => await store.close());
  return store;
}

async function summarize(cases: readonly GatedCase[], kind: 'memory' | 'sqlite' = 'memory') {
  const { run } = await runScores(cases, { store: await openStore(kind) });
  return run.summary?.targets[0] as TargetSummary;
}

const truths = [1, 1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1];
/** Twenty questions from nine documents; five documents have a single question. */
const documents = Array.from('aaaaaabbbbcccddefghi');

/** The cases of those documents; a document with a single question need not be named. */
function clustered(parts: Partial<GatedCase> = {}): GatedCase[] {
  return truths.map((score, place) => {
    const cluster = documents[place];
    const isNamed = cluster !== undefined && cluster < 'g';
    return { scores: [score], ...(isNamed && { cluster }), ...parts };
  });
}

test.each(['memory', 'sqlite'] as const)(
  'questions that share a document have cluster-robust intervals, also from the %s store',
  async (kind) => {
    const { score, passRate, metrics, categories, errorRate } = await summarize(
      clustered({ category: 'all' }),
      kind,
    );
    // Computed with numpy and scipy: the Wilson interval with the effective number of trials of CR2; see
    // mean-of-clusters.test.ts.
    const ofMean = {
      value: expect.closeTo(0.8, 12),
      lower: expect.closeTo(0.5239446612936864, 10),
      upper: expect.closeTo(0.9356398971472684, 10),
      n: 20,
      clusters: 9,
      effectiveClusters: expect.closeTo(5.714285714285714, 10),
      confidence: 0.95,
      method: 'effective-wilson',
      fewClusters: true,
    };
    expect(score).toEqual(ofMean);
    expect(metrics[0]?.estimate).toEqual(ofMean);
    expect(categories[0]?.score).toEqual(ofMean);
    expect(passRate).toEqual(ofMean);
    expect(errorRate).toMatchObject({ value: 0, lower: 0, clusters: 9, method: 'effective-wilson' });
  },
);

test('clusters are read from a large store as from memory', async () => {
  const cases = Array.from({ length: 400 }, (_, place) => {
    return { scores: [Number(place % 7 > 1)], cluster: `d${Math.floor(place / 10)}` };
  });
  const [kept, held] = [await summarize(cases, 'sqlite'), await summarize(cases, 'memory')];
  expect(kept).toEqual({ ...held, usage: kept.usage });
  expect(kept.score).toMatchObject({ n: 400, clusters: 40 });
});

test('clusters of one question each change nothing', async () => {
  const named = await summarize(truths.map((score, place) => ({ scores: [score], cluster: `d${place}` })));
  const plain = await summarize(truths.map((score) => ({ scores: [score] })));
  expect(named).toEqual({ ...plain, usage: named.usage });
  expect(plain.passRate).toMatchObject({ method: 'wilson' });
  expect(plain.score).toEqual(plain.passRate);
  expect(plain.score?.clusters).toBeUndefined();
});

test('attempts of a question are averaged first, and questions of a document stay together', async () => {
  const cases = clustered().map(({ scores: [score = 0], ...each }) => ({ ...each, scores: [score, 1] }));
  const { score, passRate, reliability } = await summarize(cases);
  expect(score).toMatchObject({ value: expect.closeTo(0.9, 12), n: 20, clusters: 9 });
  expect(score).toEqual(passRate);
  expect(passRate).toMatchObject({ n: 20, clusters: 9, method: 'effective-wilson' });
  expect(reliability?.levels[0]?.all).toEqual(passRate);
});

test('a single document has a mean and no interval', async () => {
  const { score, passRate } = await summarize(truths.map((each) => ({ scores: [each], cluster: 'a' })));
  const reason = 'a single cluster shows no spread';
  expect(score).toMatchObject({ value: expect.closeTo(0.8, 12), lower: null, upper: null, reason });
  expect(passRate).toMatchObject({ lower: null, clusters: 1, reason });
});

test('few questions, or an interval too wide to be informative, are marked', async () => {
  const few = await summarize([1, 1, 1, 0].map((score) => ({ scores: [score] })));
  expect(few.passRate.tooFew).toBe(true);
  const wide = await summarize([1, 1, 1, 0, 0, 0, 1].map((score) => ({ scores: [score] })));
  expect(wide.passRate.tooFew).toBe(true);
  const enough = await summarize(truths.map((score) => ({ scores: [score] })));
  expect(enough.passRate).not.toHaveProperty('tooFew');
});

test('scores of questions that share a document have the bounds of whole documents, as gates have', async () => {
  const cases = clustered().map(({ scores: [score = 0], ...each }) => ({
    ...each,
    scores: [(1 + (score ?? 0)) / 2],
  }));
  const { score } = await summarize(cases);
  expect(score).toMatchObject({ n: 20, clusters: 9, method: 'gaffke' });
  expect(score).not.toHaveProperty('fewClusters');
  // Partial fractions of the documents' sums, with 900 digits.
  expect(score.lower).toBeCloseTo(0.362333663623563, 10);
  expect(score.upper).toBeCloseTo(0.979055266457692, 10);
});
