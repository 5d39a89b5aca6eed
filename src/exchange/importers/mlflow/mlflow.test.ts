import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';
import { translateProject } from '../../../library/api/import-project.ts';

const assessment = (assessment_name: string, parts: object) => ({
  assessment_name,
  source: { source_type: 'CODE', source_id: assessment_name },
  valid: true,
  ...parts,
});

const span = (name: string, type: string, inputs: unknown, outputs: unknown, parts: object = {}) => ({
  name,
  parent_span_id: type === 'CHAIN' ? null : 'root',
  attributes: {
    'mlflow.spanType': JSON.stringify(type),
    'mlflow.spanInputs': JSON.stringify(inputs),
    'mlflow.spanOutputs': JSON.stringify(outputs),
  },
  ...parts,
});

const trace = (assessments: object[], parts: object = {}, spans: object[] = []) => ({
  info: {
    trace_id: 'tr-1',
    state: 'OK',
    execution_duration_ms: 12,
    trace_metadata: {
      'mlflow.trace.tokenUsage': '{"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}',
    },
    tags: { 'mlflow.traceName': 'x', category: 'prices' },
    assessments,
    ...parts,
  },
  data: { spans: [span('root', 'CHAIN', { question: 'How much?' }, '49 dollars'), ...spans] },
});

test('a trace is an answer with its tools, documents and assessments; expectations are expected', async () => {
  const spans = [
    span('price list', 'TOOL', { item: 'lamp' }, 49),
    span('search', 'RETRIEVER', 'lamp', [{ page_content: 'lamp: 49', metadata: { id: 'd1' } }]),
  ];
  const assessments = [
    assessment('exact', { feedback: { value: true } }),
    assessment('guidelines', { feedback: { value: ['yes', 'no'] } }),
    assessment('tone', { feedback: { value: 0.2 }, valid: false }),
    assessment('tone', { feedback: { value: 0.3 }, rationale: 'Curt.' }),
    assessment('good', { feedback: { value: 'yes' }, source: { source_type: 'HUMAN', source_id: 'ann' } }),
    assessment('expected_response', { expectation: { value: '49 dollars' } }),
    assessment('expected_facts', {
      expectation: { serialized_value: { value: '["49"]', serialization_format: 'JSON_FORMAT' } },
    }),
  ];
  const project = await importFiles({ 'traces.json': [trace(assessments, {}, spans)] });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    {
      input: 'How much?',
      expected: { answer: '49 dollars' },
      category: 'prices',
      metadata: { expected_facts: ['49'] },
    },
  ]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    {
      answer: '49 dollars',
      latencyMs: 12,
      usage: { inputTokens: 5, outputTokens: 2 },
      documents: [{ id: 'd1', text: 'lamp: 49' }],
      transcript: [{}, { toolCalls: [{ name: 'price list', arguments: { item: 'lamp' }, result: 49 }] }],
      verdicts: {
        exact: { value: 1, passed: true },
        guidelines: { value: 0.5 },
        tone: { value: 0.3, explanation: 'Curt.' },
        'good (person)': { value: 1, passed: true },
      },
    },
  ]);
});

test('a trace that ended in an error has no verdicts, and a scorer that failed gives none', async () => {
  const broken = span('root', 'CHAIN', { question: 'Who?' }, null, {
    status: { code: 'STATUS_CODE_ERROR', message: 'upstream is down' },
  });
  const project = await importFiles({
    'traces.json': [
      { ...trace([], { state: 'ERROR' }), data: { spans: [broken] } },
      trace([
        assessment('exact', { feedback: { error: { error_message: 'no answer', stack_trace: '/x' } } }),
      ]),
    ],
  });
  const [first, second] = linesOf(project, 'answers.jsonl');
  expect(first).toMatchObject({ error: 'upstream is down' });
  expect(first?.verdicts).toBeUndefined();
  expect(second?.verdicts?.['exact']).toMatchObject({ status: 'failed', reason: 'no answer' });
});

test('the table of the classic evaluation has scores with their reasons', async () => {
  const project = await importFiles({
    'eval_results_table.json': {
      columns: [
        'inputs',
        'ground_truth',
        'outputs',
        'answer_similarity/v1/score',
        'answer_similarity/v1/justification',
      ],
      data: [['How much?', '49 dollars', '49', 4, 'Close.']],
    },
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([{ expected: { answer: '49 dollars' } }]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    { answer: '49', verdicts: { answer_similarity: { value: 4, unit: 'score', explanation: 'Close.' } } },
  ]);
});

test('rows of inputs and expectations are questions, and those with outputs answers that were not scored', async () => {
  const rows = [
    {
      inputs: { question: 'What is it?', locale: 'de' },
      expectations: { expected_response: 'A platform', expected_facts: ['open source'] },
      tags: { topic: 'base' },
      dataset_record_id: 'dr-1',
      source: { source_type: 'HUMAN', source_data: { user: 'ann' } },
    },
    { inputs: { question: 'Which one?' }, outputs: { response: 'This one' }, expectations: {} },
  ];
  const csv = `inputs,expectations\n"{'question': 'What is it?'}","{'expected_response': 'A platform'}"\n`;
  const [project, table] = await Promise.all([
    importFiles({ 'data.jsonl': rows.map((row) => JSON.stringify(row)).join('\n') }),
    importFiles({ 'data.csv': csv }),
  ]);
  expect(project.record.tool.name).toBe('mlflow');
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    {
      id: 'dr-1',
      input: 'What is it?',
      expected: { answer: 'A platform' },
      metadata: {
        locale: 'de',
        topic: 'base',
        expected_facts: ['open source'],
        source: { source_type: 'HUMAN', source_data: { user: 'ann' } },
      },
    },
    { input: 'Which one?' },
  ]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([{ caseId: 'case-2', answer: 'This one' }]);
  expect(linesOf(project, 'answers.jsonl')[0]?.verdicts).toBeUndefined();
  expect(linesOf(table, 'golden.jsonl')).toMatchObject([
    { input: 'What is it?', expected: { answer: 'A platform' } },
  ]);
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/mlflow');

test.skipIf(!existsSync(data)).each(['genai_results.jsonl', 'genai_results.csv', 'traces.json'])(
  'the file %s of MLflow has the traces and values that are in it (needs ../shared/data)',
  async (name) => {
    const facts = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    const project = await translateProject(path.join(data, name));
    const rows = linesOf(project, 'answers.jsonl').toSorted((a, b) =>
      (a.answer ?? '').localeCompare(b.answer ?? ''),
    );
    expect(rows).toHaveLength(facts[name].rows ?? facts[name].items);
    const numbers = rows.map(({ answer, verdicts = {} }) => [
      answer,
      verdicts['exact']?.value,
      verdicts['tone']?.value,
      verdicts['breaks']?.status === 'scored' ? verdicts['breaks'].value : verdicts['breaks']?.status,
    ]);
    expect(numbers).toEqual([
      ['49 dollars', 1, 0.3, 1],
      ['A bot', 0, 0.3, 'failed'],
      ['Yes, please order.', 0, 0.8, 1],
    ]);
    const expected = linesOf<{ expected?: { answer?: string } }>(project, 'golden.jsonl');
    expect(new Set(expected.map((each) => each.expected?.answer))).toEqual(
      new Set(['49 dollars', 'Yes', undefined]),
    );
  },
);
