import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf, type RecordedVerdict } from '../../../../../test/support/import-files.ts';
import { translateProject } from '../../../../library/api/import-project.ts';

interface Line {
  readonly caseId?: string;
  readonly recordedTarget?: string;
  readonly answer?: string;
  readonly error?: string;
  readonly verdicts?: Readonly<Record<string, RecordedVerdict>>;
  readonly expected?: { readonly checks?: readonly object[] };
}

const csv = (...rows: string[][]) =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');

test('a table of promptfoo has the answers, scores and metrics of each prompt, and says what it does not have', async () => {
  const details = ['Status', 'Score', 'Named Scores', 'Metric: Tone', 'Grader Reason', 'Comment'];
  const project = await importFiles({
    'results.csv': csv(
      ['Description', 'question', '[bot] plain', ...details, '[bot] kind', ...details],
      'a|Cost?|49|PASS|0.87|{"Tone":0.5}|0.50|fine|||ERROR|0.00||||'.split('|'),
      'b|Why?|So.|FAIL|0.00|||Could not extract JSON from llm-rubric response||So.|PASS|1.00|||No assertions|wrong!'.split(
        '|',
      ),
    ),
  });
  const rows = linesOf<Line>(project, 'answers.jsonl');
  expect(rows.map(({ caseId, recordedTarget, answer }) => [caseId, recordedTarget, answer])).toEqual([
    ['a', 'bot · plain', '49'],
    ['a', 'bot · kind', undefined],
    ['b', 'bot · plain', 'So.'],
    ['b', 'bot · kind', 'So.'],
  ]);
  expect(rows[0]?.verdicts).toMatchObject({
    promptfoo: { value: 0.87, passed: true, explanation: 'fine' },
    Tone: { value: 0.5 },
  });
  expect(rows[0]?.verdicts?.['Tone']).not.toHaveProperty('passed');
  expect(rows[1]?.error).toBe('an error');
  expect(rows[2]?.verdicts?.['promptfoo']).toMatchObject({ status: 'failed', code: 'judge-unreadable' });
  expect(rows[3]?.verdicts?.['promptfoo']).toMatchObject({ status: 'not-applicable' });
  const left = project.record.ledger.filter(({ fate }) => fate === 'left-out');
  expect(left.map(({ part }) => part)).toEqual(['assertions, costs and times', 'comment of a person']);
});

test('the tables of older versions have all of a result in one cell', async () => {
  const head = JSON.stringify({ raw: 'Say {{q}}', display: 'Say {{q}}', provider: 'bot' });
  const project = await importFiles({
    'results.csv': csv(
      ['q', head, '[bot] other'],
      ['hi', '[PASS] (1.00)\n\nHello\n\nPass Reason: All', '[ERROR] (0.00)\n\nupstream 500'],
      ['ho', '[FAIL] (0.25)\n\nwrong\n---\nHm\n\nReason: wrong', '[FAIL] (0.00)\n\nupstream 500\n---'],
    ),
  });
  expect(linesOf<Line>(project, 'answers.jsonl')).toMatchObject([
    { answer: 'Hello', verdicts: { promptfoo: { value: 1, passed: true, explanation: 'All' } } },
    { error: 'upstream 500' },
    { answer: 'Hm', verdicts: { promptfoo: { value: 0.25, passed: false, explanation: 'wrong' } } },
    { error: 'upstream 500' },
  ]);
});

test('a table of another kind is none of promptfoo', async () => {
  await expect(importFiles({ 'results.csv': 'question,Status,Score\na,PASS,1\n' })).rejects.toThrow(
    'this is no file',
  );
});

test('results of version 2 find their tests in the table beside them', async () => {
  const prompt = (q: string) => ({ raw: `Say ${q}`, display: 'Say {{q}}' });
  const result = (q: string) => ({
    provider: { id: 'bot' },
    prompt: prompt(q),
    vars: { q },
    response: { output: q },
    success: true,
    score: 1,
    gradingResult: {
      pass: true,
      score: 1,
      componentResults: [{ pass: true, score: 1, assertion: { type: 'contains' } }],
    },
  });
  const testOf = (q: string) => ({ test: { vars: { q }, assert: [{ type: 'contains', value: q }] } });
  const value = {
    results: {
      version: 2,
      results: [result('a'), result('b')],
      table: { head: { prompts: [prompt('{{q}}')], vars: ['q'] }, body: [testOf('a'), testOf('b')] },
    },
    config: {},
  };
  for (const name of ['results.json', 'results.yaml']) {
    const project = await importFiles({ [name]: JSON.stringify(value) });
    expect(project.record.found).toContain('version 2, 2 results of 2 questions × 1 target × 1 attempt');
    expect(linesOf<Line>(project, 'golden.jsonl')[1]?.expected?.checks).toMatchObject([
      { use: 'contains', value: 'b' },
    ]);
  }
});

const shop = path.resolve(import.meta.dirname, '../../../../../../shared/data/interop/promptfoo/shop');

test.skipIf(!existsSync(shop))(
  'a table that promptfoo wrote has the results and errors of its JSON (needs ../shared/data)',
  async () => {
    const facts = JSON.parse(readFileSync(path.join(shop, '../facts.json'), 'utf8')).shop;
    const project = await translateProject(path.join(shop, 'results.csv'));
    const rows = linesOf<Line>(project, 'answers.jsonl');
    const failed = rows.filter(({ error }) => error !== undefined);
    const statusOf = (status: string) =>
      rows.filter(({ verdicts }) => verdicts?.['promptfoo']?.status === status).length;
    expect(rows).toHaveLength(facts.results);
    expect(failed).toHaveLength(facts['failureReason 0 none / 1 assertion / 2 error'][2]);
    expect(statusOf('failed')).toBe(facts['grader errors (not measured)']);
    expect(statusOf('not-applicable')).toBe(facts['results without any assertion']);
  },
);
