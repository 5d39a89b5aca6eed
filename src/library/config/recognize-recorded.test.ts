import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDataset } from '../../evaluate/datasets/open-dataset.ts';
import type { FieldOverrides } from '../../evaluate/datasets/field-mapping.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { loadCases } from '../../evaluate/run/prepare/load.ts';
import { readers } from './load-config.ts';
import { importers } from './other-tools.ts';
import { noticeRecorded, plainColumns, recognizeFile, recognizeRecorded } from './recognize-file.ts';

const langfuseTrace = {
  id: 't1',
  timestamp: '2026-11-23T07:45:30Z',
  projectId: 'p',
  input: 'What does the lamp cost?',
  output: '49',
  observationCount: 2,
  bookmarked: false,
};
const langsmithRun = {
  id: 'r1',
  run_type: 'chain',
  trace_id: 'r1',
  inputs: { question: 'What does the lamp cost?' },
  outputs: { answer: '49' },
};
const inspectLog = {
  version: 2,
  status: 'success',
  eval: { task: 'prices', model: 'openai/gpt-4o' },
  samples: [{ id: 1, epoch: 1, input: 'What does the lamp cost?', target: '49', messages: [], scores: {} }],
};
const deepevalRun = {
  testCases: [
    { name: 'one', input: 'What does the lamp cost?', actualOutput: '49', success: true, metricsData: [] },
  ],
  conversationalTestCases: [],
  metricsScores: [],
};
const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const header = Object.keys(langfuseTrace).join(',');

/** Files that other tools recorded, in each of their forms. */
const recorded: readonly (readonly [file: string, text: string, tool: string])[] = [
  ['langfuse.json', JSON.stringify([langfuseTrace]), 'Langfuse'],
  ['langfuse-api.json', JSON.stringify({ data: [langfuseTrace], meta: { page: 1 } }), 'Langfuse'],
  ['langfuse.jsonl', lines(langfuseTrace, { ...langfuseTrace, id: 't2' }), 'Langfuse'],
  ['langfuse.csv', `${header}\n${Object.values(langfuseTrace).join(',')}\n`, 'Langfuse'],
  ['langsmith.json', JSON.stringify([langsmithRun]), 'LangSmith'],
  ['langsmith.jsonl', lines(langsmithRun, { ...langsmithRun, id: 'r2' }), 'LangSmith'],
  ['inspect.json', JSON.stringify(inspectLog), 'Inspect'],
  ['inspect-indented.json', JSON.stringify(inspectLog, null, 2), 'Inspect'],
  ['deepeval.json', JSON.stringify(deepevalRun), 'DeepEval'],
  [
    'deepeval-result.json',
    JSON.stringify({
      test_results: [{ name: 'one', input: 'q?', actual_output: 'a', success: true, metrics_data: [] }],
    }),
    'DeepEval',
  ],
  [
    'braintrust.csv',
    'id,input,output,expected,scores.Factuality,metrics.tokens\n1,q?,a,b,0.5,12\n',
    'Braintrust',
  ],
  [
    'phoenix.json',
    JSON.stringify([
      { example_id: 'e1', repetition_number: 1, input: { question: 'q?' }, output: 'a', annotations: [] },
    ]),
    'Phoenix',
  ],
  [
    'ragas.csv',
    'user_input,response,reference,faithfulness\nWhat does the lamp cost?,It costs 49.,49,0.5\n',
    'ragas',
  ],
];

/** Golden sets that look like files of other tools, and hold questions to ask. */
const golden: readonly (readonly [file: string, text: string])[] = [
  ['plain.jsonl', lines({ question: 'q?', expected_answer: 'a' })],
  [
    'langfuse-items.json',
    JSON.stringify([
      { id: 'i', datasetId: 'd', status: 'ACTIVE', input: { question: 'q?' }, expectedOutput: 'a' },
    ]),
  ],
  ['langsmith-examples.jsonl', lines({ inputs: { question: 'q?' }, outputs: { answer: 'a' } })],
  ['inspect-samples.jsonl', lines({ input: 'q?', target: 'a' })],
  [
    'deepeval-goldens.json',
    JSON.stringify([{ input: 'q?', expected_output: 'a', actual_output: null, retrieval_context: null }]),
  ],
  ['braintrust-rows.jsonl', lines({ id: '1', _xact_id: '2', dataset_id: 'd', input: 'q?', expected: 'a' })],
  // The number is a fact of the question and no metric.
  ['ragas.jsonl', lines({ user_input: 'q?', response: 'a', reference: 'a', difficulty: 3 })],
  ['openai.jsonl', lines({ input: [{ role: 'user', content: 'q?' }], ideal: 'a' })],
];

async function open(name: string, text: string, fields?: FieldOverrides): Promise<number | TouchstoneError> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-foreign-'));
  await writeFile(path.join(folder, name), text);
  try {
    const options = { paths: [name], folder, readers, fields, recognizeRecorded, recognize: recognizeFile };
    let cases = 0;
    for await (const _case of loadCases(await openDataset(options), { onNotice: () => {} })) cases += 1;
    return cases;
  } catch (error) {
    if (error instanceof TouchstoneError) return error;
    throw error;
  }
}

test.each(recorded)('%s is answered with the command that imports it', async (name, text, tool) => {
  const error = await open(name, text);
  expect(error).toBeInstanceOf(TouchstoneError);
  const { message, remedy } = error as TouchstoneError;
  expect(message).toMatch(new RegExp(`${name}: this is .*${tool}.*, not a dataset$`));
  expect(remedy).toMatch(/`touchstone import \S+`/);
});

test.each(golden)('%s is a golden set and is asked', async (name, text) => {
  expect(await open(name, text)).toBe(1);
});

test('a file of traces is asked where the config says which column is the question', async () => {
  const text = lines(langfuseTrace);
  expect(await open('traces.jsonl', text, { input: 'question' })).toBe(1);
});

test('answers of another tool that are scored get a notice with the command that keeps its verdicts', async () => {
  const head = { path: '/work/langfuse.json', rows: [langfuseTrace], hasTextCells: false };
  expect(await noticeRecorded(head)).toMatch(/^The file was recorded by Langfuse: .*`touchstone import \S+`/);
  expect(await noticeRecorded({ ...head, rows: [{ question: 'q?', answer: 'a' }] })).toBeUndefined();
});

test('traces on standard input are told to be saved first', async () => {
  const found = await recognizeRecorded({ path: undefined, rows: [langsmithRun], hasTextCells: false });
  expect(found).toEqual({
    message: '<stdin>: this contains what LangSmith recorded and is no dataset',
    remedy: expect.stringContaining('`touchstone import FILE`'),
  });
});

test('a file that has only the columns of a simple golden set is of no importer, whichever of them it has', () => {
  const cell = (name: string) =>
    name === 'expected_keywords' ? ['lamp', '49'] : 'What does the lamp cost? 49';
  const base = { name: 'answers.jsonl', path: '/tmp/answers.jsonl', hash: '' };
  const recognised = Array.from({ length: 2 ** plainColumns.length - 1 }, (_, chosen) =>
    plainColumns.filter((_name, place) => ((chosen + 1) >> place) % 2 === 1),
  ).flatMap((columns) => {
    const rows = [Object.fromEntries(columns.map((name) => [name, cell(name)]))];
    const cells = [columns.map((name) => String(cell(name)))];
    return importers
      .filter(
        ({ detect }) =>
          detect({ ...base, form: 'jsonl', rows }) !== undefined ||
          detect({ ...base, form: 'csv', header: columns, rows: cells }) !== undefined,
      )
      .map(({ name }) => [name, columns]);
  });
  expect(recognised).toEqual([]);
});

test('a file with one column of another tool beside those of a simple golden set is recognised', async () => {
  const row = {
    question: 'What does the lamp cost?',
    answer: '49',
    contexts: ['It costs 49.'],
    faithfulness: 1,
  };
  const notice = await noticeRecorded({ path: 'answers.jsonl', rows: [row], hasTextCells: false });
  expect(notice).toContain('recorded by ragas');
});
