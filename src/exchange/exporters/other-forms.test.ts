import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { exportedRun, exportWith } from '../../../test/support/exported-run.ts';
import { importFiles, linesOf } from '../../../test/support/import-files.ts';
import type { ReportInput } from '../../look/reporters/reporter.ts';
import { langfuse } from './langfuse.ts';
import { langsmith } from './langsmith.ts';
import { langsmithExperiment } from './langsmith-experiment.ts';
import { otel } from './otel.ts';
import { huggingFace } from './tables.ts';

const uuid = '0b1c6a8e-2f4d-4c1a-9d3e-5a7b9c0d1e2f';

/** A run whose answers have recorded ids of another tool. */
function recordedRun(source: Readonly<Record<string, string>>): ReportInput {
  const input = exportedRun();
  return {
    ...input,
    async *results() {
      for await (const result of input.results())
        yield { ...result, trial: { ...result.trial, recorded: { source } } };
    },
  };
}

const linesIn = (files: Readonly<Record<string, Uint8Array>>) =>
  Buffer.from(Object.values(files)[0] ?? [])
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('evaluation results of OpenTelemetry come back with the spans that they are about', async () => {
  const { files, ledger } = await exportWith(otel, exportedRun());
  const project = await importFiles({ 'run.jsonl': Object.values(files)[0] });
  const rows = linesOf(project, 'answers.jsonl');
  expect(rows).toHaveLength(11);
  expect(rows.filter(({ error }) => error !== undefined)).toHaveLength(1);
  expect(rows[0]?.verdicts).toMatchObject({ keywords: { status: 'scored', value: 1 } });
  expect(rows[2]?.verdicts).toMatchObject({ keywords: { status: 'failed' } });
  expect(ledger.find(({ part }) => part === 'verdict that was not measured')?.count).toBe(5);
});

test('scores for traces of Langfuse have ids that stay the same, and none for what was not measured', async () => {
  const input = recordedRun({ traceId: 't-1' });
  const first = linesIn((await exportWith(langfuse, input)).files);
  expect(first[0]).toMatchObject({ traceId: 't-1', name: 'three-component', dataType: 'NUMERIC' });
  expect(first.every(({ value }) => typeof value === 'number')).toBe(true);
  expect(new Set(first.map(({ id }) => id)).size).toBe(first.length);
  expect(linesIn((await exportWith(langfuse, input)).files)).toEqual(first);
});

test('feedback for runs of LangSmith names the run', async () => {
  const rows = linesIn((await exportWith(langsmith, recordedRun({ runId: uuid }))).files);
  expect(rows[0]).toMatchObject({ run_id: uuid, key: 'three-component', feedback_source: { type: 'api' } });
  expect(rows[0]?.['id']).toMatch(/^[\da-f]{8}-/);
});

test('an experiment for LangSmith has a body for each target: rows with answers, scores and errors', async () => {
  const { files, ledger } = await exportWith(langsmithExperiment, exportedRun());
  const bodies = Object.values(files).map((bytes) => JSON.parse(Buffer.from(bytes).toString()));
  expect(bodies).toHaveLength(2);
  const rows = bodies.flatMap((body) => body.results);
  expect(rows).toHaveLength(11);
  expect(new Set(rows.map((row) => row.row_id)).size).toBe(3);
  expect(rows[0]).toMatchObject({
    row_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-/),
    inputs: { input: 'Question 1?' },
    actual_outputs: { output: 'Answer 0.' },
    run_metadata: { case: 'case 1', attempt: 1 },
  });
  expect(rows[0].evaluation_scores).toContainEqual(expect.objectContaining({ key: 'keywords', score: 1 }));
  const [failed, ...others] = rows.filter((row) => row.error !== undefined);
  expect(others).toEqual([]);
  expect(failed).toMatchObject({ error: 'timeout: No answer within 60 s.', evaluation_scores: [] });
  expect(failed).not.toHaveProperty('actual_outputs');
  const scored = rows.flatMap((row) => row.evaluation_scores);
  expect(scored.every(({ score }) => typeof score === 'number')).toBe(true);
  expect(ledger.find(({ part }) => part === 'verdict that was not measured')?.count).toBe(2);
  expect(ledger.find(({ part }) => part === 'attempt that was not made')?.count).toBe(1);
});

test.each([langfuse, langsmith])(
  '$name gets no scores for answers that came from elsewhere',
  async (exporter) => {
    const { files, ledger } = await exportWith(exporter, exportedRun());
    expect(Object.values(files)[0]).toHaveLength(0);
    expect(ledger).toMatchObject([{ part: 'answer that has no place there', fate: 'left-out', count: 11 }]);
  },
);

test.each([
  ['an answer of another tool', { importedFrom: 'mlflow', traceId: 't-1', runId: uuid }],
  ['a row that has an id of its own', { id: uuid }],
])('%s gets no score in Langfuse or LangSmith', async (_, source) => {
  for (const exporter of [langfuse, langsmith])
    expect(Object.values((await exportWith(exporter, recordedRun(source))).files)[0]).toHaveLength(0);
});

test('the trace that a question came from gets no score of the answer of a bot that was asked today', async () => {
  const input = exportedRun();
  const live = (use: string): ReportInput => ({
    ...input,
    run: { ...input.run, targets: input.run.targets.map((each) => ({ ...each, use: { use } })) },
    async *results() {
      for await (const result of input.results())
        yield { ...result, case: { ...result.case, metadata: { traceId: 't-1' } } };
    },
  });
  expect(Object.values((await exportWith(langfuse, live('http'))).files)[0]).toHaveLength(0);
  expect(linesIn((await exportWith(langfuse, live('replay'))).files).length).toBeGreaterThan(0);
});

test('a dataset for Hugging Face has a card and the trials', async () => {
  const { files } = await exportWith(huggingFace, exportedRun());
  const card = Buffer.from(files['README.md'] ?? []).toString();
  expect(card).toMatch(/^---\npretty_name: .*\n[\s\S]*path: data\/test-\*\.parquet\n---\n/);
  const bytes = files['data/test-00000-of-00001.parquet'] ?? new Uint8Array();
  const rows = await parquetReadObjects({ file: Uint8Array.from(bytes).buffer });
  expect(rows).toHaveLength(12);
  expect(rows[2]).toMatchObject({ score: null, keywords: null });
});
