import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';
import { translateProject } from '../../../library/api/import-project.ts';

const call = (parts: object = {}) => ({
  id: 'c1',
  op_name: 'weave:///team/open/op/Evaluation.predict_and_score:abc',
  trace_id: 't',
  exception: null,
  attributes: { weave: { client_version: '0.52.0' } },
  inputs: {
    model: 'weave:///team/open/object/ShopBot:y',
    example: { question: 'How much?', expected: '49', level: 1 },
  },
  output: {
    output: { answer: 'It costs 49.' },
    scores: { polite: { score: 0.5, reason: 'Curt.' } },
    model_latency: 1.25,
  },
  summary: {
    usage: { a: { prompt_tokens: 5, completion_tokens: 2 }, b: { input_tokens: 1, output_tokens: 1 } },
  },
  ...parts,
});

test('a table of calls has columns for their members', async () => {
  const header = [
    'id,op_name,trace_id,exception,inputs.model,inputs.example.question,inputs.example.expected',
    'output.output,output.scores.polite.score,output.scores.exact,output.model_latency',
  ].join(',');
  const named = 'weave:///t/o/op/Evaluation.predict_and_score:a,t,,weave:///t/o/object/ShopBot:y';
  const project = await importFiles({
    'calls.csv': `${header}\nc1,${named},How much?,49,It costs 49.,0.5,true,1.25\nc2,${named},Who?,Me,I.,,,2\n`,
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([{ input: 'How much?' }, { input: 'Who?' }]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    {
      recordedTarget: 'ShopBot',
      answer: 'It costs 49.',
      latencyMs: 1250,
      verdicts: { polite: { value: 0.5 }, exact: { value: 1, passed: true } },
    },
    { answer: 'I.' },
  ]);
});

test('a call that predicts and scores is a trial, and other calls are named', async () => {
  const scores = { exact: true, broken: null, parts: { a: 1, b: false } };
  const project = await importFiles({
    'calls.json': [
      call(),
      call({ id: 'c2', output: { output: 'second', scores } }),
      call({ id: 'c3', op_name: 'weave:///team/open/op/Model.predict:z' }),
    ],
  });
  expect(project.record).toMatchObject({ found: '3 calls, 2 of them attempts', tool: { version: '0.52.0' } });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { input: 'How much?', expected: { answer: '49' }, metadata: { level: 1 } },
  ]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    {
      attempt: 1,
      recordedTarget: 'ShopBot',
      answer: 'It costs 49.',
      latencyMs: 1250,
      usage: { inputTokens: 6, outputTokens: 3 },
      verdicts: { polite: { value: 0.5, explanation: 'Curt.' } },
    },
    {
      attempt: 2,
      verdicts: {
        exact: { value: 1, passed: true },
        broken: { status: 'failed', code: 'not-scored' },
        'parts.a': { value: 1 },
        'parts.b': { value: 0, passed: false },
      },
    },
  ]);
  expect(project.files['todo.md']).toContain('call Model.predict (1)');
});

test('a table with the columns that were shown is read, without ids; an example that is only named says so', async () => {
  const name = 'weave:///a/p/op/Evaluation.predict_and_score:b';
  const table = [
    'op_name,inputs.example,inputs.model,output.output,output.scores.exact.correct',
    `${name},weave:///a/p/object/Dataset:x/attr/rows/id/1,weave:///a/p/object/Bot:y,It costs 49.,true`,
    `${name},weave:///a/p/object/Dataset:x/attr/rows/id/2,weave:///a/p/object/Bot:y,Yes.,false`,
  ].join('\n');
  const project = await importFiles({ 'weave_export.csv': table });
  expect(linesOf(project, 'golden.jsonl').map(({ input }) => input)).toEqual([
    '(the question was not recorded)',
    '(the question was not recorded)',
  ]);
  expect(
    linesOf(project, 'answers.jsonl').map(({ answer, verdicts }) => [answer, verdicts?.['exact']?.value]),
  ).toEqual([
    ['It costs 49.', 1],
    ['Yes.', 0],
  ]);
  expect(project.files['todo.md']).toContain('expand the column inputs.example');
});

test('calls without an evaluation are refused with what to export', async () => {
  await expect(importFiles({ 'c.json': [call({ op_name: 'weave:///a/op/chat:b' })] })).rejects.toThrow(
    '1 call, 0 of them attempts, but none that evaluates an answer',
  );
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/weave');

test.skipIf(!existsSync(data))(
  'calls of Weave have the trials, the score that is missing and the error that are in them (needs ../shared/data)',
  async () => {
    const facts = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    const rows = linesOf(await translateProject(path.join(data, 'calls.jsonl')), 'answers.jsonl');
    expect(rows).toHaveLength(facts['calls.jsonl'].rows);
    expect(rows.map(({ error }) => error)).toEqual([undefined, undefined, 'RuntimeError: upstream is down']);
    expect(rows.map(({ verdicts }) => verdicts?.Factuality?.value)).toEqual([1, 0.4, undefined]);
    expect(rows.map(({ verdicts }) => verdicts?.Levenshtein?.status)).toEqual([
      'scored',
      'failed',
      undefined,
    ]);
  },
);
