import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import type { Result } from '../../../core/schema/result.ts';
import { sampleResult, sampleRun } from '../../../../test/support/build-sample-run.ts';
import type { SampleTrial } from '../../../../test/support/judge-sample.ts';
import { questionRow } from './question-row.ts';

function rowOf(sample: SampleTrial, change: (result: Result) => Result = (result) => result) {
  const result = change(sampleResult(sample, 0));
  return questionRow(sampleRun([result]), result);
}

test('a trial that failed is an error, whatever the scorecard says', () => {
  const error = { code: 'timeout', message: 'late' };
  const row = rowOf({ error }, (result) => ({ ...result, scorecard: sampleResult({}, 0).scorecard }));
  expect(row.outcome).toBe('error');
  expect(row.notes).toEqual([{ name: 'timeout', text: 'late', isError: true }]);
});

test('retries are mentioned with the error', () => {
  const error = { code: 'timeout', message: 'late' };
  const row = rowOf({ error }, (result) => ({ ...result, trial: { ...result.trial, retries: 2 } }));
  expect(row.notes[0]?.text).toBe('late (after 3 tries)');
});

test('a cancelled trial and one that is not scored yet are not measured', () => {
  expect(
    rowOf({}, (result) => ({ ...result, trial: { ...result.trial, status: 'cancelled' } })).outcome,
  ).toBe('not-measured');
  expect(rowOf({}, (result) => ({ ...result, scorecard: null })).outcome).toBe('not-measured');
});

test('without evidence the tools are read from the transcript and the case', () => {
  const sample = { expectedTools: ['query', 'list'], usedTools: ['query', 'search', 'query'] };
  expect(rowOf(sample, (result) => ({ ...result, verdicts: {} })).tools).toEqual({
    expected: ['query', 'list'],
    used: ['query', 'search'],
    missing: ['list'],
  });
});

test('evidence of any shape is read without an error', () => {
  const evidence = fc.oneof(
    fc.jsonValue(),
    fc.record({
      expected: fc.jsonValue(),
      used: fc.jsonValue(),
      missing: fc.jsonValue(),
      found: fc.jsonValue(),
    }),
    fc.record({ error: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(evidence, (value) => {
      const row = rowOf({ expectedTools: ['query'] }, (result) => withEvidence(result, value as Json));
      const names = [...(row.tools?.missing ?? []), ...row.terms.flatMap(({ missing }) => missing)];
      expect(names.every((name) => typeof name === 'string')).toBe(true);
    }),
  );
});

function withEvidence(result: Result, evidence: Json): Result {
  const verdict = { status: 'scored', value: 0, evidence } as const;
  return { ...result, verdicts: { 'tool-usage': verdict, keywords: verdict, 'error-handling': verdict } };
}

test('a component that is not shown separately has a note when it falls short', () => {
  const result = sampleResult({}, 0);
  const run = sampleRun([result]);
  const scorecard = run.scorecard;
  if (scorecard === null) throw new Error('the sample has a scorecard');
  const judged = { name: 'faithfulness', metric: 'judge', weight: 0.5, required: false };
  const verdict = { status: 'scored', value: 0.4, explanation: 'one claim has no source' } as const;
  const row = questionRow(
    { ...run, scorecard: { ...scorecard, criteria: [judged] } },
    { ...result, verdicts: { judge: verdict } },
  );
  expect(row.notes).toEqual([
    { name: 'faithfulness', text: '40.0 %, one claim has no source', isError: false },
  ]);
});

test('a question that did not pass names what was retrieved, where documents are expected', () => {
  const withDocuments = (ids: readonly string[] | undefined) => (result: Result) => ({
    ...result,
    case: { ...result.case, expected: { ...result.case.expected, documents: ['fees'] } },
    trial: { ...result.trial, documents: ids?.map((id) => ({ id })) },
  });
  const noteOf = (ids: readonly string[] | undefined, sample: SampleTrial = { missing: ['x'] }) =>
    rowOf(sample, withDocuments(ids)).notes.find(({ name }) => name === 'retrieved')?.text;
  expect(noteOf(['hours#2', 'rules'])).toBe('hours#2, rules');
  expect(noteOf([])).toBe('nothing');
  expect(noteOf(Array.from({ length: 10 }, (_, index) => `d${index}`))).toBe(
    'd0, d1, d2, d3, d4, d5, d6, d7, … 2 more',
  );
  expect(noteOf(undefined)).toBe(undefined);
  expect(noteOf(['hours#2'], { found: ['x'] })).toBe(undefined);
});
