import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { toolCalls } from '../src/evaluate/metrics/tools/tool-calls.ts';
import { expectedSchema } from '../src/core/schema/expected.ts';
import { expectedCallsSchema } from '../src/core/schema/expected-calls.ts';
import type { Message, ToolCall } from '../src/core/schema/message.ts';
import type { Verdict } from '../src/core/schema/verdict.ts';
import { buildCase, buildTrial } from '../src/library/testing/build-records.ts';
import { comparisonTables, withTables } from './write-call-tables.ts';

const page = readFileSync('docs/tool-calls.md', 'utf8');

test('the tables of the page equal those of the tests', () => {
  expect(withTables(page)).toBe(page);
});

test('the table of comparisons equals that of the tests', () => {
  const answers = readFileSync('docs/expected-answers.md', 'utf8');
  expect(withTables(answers, comparisonTables)).toBe(answers);
});

test('an outdated table is rewritten; a page without a place for it is refused', () => {
  const altered = page.replace('✓', '✗');
  expect(altered).not.toBe(page);
  expect(withTables(altered)).toBe(page);
  expect(() => withTables('# Tool calls')).toThrow('<!-- modes -->');
});

const blocks = (language: string) =>
  Array.from(
    page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g')),
    ([, text = '']) => text,
  );

type Made = readonly (string | ToolCall | readonly (string | ToolCall)[])[];

/** Each conversation of an example: its rules, its calls, and whether they follow the rules. */
const conversations = blocks('yaml').flatMap((text) => {
  const { expected, ...rest } = parse(text) as { expected?: object; metrics?: object };
  const lines = Array.from(text.matchAll(/^# (kept|broken): (.*)$/gm));
  return lines.map(([line, verdict, made = '']) => ({
    line,
    expected: expected ?? rest,
    made: parse(made) as Made,
    isKept: verdict === 'kept',
  }));
});

const metric = toolCalls.definition.create({ ignoreTools: [] }, {});

test.each(conversations)('$line', ({ expected, made, isKept }) => {
  const input = {
    case: buildCase({ expected: expectedSchema.strict().parse(expected) }),
    trial: buildTrial('Done.', { transcript: made.map(toMessage) }),
  };
  const verdict = metric.score(input) as Verdict;
  expect(verdict).toMatchObject({ status: 'scored', passed: isKept });
});

function toMessage(asked: Made[number]): Message {
  const toolCalls = [asked].flat().map((call) => (typeof call === 'string' ? { name: call } : call));
  return { role: 'assistant', content: null, toolCalls };
}

test('every example that is not a setting of metrics is tested', () => {
  const tried = blocks('yaml').filter((text) => /^# (kept|broken): /m.test(text));
  expect(tried.length).toBeGreaterThan(5);
  expect(blocks('yaml').filter((text) => !tried.includes(text) && !text.startsWith('metrics:'))).toEqual([]);
});

test('the explanation on the page is the real one', () => {
  const [, broken] = conversations;
  const expected = expectedSchema.parse(broken?.expected);
  const trial = buildTrial('Done.', { transcript: (broken?.made ?? []).map(toMessage) });
  const { explanation } = metric.score({ case: buildCase({ expected }), trial }) as { explanation?: string };
  expect(page.replaceAll(/\n> /g, ' ')).toContain(explanation);
});

test('every row of the JSONL example has rules', () => {
  const rows = blocks('jsonl').flatMap((text) => text.trim().split('\n'));
  expect(rows.length).toBeGreaterThan(2);
  for (const row of rows) {
    const { expected_calls } = JSON.parse(row) as { expected_calls: unknown };
    expect(expectedCallsSchema.safeParse(expected_calls).error).toBeUndefined();
  }
});
