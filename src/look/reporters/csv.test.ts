import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { csv } from './csv.ts';

async function rowsOf(trials: Parameters<typeof sampleInput>[0]) {
  const text = await readPieces(csv.report(sampleInput(trials), sampleView()));
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
  return { text, rows };
}

test('each trial is a row with its answer, every metric, score, grade, error and time; unmeasured cells are empty', async () => {
  const { text, rows } = await rowsOf([
    { id: 'a', question: 'Which?', answer: 'This, "that"\nand ünicode', found: ['x'], missing: ['y'] },
    { id: 'b', error: { code: 'timeout', message: 'no answer within 30 s' } },
  ]);
  expect(text.startsWith('\ufeffcase,target,attempt,category,question,answer,')).toBe(true);
  expect(rows).toMatchObject([
    {
      case: 'a',
      target: 'assistant',
      question: 'Which?',
      answer: 'This, "that"\nand ünicode',
      keywords: '0.5',
      result: 'passed',
      latency_ms: '800',
      run: 'r-2026-02-11-a1',
    },
    { case: 'b', result: 'error', answer: '', score: '', keywords: '', error: 'timeout' },
  ]);
  expect(Number(rows[0]?.['score'])).toBeCloseTo(0.8);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =HYPERLINK("http://x")', '\r=1', '|cmd', '＝1'])(
  'no spreadsheet reads the answer %j as a formula',
  async (answer) => {
    const { rows } = await rowsOf([{ id: '=cmd', answer }]);
    expect([rows[0]?.['case'], rows[0]?.['answer']]).toEqual(["'=cmd", `'${answer}`]);
  },
);

test('numbers stay numbers, and two columns never have one name', async () => {
  const { text, rows } = await rowsOf([{ id: 'a', answer: 'x', found: ['x'] }]);
  const names = (text.split('\r\n')[0] ?? '').split(',');
  expect(new Set(names).size).toBe(names.length);
  expect(rows[0]).toMatchObject({
    attempt: '1',
    latency_ms: '800',
    status: 'completed',
    expected_answer: '',
  });
});
