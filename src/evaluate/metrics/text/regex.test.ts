import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { testMetricContract } from '../../../library/testing/metric-contract.ts';
import { regex } from './regex.ts';

const score = (options: Parameters<typeof regex>[0], answer: string | null) =>
  regex.definition
    .create(regex.definition.options.parse(options), {})
    .score({ case: buildCase(), trial: buildTrial(answer) });

testMetricContract(
  'regex',
  () => regex.definition.create(regex.definition.options.parse({ pattern: 'basis' }), {}),
  {
    test,
    expect,
  },
);

test('a match scores 1 and is shown; no match scores 0', () => {
  expect(score({ pattern: String.raw`\$[\d,]+` }, 'It cost $442,300.')).toMatchObject({
    value: 1,
    evidence: { match: '$442,300' },
  });
  expect(score({ pattern: 'x' }, null)).toMatchObject({ value: 0, explanation: 'no match' });
});

test('ignores case unless the flags say otherwise, and repeated calls give the same result', () => {
  expect(score({ pattern: '^yes' }, 'YES')).toMatchObject({ value: 1 });
  expect(score({ pattern: '^yes', flags: '' }, 'YES')).toMatchObject({ value: 0 });
});

test('rejects an invalid expression in the options', () => {
  expect(regex.definition.options.safeParse({ pattern: '(' }).success).toBe(false);
  expect(regex.definition.options.safeParse({ pattern: 'x', flags: 'g' }).success).toBe(false);
});

test('a pattern that takes too long gives no score and a reason', () => {
  const text = `${'a'.repeat(40)}!`;
  expect(() => score({ pattern: '^(a+)+$' }, text)).toThrow(
    expect.objectContaining({ code: 'pattern-too-slow', message: expect.stringContaining('/^(a+)+$/iu') }),
  );
});
