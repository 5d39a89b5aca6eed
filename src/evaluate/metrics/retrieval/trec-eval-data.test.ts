import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as measures from './measures.ts';
import { type JudgedRanking, judgeRanking } from './measures.ts';

/** Real runs with the output of trec_eval; not part of the repository. */
const folder = '../shared/data/retrieval';

interface Data {
  readonly flags: string[];
  readonly qrels: Record<string, Record<string, number>>;
  readonly run: Record<string, Record<string, number>>;
  readonly expected_precise: {
    readonly per_query: Record<string, Record<string, number>>;
    readonly all: Record<string, number>;
  };
}

type AtCutoff = (ranking: JudgedRanking, k?: number) => number | null;

const plain: Record<string, AtCutoff> = {
  set_P: measures.precisionAt,
  set_recall: measures.recallAt,
  set_F: measures.f1At,
  recip_rank: measures.reciprocalRankAt,
  map: measures.averagePrecisionAt,
  Rprec: measures.rPrecisionOf,
  ndcg: (ranking) => measures.ndcgAt(ranking),
};
const cut: Record<string, AtCutoff> = {
  P: measures.precisionAt,
  recall: measures.recallAt,
  map_cut: measures.averagePrecisionAt,
  success: measures.hitRateAt,
  ndcg_cut: (ranking, k) => measures.ndcgAt(ranking, { k }),
};

function measureOf(name: string): ((ranking: JudgedRanking) => number | null) | undefined {
  const [, base = '', k] = /^(.+)_(\d+)$/.exec(name) ?? [];
  const atCutoff = cut[base];
  return atCutoff === undefined ? plain[name] : (ranking) => atCutoff(ranking, Number(k));
}

const isThere = existsSync(folder);
const files = isThere ? globSync('*.json', { cwd: folder }) : ['(data absent)'];

test.skipIf(!isThere).each(files)(
  '%s: every query and every mean is that of trec_eval (needs ../shared/data)',
  (file) => {
    const { flags, qrels, run, expected_precise }: Data = JSON.parse(
      readFileSync(path.join(folder, file), 'utf8'),
    );
    const unjudged = flags.includes('-J') ? 'left-out' : 'non-relevant';
    const queries = Object.keys(qrels).filter((query) => flags.includes('-c') || query in run);
    const rankings = queries.map((query) => {
      const retrieved = Object.entries(run[query] ?? {}).map(([id, score]) => ({ id, score }));
      const judgments = new Map(Object.entries(qrels[query] ?? {}));
      return judgeRanking(retrieved, judgments, { order: 'trec', unjudged });
    });
    let compared = 0;
    for (const name of Object.keys(expected_precise.all)) {
      const measure = measureOf(name);
      if (measure === undefined) continue;
      const values = rankings.map((ranking) => measure(ranking));
      for (const [index, query] of queries.entries()) {
        const expected = expected_precise.per_query[query]?.[name];
        if (expected === undefined) continue;
        expect.soft(values[index] ?? 0, `${query} ${name}`).toBeCloseTo(expected, 9);
        compared += 1;
      }
      // The mean of trec_eval counts a query without a relevant document as 0; the means of a run leave it out.
      const mean = values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / queries.length;
      expect.soft(mean, `mean ${name}`).toBeCloseTo(expected_precise.all[name] ?? -1, 9);
    }
    expect(compared).toBeGreaterThan(40);
  },
);
