import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { translateProject } from '../../../library/api/import-project.ts';
import { importFiles, linesOf, type RecordedVerdict } from '../../../../test/support/import-files.ts';
import type { ImportedProject } from '../importer.ts';

const trace = (parts: object = {}) => ({
  id: 't1',
  timestamp: '2026-11-10T10:00:00.000Z',
  name: 'bot',
  input: { question: 'How much?' },
  output: '49 dollars',
  release: null,
  public: false,
  ...parts,
});

const score = (parts: object = {}) => ({
  id: 's1',
  traceId: 't1',
  name: 'helpful',
  dataType: 'NUMERIC',
  source: 'EVAL',
  value: 0.9,
  stringValue: null,
  ...parts,
});

const item = (parts: object = {}) => ({
  id: 'i1',
  datasetName: 'shop',
  status: 'ACTIVE',
  input: { question: 'How much?' },
  expectedOutput: { answer: '49 dollars' },
  metadata: { category: 'prices' },
  ...parts,
});

const firstVerdicts = async (...scores: object[]) =>
  linesOf(await importFiles({ 't.json': [trace({ scores })] }), 'answers.jsonl')[0]?.verdicts;

test('only what Langfuse exports is recognised', async () => {
  await expect(importFiles({ 'a.json': [{ id: 1, input: 'a', output: 'b' }] })).rejects.toThrow(/Langfuse/);
  await expect(importFiles({ 'b.csv': 'question,expected_output\na,b\n' })).rejects.toThrow(
    'this is no file',
  );
});

test('an item is a case: its question is found in its input, and its answer in the expected output', async () => {
  const messages = [
    { role: 'user', content: 'Who?' },
    { role: 'assistant', content: 'Me.' },
  ];
  const project = await importFiles({
    'items.json': {
      data: [
        item(),
        item({ id: 'i2', input: { messages }, expectedOutput: null, metadata: null }),
        item({ id: 'i3', input: 'Hi?', expectedOutput: 'Hello.', metadata: 'x' }),
        item({ id: 'i4', status: 'ARCHIVED' }),
      ],
      meta: {},
    },
  });
  expect(project.record.found).toBe('4 dataset items');
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { id: 'i1', input: 'How much?', expected: { answer: '49 dollars' }, category: 'prices' },
    { id: 'i2', input: [{ role: 'user', content: 'Who?' }] },
    { id: 'i3', input: 'Hi?', expected: { answer: 'Hello.' } },
  ]);
  expect(project.files['todo.md']).toContain('## archived dataset item (1)');
  expect(project.files).not.toHaveProperty('answers.jsonl');
});

test('cells of a table that are JSON are read as such, also where an older export encoded them twice', async () => {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const twice = JSON.stringify(JSON.stringify({ question: 'How much?' }));
  const header = 'id,datasetName,status,input,expectedOutput,metadata';
  const project = await importFiles({
    'items.csv': `${header}\ni1,shop,ACTIVE,${quote('{"question":"Who?"}')},"",""\ni2,shop,ACTIVE,${quote(twice)},=1+1,""\n`,
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { input: 'Who?' },
    { input: 'How much?', expected: { answer: '=1+1' } },
  ]);
});

test('a person’s score stands apart, several of one name are a mean, and what has no number is not measured', async () => {
  const verdicts = await firstVerdicts(
    score({ comment: 'Names the price.' }),
    score({ id: 's2', value: 0.5 }),
    score({ id: 's3', source: 'ANNOTATION', value: 0.1, authorUserId: 'ana' }),
    score({ id: 's4', name: 'tone', dataType: 'CATEGORICAL', value: null, stringValue: 'polite' }),
    score({ id: 's5', name: 'liked', dataType: 'BOOLEAN', value: 0, stringValue: 'False' }),
    score({ id: 's6', name: 'broken', value: null }),
    score({ id: 's7', name: 'note', dataType: 'TEXT', value: null, stringValue: 'Fine' }),
  );
  expect(verdicts).toMatchObject({
    helpful: {
      status: 'scored',
      value: 0.7,
      explanation: 'Names the price.',
      evidence: { values: [0.9, 0.5] },
    },
    'helpful (person)': { status: 'scored', value: 0.1, evidence: { by: 'person', author: 'ana' } },
    liked: { status: 'scored', value: 0, passed: false },
    broken: { status: 'failed', code: 'not-scored' },
  });
  expect(verdicts).not.toHaveProperty('note');
  expect(verdicts).not.toHaveProperty('tone');
});

test('a category is kept: beside its number, and without one as a recorded value that a check can read', async () => {
  const category = (parts: object) => score({ dataType: 'CATEGORICAL', ...parts });
  const project = await importFiles({
    't.json': [
      trace({
        scores: [
          category({ id: 's1', name: 'tone', value: null, stringValue: 'polite' }),
          category({ id: 's2', name: 'size', value: 3, stringValue: 'large' }),
        ],
      }),
    ],
  });
  expect(linesOf(project, 'answers.jsonl')[0]).toMatchObject({
    verdicts: { size: { value: 3, unit: 'score', label: 'large' } },
    labels: { tone: 'polite' },
  });
  expect(project.files['touchstone.config.yaml']).toMatch(/recorded:\s+- verdicts\s+- labels\s+- source/);
  expect(project.record.ledger).toContainEqual(
    expect.objectContaining({ part: 'label tone', became: 'recorded value labels.tone' }),
  );
});

test('a trace without an output and with an error failed; it has no verdicts, and no terminal code is kept', async () => {
  const observations = [
    { id: 'o1', traceId: 't1', type: 'GENERATION', level: 'ERROR', statusMessage: '\u001b[31m429\u001b[0m' },
  ];
  const project = await importFiles({ 't.json': [trace({ output: null, observations, scores: [score()] })] });
  const [row] = linesOf(project, 'answers.jsonl');
  expect(row).toMatchObject({ error: '429' });
  expect(row).not.toHaveProperty('verdicts');
  const survived = await importFiles({ 't.json': [trace({ observations })] });
  expect(linesOf(survived, 'answers.jsonl')[0]).toMatchObject({ answer: '49 dollars' });
});

test('tools, retrievers and generations give calls, documents and usage, in the order of time', async () => {
  const observation = (type: string, parts: object) => ({ traceId: 't1', type, name: type, ...parts });
  const observations = [
    observation('TOOL', { id: 'b', startTime: '2', name: 'second', input: '{"a":1}', output: 'x' }),
    observation('TOOL', { id: 'a', startTime: '1', name: 'first', level: 'ERROR', statusMessage: 'down' }),
    observation('RETRIEVER', {
      id: 'c',
      startTime: '1',
      output: [{ id: 'd1', pageContent: 'Lamps cost 49.' }],
    }),
    observation('GENERATION', { id: 'd', startTime: '3', usageDetails: { input: 5, output: 2 } }),
    observation('GENERATION', { id: 'e', startTime: '4', usageDetails: { input: 7, output: 1 } }),
    observation('SPAN', { id: 'f', startTime: '0' }),
  ];
  const project = await importFiles({ 't.json': [trace({ observations, latency: 1.5 })] });
  const [row] = linesOf(project, 'answers.jsonl');
  expect(row?.transcript.at(-1)?.toolCalls).toEqual([
    { name: 'first', error: 'down' },
    { name: 'second', arguments: { a: 1 }, result: 'x' },
  ]);
  expect(row).toMatchObject({
    documents: [{ id: 'd1', text: 'Lamps cost 49.' }],
    usage: { inputTokens: 12, outputTokens: 3 },
    latencyMs: 1500,
  });
  expect(project.files['todo.md']).toContain('observation SPAN (1)');
});

test('a folder joins traces and items by the items of a run; its rows of blob storage have other names', async () => {
  const project = await importFiles({
    'items.jsonl': JSON.stringify(item()),
    'runs.json': [{ id: 'r', datasetItemId: 'i1', traceId: 't1', datasetRunName: 'v2' }],
    'traces/1.jsonl': `${JSON.stringify({ ...trace(), project_id: 'p', session_id: null })}\n`,
    'scores/1.csv':
      'id,timestamp,trace_id,name,value,source,data_type,string_value\ns1,x,t1,helpful,0.4,EVAL,NUMERIC,\n',
    'observations/1.jsonl': JSON.stringify({
      id: 'o',
      trace_id: 't1',
      type: 'TOOL',
      name: 'price',
      start_time: 'x',
      parent_observation_id: 'p',
    }),
  });
  expect(project.record.found).toBe(
    '1 dataset item, 1 trace, 1 observation, 1 score, 1 item of a dataset run',
  );
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([{ id: 'i1', expected: { answer: '49 dollars' } }]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    {
      caseId: 'i1',
      recordedTarget: 'v2',
      verdicts: { helpful: { value: 0.4 } },
      transcript: [{}, { toolCalls: [{ name: 'price' }] }],
    },
  ]);
});

test('scores without their traces are kept, with a case that says that its question was not recorded', async () => {
  const about = { traceId: undefined, subject: { kind: 'trace', id: 't9' } };
  const project = await importFiles({
    's.json': { data: [score(about), score({ id: 's2', traceId: null, sessionId: 's' })] },
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { id: 't9', input: '(the question was not recorded)' },
  ]);
  expect(linesOf(project, 'answers.jsonl')[0]?.verdicts).toMatchObject({ helpful: { value: 0.9 } });
  expect(project.files['todo.md']).toContain('score helpful of a session or of a whole run (1)');
});

test('items of runs alone have nothing to import, which is said', async () => {
  const runItems = [{ id: 'r', datasetItemId: 'i1', traceId: 't1' }];
  await expect(importFiles({ 'r.json': runItems })).rejects.toThrow('1 item of a dataset run, but neither');
});

test('hostile names and texts stay texts', async () => {
  const input = '{"question": "=cmd()", "__proto__": {"polluted": 1}, "constructor": "x"}';
  const rows = `[{"id":"t1","timestamp":"x","input":${input},"output":"\\u001b[2J<script>","bookmarked":false,"__proto__":[0.5]}]`;
  const project = await importFiles({ 't.json': rows });
  expect(linesOf(project, 'golden.jsonl')[0]?.input).toBe('=cmd()');
  expect({}).not.toHaveProperty('polluted');
  expect(linesOf(project, 'answers.jsonl')[0]?.answer).toContain('<script>');
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/langfuse');

test.skipIf(!existsSync(data))(
  'exports of Langfuse have the items, traces and scores that their facts count (needs ../shared/data)',
  async () => {
    const { scores, ...facts } = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    const nouns: Readonly<Record<string, string>> = {
      dataset_items: 'dataset item',
      'dataset-items': 'dataset item',
      scores: 'score',
    };
    for (const [name, fact] of Object.entries<{ rows?: number; items?: number; data?: number }>(facts)) {
      const number = fact.rows ?? fact.items ?? fact.data;
      const kind = path.basename(name).split('.')[0] ?? '';
      if (kind === 'dataset_run_items') {
        await expect(translateProject(path.join(data, name))).rejects.toThrow(
          `${number} items of dataset runs`,
        );
        continue;
      }
      const { record } = await translateProject(path.join(data, name));
      expect(record.found).toMatch(new RegExp(`\\b${number} ${nouns[kind] ?? 'trace'}s`));
    }
    for (const file of [
      'api/traces-full.json',
      'ui-export/scores.csv',
      'ui-export/scores.json',
      'blob-storage/scores.jsonl',
      '.',
    ]) {
      expect(countScores(await translateProject(path.join(data, file)))).toEqual(scores);
    }
    const columns = await translateProject(path.join(data, 'ui-export/traces.csv'));
    expect(linesOf(columns, 'answers.jsonl').map(({ verdicts }) => verdicts?.helpfulness?.value)).toEqual([
      0.8,
      0.4,
      undefined,
    ]);
  },
);

/** Counts the recorded scores by what they say of themselves. */
function countScores(project: ImportedProject) {
  const verdicts = linesOf(project, 'answers.jsonl').flatMap((row) => Object.values(row.verdicts ?? {}));
  const typeOf = ({ unit, passed }: RecordedVerdict) =>
    unit !== undefined ? 'CATEGORICAL' : passed === undefined ? 'NUMERIC' : 'BOOLEAN';
  const countBy = (name: (verdict: RecordedVerdict) => string | undefined) =>
    Object.fromEntries([...Map.groupBy(verdicts, name)].map(([key, group]) => [key, group.length]));
  return {
    count: verdicts.length,
    'by type': countBy(typeOf),
    'by source': countBy(({ evidence }) => evidence?.source),
  };
}
