import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';
import { translateProject } from '../../../library/api/import-project.ts';

const run = (parts: object = {}) => ({
  example_id: 'e1',
  repetition_number: 1,
  input: { question: 'How much?' },
  reference_output: { answer: '49' },
  output: 'It costs 49.',
  error: null,
  latency_ms: 12,
  annotations: [],
  ...parts,
});

test('repetitions are attempts in their order; annotations are verdicts, those of a person apart', async () => {
  const annotations = [
    { name: 'polite', annotator_kind: 'LLM', score: 0.5, label: 'fair', explanation: 'Curt.' },
    { name: 'polite', annotator_kind: 'HUMAN', score: 1 },
    { name: 'broken', annotator_kind: 'CODE', score: null, label: null, error: 'ValueError' },
    { name: 'word', annotator_kind: 'LLM', score: null, label: 'blue' },
  ];
  const project = await importFiles({
    'runs.json': [run({ repetition_number: 2, output: 'second' }), run({ annotations })],
  });
  const rows = linesOf(project, 'answers.jsonl');
  expect(rows.map(({ attempt, answer }) => [attempt, answer])).toEqual([
    [2, 'second'],
    [1, 'It costs 49.'],
  ]);
  expect(rows[1]).toMatchObject({
    latencyMs: 12,
    verdicts: {
      polite: { value: 0.5, label: 'fair', explanation: 'Curt.', evidence: { label: 'fair' } },
      'polite (person)': { value: 1 },
      broken: { status: 'failed', code: 'evaluator-error' },
    },
    labels: { word: 'blue' },
  });
});

test('the tables that the pages download have columns for annotations and for members of examples', async () => {
  const runs = `example_id,repetition_number,input,reference_output,output,error,latency_ms,annotation_polite_label,annotation_polite_score,annotation_polite_explanation,annotation_polite_annotator_kind,annotation_is_ok_score
e1,1,"{""question"": ""How much?""}","{""answer"": ""49""}",It costs 49.,,12.5,fair,0.5,Curt.,LLM,
e1,2,"{""question"": ""How much?""}","{""answer"": ""49""}",,down,3,,,,,
`;
  const project = await importFiles({ 'runs.csv': runs });
  expect(project.record.found).toBe('2 runs');
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { input: 'How much?', expected: { answer: '49' } },
  ]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    {
      answer: 'It costs 49.',
      latencyMs: 12.5,
      verdicts: { polite: { value: 0.5, label: 'fair', explanation: 'Curt.' } },
    },
    { attempt: 2, error: 'down' },
  ]);
  const examples = await importFiles({
    'examples.csv': 'example_id,input_question,output_answer,metadata_level\ne1,How much?,49,1\ne2,Who?,,\n',
  });
  expect(examples.record.found).toBe('2 examples');
  expect(linesOf(examples, 'golden.jsonl')).toMatchObject([
    { id: 'e1', input: 'How much?', expected: { answer: '49' }, metadata: { level: '1' } },
    { id: 'e2', input: 'Who?' },
  ]);
});

test('runs of the interface are joined with the examples of their dataset, and runs that several files contain count once', async () => {
  const examples = 'id,node_id,input.question,output.answer\ne1,e1,How much?,49\n';
  const runs = [1, 2].map((number) => ({
    dataset_example_id: 'e1',
    experiment_id: 'x1',
    repetition_number: number,
    trace_id: `t${number}`,
    output: 'It costs 49.',
  }));
  const first = run({
    trace_id: 't1',
    metadata: { level: 1 },
    annotations: [{ name: 'polite', score: 0.5 }],
  });
  const project = await importFiles({
    'examples.csv': examples,
    'runs.json': { data: runs },
    'experiment.json': [first],
  });
  expect(project.record.found).toBe('1 example, 2 runs');
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { id: 'e1', input: 'How much?', expected: { answer: '49' } },
  ]);
  expect(linesOf(project, 'answers.jsonl').map(({ verdicts }) => verdicts?.['polite']?.value)).toEqual([
    0.5,
    undefined,
  ]);
});

test('a run that failed has no verdicts, and its annotations are named', async () => {
  const annotations = [{ name: 'polite', annotator_kind: 'LLM', score: 1 }];
  const project = await importFiles({ 'runs.json': [run({ error: 'down', output: null, annotations })] });
  expect(linesOf(project, 'answers.jsonl')[0]).toMatchObject({ error: 'down' });
  expect(linesOf(project, 'answers.jsonl')[0]).not.toHaveProperty('verdicts');
  expect(project.files['todo.md']).toContain('annotation of a run that failed (1)');
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/phoenix');

test.skipIf(!existsSync(data))(
  'exports of Phoenix have the runs and examples that their files count (needs ../shared/data)',
  async () => {
    const facts = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    const runs: { example_id: string; error: unknown }[] = JSON.parse(
      readFileSync(path.join(data, 'experiment-runs.json'), 'utf8'),
    );
    const examples = await translateProject(path.join(data, 'dataset-examples.json'));
    expect(linesOf(examples, 'golden.jsonl')).toHaveLength(3);
    for (const name of ['experiment-runs.json', '.']) {
      const project = await translateProject(path.join(data, name));
      const rows = linesOf(project, 'answers.jsonl');
      expect(rows).toHaveLength(facts['experiment-runs.json'].items);
      expect(rows.filter(({ error }) => error !== undefined)).toHaveLength(
        runs.filter(({ error }) => error !== null).length,
      );
      expect(linesOf(project, 'golden.jsonl')).toHaveLength(
        new Set(runs.map((each) => each.example_id)).size,
      );
    }
  },
);
