import { expect, test } from 'vitest';
import type { Message } from '../../../core/schema/message.ts';
import { callModeSchema, expectedCallsSchema } from '../../../core/schema/expected-calls.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { valueOf } from '../../../../test/support/score-answer.ts';
import { compileMatcher } from '../matching/compile-matcher.ts';
import { toolCalls } from './tool-calls.ts';
import { argumentModes, argumentRows } from '../../../../test/support/argument-rows.ts';
import { matcherRows } from '../../../../test/support/matcher-rows.ts';
import { type ModeRow, modeRows } from '../../../../test/support/mode-rows.ts';

const metric = toolCalls.definition.create({ ignoreTools: [] }, {});

const cells = modeRows.flatMap((row) => callModeSchema.options.map((mode) => ({ ...row, mode })));

test.each(cells)('$mode: expected $expect, made $made', ({ expect: items, made, holds, mode }) => {
  const calls = { mode, expect: [...items] };
  if (!expectedCallsSchema.safeParse(calls).success) return expect(holds).not.toContain(mode);
  const trial = buildTrial('x', { transcript: made.map(toMessage) });
  const verdict = metric.score({ case: buildCase({ expected: { calls } }), trial }) as Verdict;
  return expect(valueOf(verdict)).toBe(Number(holds.includes(mode)));
});

function toMessage(asked: ModeRow['made'][number]): Message {
  const toolCalls = [asked].flat().map((call) => (typeof call === 'string' ? { name: call } : call));
  return { role: 'assistant', content: null, toolCalls };
}

test.each(argumentRows)('$expected against $actual', ({ expected, actual, holds }) => {
  const fitting = argumentModes.filter(
    (mode) => compileMatcher(expected, { mode }).match(actual).length === 0,
  );
  expect(fitting).toEqual(holds);
});

test.each(matcherRows)('$matcher', ({ matcher, fits, others }) => {
  const { match } = compileMatcher(matcher, { mode: 'exact' });
  for (const value of fits) expect.soft(match(value), JSON.stringify(value)).toEqual([]);
  for (const value of others) expect.soft(match(value), JSON.stringify(value)).toHaveLength(1);
});
