import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';
import { writeProject } from '../../../library/api/import-project.ts';
import { run } from '../../../library/api/runs/run.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';

const qrels = '301 0 D1 1\n301 0 D2 0\n302 0 D3 2\n';
const runs = '301 Q0 D2 1 0.9 bm25\n301 Q0 D1 2 0.5 bm25\n302\tQ0\tD3\t1\t7e-1\tbm25\n';

test('judgments are cases, and a run is the answers of a target; a line that is none is named', async () => {
  const project = await importFiles({
    'qrels.txt': qrels,
    'bm25.run': `${runs}302 Q0 D4\n`,
    'topics.tsv': '301\tWhat is bronze?\n',
  });
  expect(project.record.found).toBe('3 judgments of 2 queries, 1 run (bm25)');
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    {
      id: '301',
      input: 'What is bronze?',
      expected: {
        documents: [
          { id: 'D1', relevance: 1 },
          { id: 'D2', relevance: 0 },
        ],
      },
    },
    { id: '302', input: 'query 302' },
  ]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    {
      caseId: '301',
      recordedTarget: 'bm25',
      documents: [
        { id: 'D2', score: 0.9 },
        { id: 'D1', score: 0.5 },
      ],
    },
    { caseId: '302', documents: [{ id: 'D3', score: 0.7 }] },
  ]);
  expect(project.files['todo.md']).toContain('bm25.run:4');
});

test('judgments alone, also as BEIR writes them, are a dataset', async () => {
  const alone = await importFiles({ 'qrels.robust04': qrels });
  expect(linesOf(alone, 'golden.jsonl')).toHaveLength(2);
  expect(alone.files).not.toHaveProperty('answers.jsonl');
  const beir = await importFiles({
    'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\tD1\t1\n',
    'queries.jsonl': '{"_id": "q1", "text": "What is bronze?"}\n',
  });
  expect(linesOf(beir, 'golden.jsonl')).toMatchObject([
    { id: 'q1', input: 'What is bronze?', expected: { documents: [{ id: 'D1', relevance: 1 }] } },
  ]);
});

test('a text of another kind ends in a message', async () => {
  for (const text of ['hello there', '1 2 3 4 5', 'a b c d\n', '301 0 D1 many\n'])
    await expect(importFiles({ 'notes.txt': text })).rejects.toMatchObject({ code: 'import-invalid' });
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/retrieval');

interface Reference {
  readonly name: string;
  readonly qrels: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly run: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly expected_precise: {
    readonly per_query: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

test.skipIf(!existsSync(data))(
  'an imported run has the values that trec_eval printed (needs ../shared/data)',
  async () => {
    const file = path.join(data, 'ties_1dp.json');
    const reference = JSON.parse(readFileSync(file, 'utf8')) as Reference;
    const linesIn = (
      part: Reference['run'],
      write: (query: string, document: string, value: number) => string,
    ): string =>
      Object.entries(part)
        .flatMap(([query, rows]) =>
          Object.entries(rows).map(([document, value]) => write(query, document, value)),
        )
        .join('\n');
    const project = await importFiles({
      'qrels.txt': linesIn(reference.qrels, (...row) => `${row[0]} 0 ${row[1]} ${row[2]}`),
      'bm25.run': linesIn(reference.run, (...row) => `${row[0]} Q0 ${row[1]} 1 ${row[2]} bm25`),
    });
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'trec-'));
    writeProject(project, { to: folder.path });
    const store = createMemoryStore();
    const { run: made } = await run(folder.path, { store });
    let compared = 0;
    for await (const { trial, verdicts } of store.readResults(made.id)) {
      const wanted = reference.expected_precise.per_query[trial.caseId];
      if (wanted === undefined) continue;
      for (const [name, measure] of [
        ['ndcg@10', 'ndcg_cut_10'],
        ['average-precision', 'map'],
        ['reciprocal-rank', 'recip_rank'],
        ['recall@100', 'recall_100'],
      ] as const) {
        const verdict = verdicts[name];
        if (verdict?.status !== 'scored' || wanted[measure] === undefined) continue;
        expect(verdict.value).toBeCloseTo(wanted[measure], 10);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(10);
  },
);

test('comments, files that are none and texts of queries that are used nowhere are named', async () => {
  const project = await importFiles({
    'a.qrels': '# judged by two people\nq1 0 d1 1\r\n\n',
    'b.run': 'broken\n',
    'queries.tsv': 'q1\tWhat?\nq9\tWhy?\n',
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([{ id: 'q1', input: 'What?' }]);
  const left = project.record.ledger.filter(({ fate }) => fate === 'left-out');
  expect(left.map(({ part, places }) => [part, ...places])).toEqual([
    ['comment', 'a.qrels:1'],
    ['file of the folder', 'b.run'],
    ['text of a query', 'q9'],
  ]);
});
