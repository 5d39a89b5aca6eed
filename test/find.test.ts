import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { definitionsOf } from '../src/library/config/definitions.ts';
import { touchstone } from './run-cli.ts';

const start = { cwd: process.cwd() };

test('a metric is found by what it is for, with what it needs and a line to paste', async () => {
  const { stdout, code } = await touchstone(['metrics', 'hallucination'], start);
  expect(code).toBe(0);
  expect(stdout).toContain('groundedness · grounding · needs a judge');
  expect(stdout).toContain('metrics: [{ use: groundedness, threshold: 0.9 }]');
});

test('what is not found is answered with the nearest word and exit code 4', async () => {
  const { stderr, code } = await touchstone(['metrics', 'halucination'], start);
  expect(code).toBe(4);
  expect(stderr).toContain('There are no metrics for "halucination". Near: hallucination → ');
  expect(stderr).toContain('groundedness');
});

test('a program gets the options of a metric as a JSON Schema', async () => {
  const { stdout } = await touchstone(['metrics', 'ndcg', '--json'], start);
  expect(JSON.parse(stdout)).toMatchObject([
    { name: 'ndcg', family: 'retrieval', reads: ['documents'], options: { properties: { k: {} } } },
  ]);
});

test('a question finds the page that answers it, and --page prints it', async () => {
  const found = await touchstone(['docs', 'how', 'many', 'questions'], start);
  expect(found.stdout).toContain('docs/how-many-questions.md:1');
  const page = await touchstone(['docs', '--page', 'gate'], start);
  expect(page.stdout).toMatch(/^# The gate\n/);
});

test('every metric stands on the page of what to check', () => {
  const page = readFileSync('docs/metrics.md', 'utf8');
  const missing = definitionsOf('metric').filter(({ name }) => !page.includes(`\`${name}\``));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
