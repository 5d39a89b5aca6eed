import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeIssues, formatSetting } from './config-problem.ts';
import { configSchema } from './config.ts';

function describe(value: unknown, schema: z.ZodType = configSchema): string[] {
  const { error } = schema.safeParse(value);
  if (error === undefined) return [];
  return describeIssues(error, value, schema).map(
    ({ path, message }) => `${formatSetting(path)}: ${message}`,
  );
}

const good = { dataset: 'a.csv', targets: [{ use: 'module', path: 'bot.ts' }] };

test('a valid configuration has no issues', () => {
  expect(describe(good)).toEqual([]);
});

test.each([
  [{ attempts: 0 }, 'attempts: expected a number of at least 1, found the number 0'],
  [{ attempts: 1.5 }, 'attempts: expected a whole number, found the number 1.5'],
  [{ timeLimitMs: 0 }, 'timeLimitMs: expected a number above 0, found the number 0'],
  [{ targets: 'bot' }, 'targets: expected a list, found the text "bot"'],
  [{ targets: undefined }, 'targets: expected a list, found nothing'],
  [{ targets: [{ path: 'a' }] }, 'targets[0].use: expected a text, found nothing'],
  [{ dataset: 5 }, 'dataset: expected a text, a list or an object, found the number 5'],
  [{ dataset: { path: ['a', ''] } }, 'dataset.path[1]: expected a text that is not empty, found the text ""'],
  [
    { dataset: { path: 'a', format: 'jsnl' } },
    'dataset.format: expected "jsonl", "json", "csv", "xlsx", "parquet" or "yaml", found the text "jsnl". Did you mean "jsonl"?',
  ],
  [
    { telemetry: { otlp: 'localhost' } },
    'telemetry.otlp: expected an address such as `https://example.com`, found the text "localhost"',
  ],
  [
    { telemetry: { headersFromEnv: { '': 'KEY' } } },
    'telemetry.headersFromEnv.: expected a text that is not empty as the name, found the text ""',
  ],
  [{ scorecard: 5 }, 'scorecard: expected a text or an object, found the number 5'],
  [{ gate: { failUnder: 120 } }, 'gate.failUnder: expected a number of at most 100, found the number 120'],
])('the message for %j names what was expected and what was found', (settings, message) => {
  expect(describe({ ...good, ...settings })).toEqual([message]);
});

test.each([
  [{ concurency: 1 }, 'concurency: unknown setting. Did you mean "concurrency"?'],
  [{ gate: { failunder: 1 } }, 'gate.failunder: unknown setting. Did you mean "failUnder"?'],
  [
    { gate: { x: 1 } },
    'gate.x: unknown setting. Known are failUnder, targets, minCoverage, rules, baseline, judge, sequential, inconclusive.',
  ],
  [{ dataset: { path: 'a', formt: 'csv' } }, 'dataset.formt: unknown setting. Did you mean "format"?'],
  [
    { telemetry: { endpoint: 'http://otel' } },
    'telemetry.endpoint: unknown setting. Known are otlp, headersFromEnv, content.',
  ],
  [{ perturb: [{ kind: 'typos', rat: 1 }] }, 'perturb[0].rat: unknown setting. Did you mean "rate"?'],
])('the message for %j lists the known names', (settings, message) => {
  expect(describe({ ...good, ...settings })).toEqual([message]);
});

test.each([
  [
    { targets: { v1: { use: 'http' } } },
    'targets: expected a list, found an object with the key v1. Give each entry its name and put them into a list: `targets: [{ name: v1, use: … }]`.',
  ],
  [
    { targets: { use: 'http' } },
    'targets: expected a list, found an object with the key use. Put it into a list: `targets: [{ use: … }]`.',
  ],
  [
    { targets: [{ type: 'http' }] },
    'targets[0].use: expected a text, found nothing. "type" is called "use" here.',
  ],
  [{ dataset: undefined, tests: 'a.csv' }, 'tests: unknown setting. Here it is called "dataset".'],
  [{ maxConcurrency: 4 }, 'maxConcurrency: unknown setting. Here it is called "concurrency".'],
])('the message for %j, as other tools have it, says how it is written', (settings, message) => {
  expect(describe({ ...good, ...settings })).toEqual([message]);
});

test('a column can be read as the weight of a case', () => {
  expect(describe({ ...good, dataset: { path: 'a', fields: { Anteil: 'weight' } } })).toEqual([]);
});

test('the message for an unknown field suggests the nearest one', () => {
  const [message] = describe({ ...good, dataset: { path: 'a', fields: { mine: 'expected.anwser' } } });
  expect(message).toMatch(
    /^dataset\.fields\.mine: the text "expected\.anwser" is none of the \d+ known names\. Did you mean "expected\.answer"\?$/,
  );
});

test('known names are found inside lists, records, defaults and alternatives', () => {
  const inner = z.strictObject({ weight: z.number().default(1), name: z.string().optional() });
  const schema = z.strictObject({
    list: z.array(z.union([z.string(), inner])).default([]),
    byName: z.record(z.string(), inner.nullable()).optional(),
    one: inner.prefault({}),
  });
  const wrong = { wieght: 2 };
  expect(describe({ list: ['a', wrong], byName: { b: wrong }, one: wrong }, schema)).toEqual([
    'list[1].wieght: unknown setting. Did you mean "weight"?',
    'byName.b.wieght: unknown setting. Did you mean "weight"?',
    'one.wieght: unknown setting. Did you mean "weight"?',
  ]);
});

test('where no setting is allowed, the message says so', () => {
  expect(describe({ a: 1 }, z.strictObject({}))).toEqual([
    'a: unknown setting. No settings are allowed here.',
  ]);
});

test("an extension's own message is kept", () => {
  const schema = z.strictObject({}).refine(() => false, 'give one of `path` and `function`');
  expect(describe({}, schema)).toEqual([': give one of `path` and `function`']);
});
