import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeExpectation, resolveUnionIssues } from './schema-issues.ts';

function expectationsOf(schema: z.ZodType, value: unknown) {
  const issues = resolveUnionIssues(schema.safeParse(value).error?.issues ?? []);
  return issues.map((issue) => [issue.path.join('.'), describeExpectation(issue)]);
}

test.each([
  [z.string(), 5, 'a text'],
  [z.string().min(1), '', 'a text that is not empty'],
  [z.string().max(3), 'abcd', 'a text of at most 3 characters'],
  [z.int(), 1.5, 'a whole number'],
  [z.number().min(0), -1, 'a number of at least 0'],
  [z.number().positive(), 0, 'a number above 0'],
  [z.number().max(100), 101, 'a number of at most 100'],
  [z.boolean(), 'yes', 'true or false'],
  [z.array(z.string()), 'a', 'a list'],
  [z.array(z.string()).min(1), [], 'a list that is not empty'],
  [z.record(z.string(), z.string()), [], 'an object'],
  [z.enum(['csv', 'json', 'yaml']), 'xml', '"csv", "json" or "yaml"'],
  [z.union([z.string(), z.array(z.string())]), 5, 'a text or a list'],
  [z.union([z.string(), z.null(), z.literal(false)]), true, 'a text, null or false'],
  [z.union([z.enum(['a', 'b']), z.null()]), 5, '"a", "b" or null'],
  [z.union([z.union([z.string(), z.looseObject({})]), z.object({})]), 5, 'a text or an object'],
  [z.union([z.boolean(), z.object({})]), 5, 'true, false or an object'],
  [z.url(), 'localhost', 'an address such as `https://example.com`'],
])('the expectation of a schema is described, %#', (schema, value, expectation) => {
  expect(expectationsOf(schema, value)).toEqual([['', expectation]]);
});

test('an issue whose message is a whole sentence has no expectation', () => {
  const schema = z.string().refine(() => false, 'no text will do');
  expect(expectationsOf(schema, 'a')).toEqual([['', undefined]]);
});

const use = z.union([z.string().min(1), z.strictObject({ use: z.string(), size: z.int().optional() })]);

test('of the alternatives of a union, the one of the right shape was meant', () => {
  expect(expectationsOf(z.object({ metric: use }), { metric: { use: 'a', size: 1.5 } })).toEqual([
    ['metric.size', 'a whole number'],
  ]);
  expect(expectationsOf(z.array(use), ['a', ''])).toEqual([['1', 'a text that is not empty']]);
  expect(expectationsOf(use, 5)).toEqual([['', 'a text or an object']]);
});

const call = z.strictObject({ name: z.string() });
const group = z.strictObject({ together: z.array(z.string()) });

test('of several objects, the one that knows the most of the keys was meant', () => {
  expect(expectationsOf(z.union([call, group]), { together: 5 })).toEqual([['together', 'a list']]);
  expect(expectationsOf(z.union([call, group]), { name: 5 })).toEqual([['name', 'a text']]);
  const item = z.union([z.union([z.string(), call]), group]);
  expect(expectationsOf(item, { together: 5 })).toEqual([['together', 'a list']]);
  expect(expectationsOf(item, { nme: 5 })[0]).toEqual(['name', 'a text']);
});

test('a setting that is not known shows that the object was meant', () => {
  const issues = resolveUnionIssues(use.safeParse({ use: 'a', sise: 1 }).error?.issues ?? []);
  expect(issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['sise'] }]);
});
