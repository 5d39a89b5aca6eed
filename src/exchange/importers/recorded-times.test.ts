import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../test/support/import-files.ts';
import { translateProject } from '../../library/api/import-project.ts';
import { asTime } from './values.ts';

test.each([
  ['2026-11-23T07:38:01.690Z', '2026-11-23T07:38:01.690Z'],
  ['2026-11-23 07:47:48.000366+00:00', '2026-11-23T07:47:48.000Z'],
  ['2026-11-23T09:47:48+02:00', '2026-11-23T07:47:48.000Z'],
  ['2026-11-23T07:47:48.5', '2026-11-23T07:47:48.500Z'],
  ['2026-11-23 07:47', '2026-11-23T07:47:00.000Z'],
  ['2026-11-23', '2026-11-23T00:00:00.000Z'],
  ['2026-11-23 07:47:48 UTC', '2026-11-23T07:47:48.000Z'],
  [1743461002, '2025-03-31T22:43:22.000Z'],
  [1743461002.25, '2025-03-31T22:43:22.250Z'],
  [1795420177924, '2026-11-23T07:49:37.924Z'],
  [1795420177924000, '2026-11-23T07:49:37.924Z'],
  ['1795600000000000000', '2026-11-25T09:46:40.000Z'],
  ['yesterday', undefined],
  ['12', undefined],
  [12, undefined],
  ['2026-13-40', undefined],
  ['', undefined],
  [null, undefined],
])('the time %j is %j', (value, time) => {
  expect(asTime(value)).toBe(time);
});

const data = path.resolve(import.meta.dirname, '../../../../shared/data/interop');

test.skipIf(!existsSync(data)).each([
  ['promptfoo/shop/results.json', '2026-11-23T07:33:00.155Z'],
  ['inspect/shop-prices.json', '2026-11-23T07:45:30.393Z'],
  ['inspect/shop-prices.eval', '2026-11-23T07:45:29.791Z'],
  ['inspect/fetched/popularity-2025-02.eval', /^2025-02-/],
  ['langsmith/runs.json', /^2026-11-23T07:55:00\./],
  ['braintrust/experiment.jsonl', '2026-11-20T10:00:00.000Z'],
  ['weave/calls.jsonl', '2026-11-20T10:00:00.000Z'],
  ['phoenix/experiment-runs.json', '2026-11-20T10:00:00.000Z'],
  ['mlflow/traces.json', '2026-11-23T07:49:37.921Z'],
  ['mlflow/genai_results.jsonl', /^2026-11-23T07:49:37\./],
  ['mlflow/genai_results.csv', /^2026-11-23T07:49:37\./],
  ['langfuse/api/traces-full.json', /^2026-11-1/],
  ['langfuse/ui-export/traces.csv', /^2026-11-1/],
  ['openai-evals-registry/shop-match.jsonl', '2026-11-23T07:47:44.960Z'],
  ['openai-evals-hosted/api-export/eval_67f09e.json', /^2025-03-31/],
  ['otel/spans-with-evaluations.traces.json', '2026-11-25T09:46:40.000Z'],
  ['deepeval/results/test_run_20261123_074755.json', '2026-11-23T07:47:55.000Z'],
])(
  'the answers of %s have the time of their file, the first of them %s (needs ../shared/data)',
  async (name, first) => {
    const project = await translateProject(path.join(data, name));
    const rows = linesOf<{ startedAt?: string }>(project, 'answers.jsonl');
    const times = rows.map(({ startedAt = '' }) => startedAt);
    expect(times).not.toContain('');
    expect(times.toSorted()[0]).toEqual(typeof first === 'string' ? first : expect.stringMatching(first));
  },
);

test('an answer without a time has that of its file, and one of a file without times has none', async () => {
  const result = (id: string, metadata: object) => ({
    evalId: id,
    results: {
      version: 3,
      results: [
        {
          success: true,
          prompt: { raw: 'Who?' },
          provider: 'echo',
          vars: { question: 'Who?' },
          testCase: { vars: { question: 'Who?' } },
          response: { output: 'Ann' },
        },
      ],
      ...metadata,
    },
  });
  const rowsOf = async (metadata: object) =>
    linesOf<{ startedAt?: string }>(await importFiles({ 'r.json': result('e', metadata) }), 'answers.jsonl');
  expect(await rowsOf({ timestamp: '2026-01-02T03:04:05.000Z' })).toMatchObject([
    { startedAt: '2026-01-02T03:04:05.000Z' },
  ]);
  expect((await rowsOf({}))[0]).not.toHaveProperty('startedAt');
});
