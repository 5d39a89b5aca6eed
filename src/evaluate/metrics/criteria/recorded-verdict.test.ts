import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { testMetricContract } from '../../../library/testing/metric-contract.ts';
import { recordedVerdict } from './recorded-verdict.ts';

testMetricContract(
  'recorded-verdict',
  () => recordedVerdict.definition.create({ of: 'Tone', column: 'verdicts' }, {}),
  { test, expect },
);

function score(recorded: Record<string, Json> | undefined, options: object = { of: 'Tone' }) {
  const { definition } = recordedVerdict;
  const trial = buildTrial('x', { recorded });
  return definition.create(definition.options.parse(options), {}).score({ case: buildCase(), trial });
}

test.each<Record<string, Json>>([
  { status: 'scored', value: 0.8, passed: false, explanation: 'rude', evidence: { words: ['fool'] } },
  { status: 'scored', value: 6, unit: 'score', label: 'high' },
  { status: 'failed', code: 'judge-unreadable', reason: 'the grader could not be read' },
  { status: 'not-applicable', reason: 'no sources' },
])('%j is passed on as it is', (verdict) => {
  expect(score({ verdicts: { Tone: verdict } })).toEqual(verdict);
});

test('a check that the other tool did not make is not applicable; an answer without any is not measured', () => {
  expect(score({ verdicts: {} })).toMatchObject({ status: 'not-applicable' });
  expect(score({ verdicts: { constructor: 1 } })).toMatchObject({ status: 'not-applicable' });
  expect(score(undefined)).toMatchObject({ status: 'failed', code: 'not-recorded' });
  expect(score({ verdicts: null })).toMatchObject({ status: 'failed', code: 'not-recorded' });
});

test('a check that is not ported is not measured without its recorded verdict, whatever else is recorded', () => {
  const options = { of: 'Tone', unported: 'it is code' };
  for (const recorded of [undefined, { verdicts: null }, { verdicts: { other: 1 } }])
    expect(score(recorded, options)).toEqual({
      status: 'failed',
      code: 'not-ported',
      reason: 'not measured until ported: it is code',
    });
  expect(score({ verdicts: { Tone: { status: 'scored', value: 1 } } }, options)).toMatchObject({ value: 1 });
});

test('what is no verdict is not measured', () => {
  expect(score({ verdicts: { Tone: 0.5 } })).toMatchObject({ code: 'recorded-invalid' });
  expect(score({ verdicts: { Tone: { status: 'scored', value: 6 } } })).toEqual({
    status: 'failed',
    code: 'recorded-invalid',
    reason: '`verdicts.Tone` has the value 6; one without a unit is from 0 to 1',
  });
});

test('a name with dots is one name, and judgements of another tool are left out', () => {
  const verdict = { status: 'scored', value: 1, judgements: ['a'] };
  expect(score({ verdicts: { 'style.length': verdict } }, { of: 'style.length' })).toEqual({
    status: 'scored',
    value: 1,
  });
});
