import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RetrievedDocument } from '../../../core/schema/trial.ts';
import * as measures from './measures.ts';
import { type JudgedRanking, judgeRanking, type RankingRules } from './measures.ts';

type Values = Record<string, number>;

/** One query of a random run with its judgments and the output of trec_eval 10.0. */
interface Query {
  readonly retrieved: RetrievedDocument[];
  readonly judgments: Values;
  readonly relevant: number;
  readonly relevantAtLevel2: number;
  readonly expected: Values;
  readonly expectedAtLevel2: Values;
  /** The values without unjudged documents (`-J`); absent when the run has no document left then. */
  readonly expectedWithoutUnjudged?: Values;
  /** NDCG with the gains 1, 3 and 7 for the relevances 1, 2 and 3 (`-m ndcg.1=1,2=3,3=7`). */
  readonly expectedExponentialNdcg: number;
}

const queries: Query[] = readFileSync(new URL('fixtures/trec-eval.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const trec: RankingRules = { order: 'trec', unjudged: 'non-relevant' };

function judge({ retrieved, judgments }: Query, rules: Partial<RankingRules> = {}): JudgedRanking {
  return judgeRanking(retrieved, new Map(Object.entries(judgments)), { ...trec, ...rules });
}

function measure(ranking: JudgedRanking, name: string): number | null {
  const [base, cutoff] = name.split('@');
  const k = cutoff === undefined ? undefined : Number(cutoff);
  switch (base) {
    case 'precision':
      return measures.precisionAt(ranking, k);
    case 'recall':
      return measures.recallAt(ranking, k);
    case 'f1':
      return measures.f1At(ranking, k);
    case 'hitRate':
      return measures.hitRateAt(ranking, k);
    case 'reciprocalRank':
      return measures.reciprocalRankAt(ranking, k);
    case 'averagePrecision':
      return measures.averagePrecisionAt(ranking, k);
    case 'rPrecision':
      return measures.rPrecisionOf(ranking);
    default:
      return measures.ndcgAt(ranking, { k });
  }
}

function expectValues(ranking: JudgedRanking, expected: Values, relevant: number): void {
  for (const [name, value] of Object.entries(expected)) {
    // trec_eval prints 0 for a query without a relevant document, where the measures here are undefined.
    if (relevant === 0 && !name.startsWith('ndcg')) expect.soft(measure(ranking, name), name).toBeNull();
    else expect.soft(measure(ranking, name) ?? 0, name).toBeCloseTo(value, 11);
  }
}

test('every measure equals that of trec_eval on random runs with tied scores', () => {
  for (const query of queries) expectValues(judge(query), query.expected, query.relevant);
});

test('a least relevance of 2 equals -l 2 of trec_eval', () => {
  for (const query of queries) {
    expectValues(judge(query, { minRelevance: 2 }), query.expectedAtLevel2, query.relevantAtLevel2);
  }
});

test('leaving out unjudged documents equals -J of trec_eval', () => {
  for (const query of queries) {
    const expected = query.expectedWithoutUnjudged ?? {};
    expectValues(judge(query, { unjudged: 'left-out' }), expected, query.relevant);
  }
});

test('exponential gain equals NDCG of trec_eval with gains of 2^relevance - 1', () => {
  for (const query of queries) {
    const value = measures.ndcgAt(judge(query), { gain: 'exponential' });
    expect(value ?? 0).toBeCloseTo(query.expectedExponentialNdcg, 11);
  }
});

test('both gains equal the published values for the relevances 3 2 3 0 1 2, with 3 3 3 2 2 2 1 judged', () => {
  const judgments = new Map(Object.entries({ a: 3, b: 2, c: 3, d: 0, e: 1, f: 2, g: 3, h: 2 }));
  const retrieved = Array.from('abcdef', (id) => ({ id }));
  const ranking = judgeRanking(retrieved, judgments, trec);
  expect(measures.ndcgAt(ranking, { k: 6 })).toBeCloseTo(0.785002, 6);
  expect(measures.ndcgAt(ranking, { k: 6, gain: 'exponential' })).toBeCloseTo(0.751083, 6);
});

/** Written by scripts/write-ir-measures.py with the Python packages ir_measures, cwl-eval and scikit-learn. */
const others: Values[] = readFileSync(new URL('fixtures/ir-measures.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

test('binary preference and rank-biased precision equal those of ir_measures, DCG that of scikit-learn', () => {
  expect(others).toHaveLength(queries.length);
  for (const [index, query] of queries.entries()) {
    const [ranking, level2] = [judge(query), judge(query, { minRelevance: 2 })];
    const values: Record<string, number | null> = {
      bpref: measures.binaryPreferenceOf(ranking),
      bprefAtLevel2: measures.binaryPreferenceOf(level2),
      'rbp 0.8': measures.rankBiasedPrecisionAt(ranking, { p: 0.8 }),
      'rbp 0.5': measures.rankBiasedPrecisionAt(ranking, { p: 0.5 }),
      dcg: measures.dcgAt(ranking),
      'dcg@3': measures.dcgAt(ranking, { k: 3 }),
    };
    for (const [name, value] of Object.entries(values)) {
      const relevant = name === 'bprefAtLevel2' ? query.relevantAtLevel2 : query.relevant;
      // They give 0 for a query without a relevant document, where the measures here are undefined.
      expect.soft(value === null, `${name} of ${index}`).toBe(relevant === 0);
      expect.soft(value ?? 0, `${name} of ${index}`).toBeCloseTo(others[index]?.[name] ?? -1, 11);
    }
  }
});

test('ranks equal scores by id, descending, in byte order', () => {
  const retrieved = ['9', 'a', '10', 'é', '\u{1f600}', '\uff21'].map((id) => ({ id, score: 1 }));
  const ids = judgeRanking(retrieved, new Map(), trec).documents.map(({ id }) => id);
  expect(ids).toEqual(['\u{1f600}', '\uff21', 'é', 'a', '9', '10']);
});

test('keeps the given order when a document has no score', () => {
  const retrieved = [{ id: 'a', score: 1 }, { id: 'b' }, { id: 'c', score: 3 }];
  const ids = judgeRanking(retrieved, new Map(), trec).documents.map(({ id }) => id);
  expect(ids).toEqual(['a', 'b', 'c']);
});

test('rejects a document that is retrieved twice', () => {
  expect(() => judgeRanking([{ id: 'a' }, { id: 'a' }], new Map(), trec)).toThrow(RangeError);
});

const idArbitrary = fc.constantFrom(...'abcdefghijkl'.split(''));
const rankingArbitrary = fc
  .record({
    retrieved: fc.uniqueArray(fc.record({ id: idArbitrary, score: fc.nat(3) }), { selector: ({ id }) => id }),
    judgments: fc.dictionary(idArbitrary, fc.integer({ min: -1, max: 4 })),
  })
  .map(({ retrieved, judgments }) => ({ retrieved, judgments: new Map(Object.entries(judgments)) }));
const kArbitrary = fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined });

const cutMeasures = [
  measures.precisionAt,
  measures.recallAt,
  measures.f1At,
  measures.hitRateAt,
  measures.reciprocalRankAt,
  measures.averagePrecisionAt,
  measures.binaryPreferenceOf,
  (ranking: JudgedRanking, k?: number) => measures.rankBiasedPrecisionAt(ranking, { p: 0.9, k }),
  measures.judgedAt,
  (ranking: JudgedRanking, k?: number) => measures.ndcgAt(ranking, { k }),
  (ranking: JudgedRanking, k?: number) => measures.ndcgAt(ranking, { k, gain: 'exponential' }),
];

test('every value is in [0, 1], or null exactly when no document is relevant', () => {
  fc.assert(
    fc.property(rankingArbitrary, kArbitrary, ({ retrieved, judgments }, k) => {
      const ranking = judgeRanking(retrieved, judgments, trec);
      for (const cutMeasure of cutMeasures) {
        const value = cutMeasure(ranking, k);
        const isUndefined =
          cutMeasure === measures.judgedAt ? retrieved.length === 0 : ranking.relevantIds.length === 0;
        expect(value === null).toBe(isUndefined);
        expect(value ?? 0).toBeGreaterThanOrEqual(0);
        expect(value ?? 0).toBeLessThanOrEqual(1 + 1e-12);
      }
    }),
  );
});

test('the order of the scored documents in the input does not matter', () => {
  fc.assert(
    fc.property(rankingArbitrary, kArbitrary, ({ retrieved, judgments }, k) => {
      const ranking = judgeRanking(retrieved, judgments, trec);
      const turned = judgeRanking(retrieved.toReversed(), judgments, trec);
      for (const cutMeasure of cutMeasures) expect(cutMeasure(turned, k)).toBe(cutMeasure(ranking, k));
    }),
  );
});

test('the ideal ranking has an NDCG, average precision and R-precision of 1', () => {
  fc.assert(
    fc.property(rankingArbitrary, kArbitrary, ({ judgments }, k) => {
      const ideal = [...judgments].map(([id, score]) => ({ id, score }));
      const ranking = judgeRanking(ideal, judgments, trec);
      fc.pre(ranking.relevantIds.length > 0);
      expect(measures.ndcgAt(ranking, { k })).toBeCloseTo(1, 12);
      expect(measures.averagePrecisionAt(ranking)).toBeCloseTo(1, 12);
      expect(measures.rPrecisionOf(ranking)).toBe(1);
    }),
  );
});
