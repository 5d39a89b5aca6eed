import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import { reportedCalls } from './reported-calls.ts';

const metric = reportedCalls.definition.create({ threshold: 1 }, {});
const seen = (name: string, id: number): ToolCall => ({
  name,
  arguments: { id },
  result: 'ok',
  observed: true,
});

function verdictOf(calls: readonly ToolCall[], reported: readonly ToolCall[] | undefined) {
  const transcript = [{ role: 'assistant' as const, content: 'Done.', toolCalls: [...calls] }];
  const trial = { ...buildTrial('x', { transcript }), ...(reported && { reportedCalls: [...reported] }) };
  return metric.score({ case: buildCase({}), trial });
}

test('calls that are reported as they were made pass, whatever their arguments are written as', () => {
  const reported = [{ name: 'search', arguments: '{"id":1}' }, { name: 'refund' }];
  expect(verdictOf([seen('search', 1), seen('refund', 2)], reported)).toMatchObject({
    value: 1,
    passed: true,
  });
});

test.each([
  ['made-up', [seen('search', 1)], [{ name: 'search', arguments: { id: 1 } }, { name: 'mail' }], 2 / 3],
  ['hidden', [seen('search', 1), seen('mail', 1)], [{ name: 'search', arguments: { id: 1 } }], 2 / 3],
  ['other-arguments', [seen('search', 1)], [{ name: 'search', arguments: { id: 2 } }], 0],
  ['other-result', [seen('search', 1)], [{ name: 'search', arguments: { id: 1 }, result: 'no' }], 1],
])('%s', (label, calls, reported, value) => {
  const verdict = verdictOf(calls, reported);
  expect(verdict).toMatchObject({ status: 'scored', passed: false, evidence: { labels: [{ label }] } });
  expect(verdict).toHaveProperty('value', expect.closeTo(value));
});

test('a bot that claims nothing, and one whose tools are not seen, are not judged', () => {
  expect(verdictOf([seen('search', 1)], undefined)).toMatchObject({ status: 'not-applicable' });
  expect(verdictOf([{ name: 'search' }], undefined)).toMatchObject({ status: 'not-applicable' });
});
