import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';
import { translateProject } from '../../../library/api/import-project.ts';

const root = (parts: object = {}) => ({
  id: 'a',
  span_id: 'a',
  root_span_id: 'a',
  is_root: true,
  experiment_id: 'x1',
  input: { question: 'How much?' },
  output: 'It costs 49.',
  expected: '49',
  error: null,
  scores: { Factuality: 1 },
  metrics: { start: 10, end: 11.25, prompt_tokens: 5, completion_tokens: 2, estimated_cost: 0.01 },
  span_attributes: { name: 'eval', type: 'eval' },
  ...parts,
});

const span = (type: string, name: string, parts: object = {}) => ({
  ...root({ is_root: false, scores: null, metrics: {}, output: null, ...parts }),
  id: `${name}-${type}`,
  span_id: `${name}-${type}`,
  span_attributes: { type, name },
});

test('a root is a trial; spans of scorers give reasons and failures, other spans calls and usage', async () => {
  const project = await importFiles({
    'experiment.json': [
      root({ scores: { Factuality: 0.6, Broken: null }, metrics: { start: 1, end: 2.5 } }),
      span('score', 'Factuality', {
        scores: { Factuality: 0.6 },
        metadata: { rationale: 'Nearly.', choice: 'C' },
      }),
      span('score', 'Broken', { error: 'ValueError: no answer' }),
      span('tool', 'price', { input: { item: 'lamp' }, output: '49' }),
      span('llm', 'model', { metrics: { prompt_tokens: 7, completion_tokens: 3 } }),
      span('function', 'other'),
    ],
  });
  expect(project.record.found).toBe('an experiment with 1 attempt, 5 spans below them, 2 of scorers');
  const [row] = linesOf(project, 'answers.jsonl');
  expect(row).toMatchObject({
    answer: 'It costs 49.',
    recordedTarget: 'x1',
    latencyMs: 1500,
    usage: { inputTokens: 7, outputTokens: 3 },
    verdicts: {
      Factuality: { value: 0.6, explanation: 'Nearly.', evidence: { choice: 'C' } },
      Broken: { status: 'failed', code: 'scorer-error' },
    },
  });
  expect(row?.transcript.at(-1)?.toolCalls).toEqual([
    { name: 'price', arguments: { item: 'lamp' }, result: '49' },
  ]);
  expect(project.files['todo.md']).toContain('span function (1)');
});

test('the usage and the calls of a judge are not those of the target; the interface has the rows as events', async () => {
  const judge = { span_parents: ['Factuality-score'], metrics: { prompt_tokens: 90, completion_tokens: 9 } };
  const project = await importFiles({
    'experiment.json': {
      events: [
        root({ metrics: {} }),
        span('llm', 'judge', judge),
        span('tool', 'search', { span_parents: ['judge-llm'] }),
        span('score', 'Factuality', { span_parents: ['a'] }),
        span('llm', 'model', { span_parents: ['a'], metrics: { prompt_tokens: 7, completion_tokens: 3 } }),
      ],
    },
  });
  const [row] = linesOf(project, 'answers.jsonl');
  expect(row).toMatchObject({ usage: { inputTokens: 7, outputTokens: 3 } });
  expect(row?.transcript.at(-1)).not.toHaveProperty('toolCalls');
  expect(project.files['todo.md']).toContain('span llm of a scorer (1)');
});

test('trials of one input are attempts, and an error has no verdicts', async () => {
  const project = await importFiles({
    'e.json': [root(), root({ id: 'b', span_id: 'b', root_span_id: 'b', error: { message: 'down' } })],
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { input: 'How much?', expected: { answer: '49' } },
  ]);
  const rows = linesOf(project, 'answers.jsonl');
  expect(rows).toMatchObject([{ attempt: 1 }, { attempt: 2, error: 'down' }]);
  expect(rows[1]).not.toHaveProperty('verdicts');
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/braintrust');

test.skipIf(!existsSync(data))(
  'exports of Braintrust have the trials, scorers and errors that their facts count (needs ../shared/data)',
  async () => {
    const { experiment, ...facts } = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    const items = await translateProject(path.join(data, 'dataset.jsonl'));
    expect(linesOf(items, 'golden.jsonl')).toHaveLength(facts['dataset.jsonl'].rows);
    for (const name of ['experiment.jsonl', '.']) {
      const project = await translateProject(path.join(data, name));
      const rows = linesOf(project, 'answers.jsonl');
      const verdicts = rows.flatMap((row) => Object.values(row.verdicts ?? {}));
      expect(project.record.found).toContain(
        `${experiment.rows - experiment['cases (is_root)']} spans below them, ${experiment['score spans']} of scorers`,
      );
      expect(rows).toHaveLength(experiment['cases (is_root)']);
      expect(rows.filter(({ error }) => error !== undefined)).toHaveLength(experiment['task errors']);
      expect(verdicts).toHaveLength(experiment['score spans']);
      expect(verdicts.filter(({ status }) => status === 'failed')).toHaveLength(
        experiment['scorers that failed'],
      );
      expect(linesOf(project, 'golden.jsonl')).toHaveLength(3);
    }
    const table = linesOf(await translateProject(path.join(data, 'experiment.csv')), 'answers.jsonl');
    expect(table).toHaveLength(facts['experiment.csv'].rows);
    expect(table.map(({ verdicts }) => verdicts?.Factuality?.value)).toEqual([1, 0.4, undefined]);
  },
);
