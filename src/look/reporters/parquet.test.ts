import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import { expect, test } from 'vitest';
import { sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { parquet } from './parquet.ts';

type Trials = Parameters<typeof sampleInput>[0];

async function fileOf(trials: Trials): Promise<ArrayBuffer> {
  const pieces = await Array.fromAsync(parquet.report(sampleInput(trials), sampleView()));
  return new Uint8Array(Buffer.concat(pieces)).buffer;
}

test('a reader gets back what was asked, answered and measured, with null for what was not', async () => {
  const hostile = '=HYPERLINK("http://x"), "quoted"\r\n\u0000 ünicode 東京 🪨';
  const file = await fileOf([
    { id: 'a', question: 'Which?', answer: hostile, found: ['x'], missing: ['y'] },
    { id: 'b', answer: 'x'.repeat(100_000) },
    { id: 'c', error: { code: 'timeout', message: 'no answer within 30 s' } },
  ]);
  const rows = await parquetReadObjects({ file });
  expect(rows).toMatchObject([
    {
      case: 'a',
      target: 'assistant',
      attempt: 1n,
      question: 'Which?',
      answer: hostile,
      keywords: 0.5,
      latency_ms: 800,
    },
    { case: 'b', result: 'passed', passed: true },
    { case: 'c', result: 'error', status: 'failed', score: null, keywords: null, error: 'timeout' },
  ]);
  expect(rows[1]?.['answer']).toHaveLength(100_000);
  expect(rows[0]?.['score']).toBeCloseTo(0.8);
  expect(rows[0]?.['keywords explanation']).toBe('1 of 2 found');
});

test('columns are typed and nullable, one for each metric', async () => {
  const { children } = parquetSchema(parquetMetadata(await fileOf([{ id: 'a' }])));
  const types = children.map(({ element }) => [element.name, element.type, element.repetition_type]);
  expect(types).toEqual(
    expect.arrayContaining([
      ['case', 'BYTE_ARRAY', 'OPTIONAL'],
      ['attempt', 'INT64', 'OPTIONAL'],
      ['passed', 'BOOLEAN', 'OPTIONAL'],
      ['tool-usage', 'DOUBLE', 'OPTIONAL'],
      ['latency_ms', 'DOUBLE', 'OPTIONAL'],
    ]),
  );
});

test('long results are written in row groups, and no row is lost', async () => {
  const trials = Array.from({ length: 40 }, (_, index) => ({
    id: `c${index}`,
    answer: `${index}`.repeat(500_000),
  }));
  const file = await fileOf(trials);
  const { row_groups: groups, num_rows: count } = parquetMetadata(file);
  expect(groups.length).toBeGreaterThan(1);
  expect(count).toBe(40n);
  const rows = await parquetReadObjects({ file, columns: ['case'] });
  expect(rows.map((row) => row['case'])).toEqual(trials.map(({ id }) => id));
});

test('a run without answers is a table without rows', async () => {
  expect(await parquetReadObjects({ file: await fileOf([]) })).toEqual([]);
});
