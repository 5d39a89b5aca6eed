import { expect, test } from 'vitest';
import type { Usage } from '../../../core/schema/usage.ts';
import { buildCase, buildFailedTrial, buildTrial } from '../../../library/testing/build-records.ts';
import { tokens } from './tokens.ts';

const score = (usage: Usage | undefined, options: object = {}) =>
  tokens.definition
    .create(tokens.definition.options.parse(options), {})
    .score({ case: buildCase(), trial: buildTrial('x', { usage }) });

test('counts all tokens, or those of one kind', () => {
  const usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 60, reasoningTokens: 5 };
  expect(score(usage)).toEqual({ status: 'scored', value: 120, unit: 'tokens' });
  const counts = ['input', 'output', 'cached', 'reasoning'].map((count) => score(usage, { count }));
  expect(counts).toMatchObject([{ value: 100 }, { value: 20 }, { value: 60 }, { value: 5 }]);
  expect(score(usage, { max: 120 })).toMatchObject({ passed: true });
  expect(score(usage, { max: 119 })).toMatchObject({ passed: false });
});

test('what the target did not report is not measured, and never 0', () => {
  const unknown = { status: 'failed', code: 'tokens-unknown' };
  expect(score(undefined)).toMatchObject(unknown);
  expect(score({ inputTokens: 100 })).toMatchObject(unknown);
  expect(score({ inputTokens: 100 }, { count: 'cached' })).toMatchObject({
    ...unknown,
    reason: 'the target did not report its number of cached tokens',
  });
});

test('a failed trial used tokens, too', () => {
  const trial = buildFailedTrial('timeout', 'late', { usage: { inputTokens: 7, outputTokens: 0 } });
  const metric = tokens.definition.create({ count: 'all' }, {});
  expect(metric.measuresFailures).toBe(true);
  expect(metric.score({ case: buildCase(), trial })).toMatchObject({ value: 7 });
});
