import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';
import { translateProject } from '../../../library/api/import-project.ts';

const attributesOf = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }));

const traceId = 'a'.repeat(32);

const logsOf = (...records: object[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] });

const result = (values: Readonly<Record<string, string | number>>, parts: object = {}) => ({
  eventName: 'gen_ai.evaluation.result',
  traceId,
  attributes: attributesOf({ 'gen_ai.evaluation.name': 'polite', ...values }),
  ...parts,
});

const messages = (role: string, content: string) =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

const spans = {
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              traceId,
              spanId: 'b'.repeat(16),
              name: 'chat',
              startTimeUnixNano: '1795600000000000000',
              endTimeUnixNano: '1795600001000000000',
              attributes: attributesOf({
                'gen_ai.operation.name': 'chat',
                'gen_ai.response.id': 'r1',
                'gen_ai.input.messages': messages('user', 'How much?'),
                'gen_ai.output.messages': messages('assistant', '49 dollars'),
              }),
            },
          ],
        },
      ],
    },
  ],
};

test('results in log records are joined with spans of other files, also by the id of the response alone', async () => {
  const about = { traceId: undefined };
  const project = await importFiles({
    'traces.json': spans,
    'logs.json': logsOf(
      result({ 'gen_ai.evaluation.score.value': 0.5, 'gen_ai.evaluation.explanation': 'Curt.' }),
      result(
        { 'gen_ai.evaluation.name': 'broken', 'error.type': 'timeout', 'gen_ai.response.id': 'r1' },
        about,
      ),
      { eventName: 'other', traceId, attributes: [] },
    ),
  });
  expect(project.record.found).toBe('2 evaluation results, 1 span');
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([{ input: 'How much?' }]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    {
      answer: '49 dollars',
      verdicts: {
        polite: { value: 0.5, explanation: 'Curt.' },
        broken: { status: 'failed', code: 'evaluation-error', reason: 'timeout' },
      },
    },
  ]);
});

test('results without their spans are kept, and a label of pass or fail decides', async () => {
  const project = await importFiles({
    'logs.json': logsOf(
      result({ 'gen_ai.evaluation.score.value': 0.2, 'gen_ai.evaluation.score.label': 'fail' }),
    ),
  });
  expect(linesOf(project, 'golden.jsonl')[0]?.input).toBe('(the question was not recorded)');
  expect(linesOf(project, 'answers.jsonl')[0]?.verdicts).toMatchObject({
    polite: { value: 0.2, passed: false },
  });
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/otel');

test.skipIf(!existsSync(data))(
  'events on spans and log records give the same verdicts, alone and together (needs ../shared/data)',
  async () => {
    const text = readFileSync(path.join(data, 'evaluation-events.logs.json'), 'utf8');
    const number = text.split('"gen_ai.evaluation.result"').length - 1;
    for (const name of ['evaluation-events.logs.json', 'spans-with-evaluations.traces.json', '.']) {
      const project = await translateProject(path.join(data, name));
      const verdicts = linesOf(project, 'answers.jsonl').flatMap((row) => Object.values(row.verdicts ?? {}));
      expect(project.record.found).toMatch(`${number} evaluation results`);
      expect(verdicts).toHaveLength(number);
      expect(verdicts.map(({ value }) => value)).toEqual([1, 0.55, 0.4, undefined]);
    }
  },
);
