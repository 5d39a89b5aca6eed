import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { supportedFacts } from '../../src/evaluate/metrics/grounding/supported-facts.ts';
import { buildCase, buildTrial } from '../../src/library/testing/build-records.ts';

interface Row {
  id: string;
  question: string;
  category: string;
  expected_answer: string;
  expected_keywords?: string[];
  expected_documents?: string[];
  expected_refusal?: boolean;
}

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
const readRows = (file: string) =>
  read(file)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

const faq: { category: string; question: string; answer: string }[] = parse(read('faq.csv'), {
  columns: true,
});
const answers = new Map(faq.map(({ question, answer }) => [question, answer]));
const golden = readRows('golden.jsonl');
const adversarial = readRows('adversarial.jsonl');
const metric = supportedFacts.definition.create(supportedFacts.definition.options.parse({}), {});

function expectSupported(id: string, answer: string): void {
  const documents = [{ id: 'knowledge', text: read('knowledge.md') }];
  const verdict = metric.score({ case: buildCase(), trial: buildTrial(answer, { documents }) });
  expect.soft(verdict, id).not.toMatchObject({ explanation: expect.anything() });
}

test('the FAQ has 68 different questions', () => {
  expect(faq).toHaveLength(68);
  expect(answers.size).toBe(68);
});

test('a golden question means a row of the FAQ, whose answer it expects', () => {
  expect(golden).toHaveLength(60);
  for (const { id, expected_documents: [question] = [], ...row } of golden) {
    if (question !== undefined) expect.soft(answers.get(question), id).toBe(row.expected_answer);
    for (const keyword of row.expected_keywords ?? []) {
      expect.soft(row.expected_answer.toLowerCase(), id).toContain(keyword.toLowerCase());
    }
  }
});

test('an adversarial request expects a refusal', () => {
  expect(adversarial).toHaveLength(18);
  for (const { id, expected_refusal, expected_answer } of adversarial) {
    expect.soft(expected_refusal, id).toBe(true);
    expect.soft(expected_answer, id).toMatch(/cannot|will not/);
  }
});

test('ids are used once', () => {
  const ids = [...golden, ...adversarial].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the knowledge text holds every fact of the FAQ and of the expected answers', () => {
  for (const { question, answer } of faq) expectSupported(question, answer);
  for (const { id, expected_answer } of [...golden, ...adversarial]) expectSupported(id, expected_answer);
});
