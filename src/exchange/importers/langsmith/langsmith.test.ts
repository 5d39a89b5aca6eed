import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { translateProject, writeProject } from '../../../library/api/import-project.ts';
import { run } from '../../../library/api/runs/run.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';

const example = (parts: object = {}) => ({
  inputs: { question: 'How much?', language: 'en' },
  outputs: { answer: '49 dollars' },
  metadata: { category: 'prices', dataset_split: ['base', 'hard'] },
  ...parts,
});

const root = (parts: object = {}) => ({
  id: 'r1',
  trace_id: 'r1',
  parent_run_id: null,
  run_type: 'chain',
  name: 'Target',
  inputs: { question: 'How much?' },
  outputs: { answer: '49' },
  error: null,
  start_time: '2026-11-23T07:55:00.000Z',
  end_time: '2026-11-23T07:55:00.250Z',
  ...parts,
});

const feedback = (parts: object = {}) => ({ id: 'f1', run_id: 'r1', key: 'polite', score: 1, ...parts });

test('lists and objects in the cells of a table are read as Python writes them, and nothing beside the messages is lost', async () => {
  const project = await importFiles({
    'experiment.csv': [
      'inputs.messages,outputs.messages,outputs.docs,reference.answer,example_id,id',
      `"[{'role': 'user', 'content': 'Hi'}]","[{'role': 'assistant', 'content': ""It's on""}]","['d']",On,e1,r1`,
    ].join('\n'),
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([{ input: [{ role: 'user', content: 'Hi' }] }]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    { answer: "It's on", source: { output: { docs: ['d'] } } },
  ]);
});

test('a table of bare columns is a dataset when LangSmith is named', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'langsmith-'));
  const file = path.join(folder.path, 'dataset.csv');
  writeFileSync(file, 'question,language,answer\nHow much?,en,49 dollars\n');
  const project = await translateProject(file, { from: 'langsmith' });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { input: 'How much?', expected: { answer: '49 dollars' }, metadata: { language: 'en' } },
  ]);
  await expect(translateProject(file)).rejects.toMatchObject({ code: 'import-invalid' });
});

test('runs in Parquet have their inputs as texts, and what JSON lacks is named', async () => {
  const column = (name: string, value: string) => ({ name, data: [value], type: 'STRING' as const });
  const columnData = [
    column('id', 'r1'),
    column('trace_id', 'r1'),
    column('run_type', 'chain'),
    column('inputs', '{"question": "How much?"}'),
    column('outputs', '{"answer": "49"}'),
    { name: 'total_cost', data: [Number.NaN], type: 'DOUBLE' as const },
    { name: 'image', data: [Uint8Array.from([0xff, 0xd8, 0xff])], type: 'BYTE_ARRAY' as const },
  ];
  const file = Buffer.from(parquetWriteBuffer({ columnData }));
  for (const files of [{ 'runs.parquet': file }, { 'runs.parquet': file, 'feedback.json': [feedback()] }]) {
    const project = await importFiles(files);
    expect(linesOf(project, 'golden.jsonl')).toMatchObject([{ input: 'How much?' }]);
    expect(linesOf(project, 'answers.jsonl')).toMatchObject([{ answer: '49' }]);
    for (const part of ['numbers in Parquet that are none', 'bytes in Parquet']) {
      expect(project.record.ledger).toContainEqual(
        expect.objectContaining({ fate: 'approximated', part, count: 1, places: [expect.any(String)] }),
      );
    }
  }
});

test('an example is a case, its splits are tags, and what else was put in is metadata', async () => {
  const project = await importFiles({
    'd.jsonl': `${JSON.stringify(example())}\n${JSON.stringify(example({ metadata: null, outputs: null, inputs: { question: 'Who?' } }))}\n`,
  });
  expect(project.record.found).toBe('2 examples');
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    {
      input: 'How much?',
      expected: { answer: '49 dollars' },
      category: 'prices',
      tags: ['base', 'hard'],
      metadata: { language: 'en' },
    },
    { input: 'Who?' },
  ]);
});

test('examples alone have no target that answers them, and the config says where the bot comes', async () => {
  const project = await importFiles({
    'a.jsonl': '{"inputs": {"question": "Hi?"}, "outputs": {"answer": "Hi."}}\n',
  });
  expect(project).toMatchObject({ hasTargets: false, callsNothing: false });
  expect(project.files['touchstone.config.yaml']).toContain('# targets:');
});

test('the rows of an experiment with one example are attempts; an empty cell of feedback is not measured', async () => {
  const table = [
    'inputs.question,outputs.answer,error,reference.answer,feedback.exact,feedback.polite,execution_time,example_id,id',
    'How much?,49,,49 dollars,True,0.5,0.25,e1,r1',
    'How much?,50,,49 dollars,False,,0.5,e1,r2',
    'Who?,,"RuntimeError(\u001b[31m)\n\nTraceback (most recent call last):\n  File ""/home/x""",Me,False,1,0.1,e2,r3',
  ].join('\n');
  const project = await importFiles({ 'x.csv': table });
  expect(project.record.found).toBe('an experiment with 3 rows of 2 questions × 2 repetitions');
  const rows = linesOf(project, 'answers.jsonl');
  expect(rows).toMatchObject([
    { caseId: 'e1', attempt: 1, answer: '49', latencyMs: 250 },
    { caseId: 'e1', attempt: 2, answer: '50' },
    { caseId: 'e2', attempt: 1, error: 'RuntimeError()' },
  ]);
  expect(rows[0]?.verdicts).toMatchObject({
    exact: { value: 1, passed: true },
    polite: { value: 0.5 },
  });
  expect(rows[1]?.verdicts).toMatchObject({
    exact: { value: 0, passed: false },
    polite: { status: 'failed', code: 'not-scored' },
  });
  expect(rows[2]).not.toHaveProperty('verdicts');
  expect(project.files['todo.md']).toContain('feedback on a run that failed (2)');
});

test('runs below a run give tool calls, documents and usage; feedback from the pages is that of a person', async () => {
  const below = (parts: object) => root({ trace_id: 'r1', parent_run_id: 'r1', ...parts });
  const project = await importFiles({
    'runs.json': [
      root(),
      below({ id: 'b', dotted_order: '2', run_type: 'llm', prompt_tokens: 5, completion_tokens: 2 }),
      below({
        id: 'a',
        dotted_order: '1',
        run_type: 'tool',
        name: 'price',
        inputs: { item: 'lamp' },
        outputs: { output: '49' },
      }),
      below({
        id: 'c',
        dotted_order: '3',
        run_type: 'retriever',
        outputs: { documents: [{ page_content: 'Lamps.' }] },
      }),
      below({ id: 'd', dotted_order: '4', run_type: 'chain' }),
    ],
    'feedback.json': [
      feedback(),
      feedback({ id: 'f2', score: 0, feedback_source: { type: 'app', user_name: 'Ana' } }),
      feedback({ id: 'f3', key: 'broken', score: null, comment: "ValueError('no answer')" }),
    ],
  });
  const [row] = linesOf(project, 'answers.jsonl');
  expect(row).toMatchObject({
    answer: '49',
    latencyMs: 250,
    usage: { inputTokens: 5, outputTokens: 2 },
    documents: [{ text: 'Lamps.' }],
    verdicts: {
      polite: { value: 1 },
      'polite (person)': { value: 0, evidence: { author: 'Ana' } },
      broken: { status: 'failed', reason: "LangSmith recorded no value: ValueError('no answer')" },
    },
  });
  expect(row?.transcript.at(-1)?.toolCalls).toEqual([
    { name: 'price', arguments: { item: 'lamp' }, result: '49' },
  ]);
  expect(project.files['todo.md']).toContain('run chain within another (1)');
});

test('a table of our own, and runs without a question, are not mistaken', async () => {
  await expect(importFiles({ 'a.csv': 'question,feedback\na,b\n' })).rejects.toThrow('this is no file');
  const project = await importFiles({ 'f.json': [feedback()] });
  expect(linesOf(project, 'golden.jsonl')[0]?.input).toBe('(the question was not recorded)');
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/langsmith');

test.skipIf(!existsSync(data))(
  'exports of LangSmith have the rows, repetitions, errors and feedback that their facts count (needs ../shared/data)',
  async () => {
    const facts = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    const foundIn = async (name: string) => (await translateProject(path.join(data, name))).record.found;
    expect(await foundIn('dataset.jsonl')).toBe(`${facts['dataset.jsonl'].rows} examples`);
    expect(await foundIn('examples.json')).toBe(`${facts['examples.json'].items} examples`);
    expect(await foundIn('feedback.json')).toContain(String(facts['feedback.json'].items));
    expect(await foundIn('runs.json')).toContain(String(facts['runs.json'].items));
    const { experiment } = facts;
    for (const name of ['experiment.csv', 'experiment.jsonl', '.']) {
      const project = await translateProject(path.join(data, name));
      const rows = linesOf(project, 'answers.jsonl');
      const answered = rows.filter(({ error }) => error === undefined);
      const missing = (key: string) =>
        answered.filter(({ verdicts }) => verdicts?.[key]?.status !== 'scored').length;
      expect({
        rows: rows.length,
        examples: linesOf(project, 'golden.jsonl').length,
        repetitions: Math.max(...rows.map(({ attempt }) => attempt)),
        errored: rows.length - answered.length,
        'feedback missing': {
          'feedback.exact': missing('exact'),
          'feedback.helpful': missing('helpful'),
          'feedback.polite': missing('polite'),
        },
        note: experiment.note,
      }).toEqual(experiment);
    }
  },
);

test('the project is run, and a second import changes nothing', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'langsmith-'));
  const rows = [root(), root({ id: 'r2', trace_id: 'r2', error: 'down' })];
  const project = await importFiles({ 'runs.json': rows, 'feedback.json': [feedback()] });
  expect(writeProject(project, { to: folder.path })).toContain('touchstone.config.yaml');
  const report = await run(folder.path, { store: createMemoryStore() });
  expect(report.run.status).toBe('completed');
  expect(writeProject(project, { to: folder.path })).toEqual([]);
});

test('the traceback of a run that failed is with its answer, and its message alone is the error', async () => {
  const error = "RuntimeError('down')\n\nTraceback (most recent call last):\n  File bot.py, line 7";
  const run = {
    id: 'r1',
    trace_id: 'r1',
    run_type: 'chain',
    inputs: { question: 'Who?' },
    outputs: null,
    error,
  };
  const [row] = linesOf<object>(await importFiles({ 'runs.json': [run] }), 'answers.jsonl');
  expect(row).toMatchObject({ error: "RuntimeError('down')", source: { error } });
});
