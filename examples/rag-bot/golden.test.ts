import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import answer from './bot.ts';

interface Row {
  id: string;
  question: string;
  expected_keywords: string[];
  expected_documents?: string[];
  expected_refusal: boolean;
}

const read = (...file: string[]) => readFileSync(path.join(import.meta.dirname, ...file), 'utf8');
const golden = read('golden.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

test('every question has an id of its own, and expects documents or that the bot cannot answer', () => {
  expect(new Set(golden.map(({ id }) => id)).size).toBe(golden.length);
  for (const { id, expected_documents = [], expected_refusal } of golden) {
    expect.soft(expected_documents.length > 0, id).toBe(!expected_refusal);
  }
});

test('every document is expected by a question, and holds the keywords that are', () => {
  const named = new Set(golden.flatMap(({ expected_documents = [] }) => expected_documents));
  const files = readdirSync(path.join(import.meta.dirname, 'documents'));
  expect([...named].sort()).toEqual(files.map((file) => path.parse(file).name).sort());
  for (const { id, expected_documents, expected_keywords } of golden) {
    if (expected_documents === undefined) continue;
    const texts = expected_documents.map((name) => read('documents', `${name}.md`).toLowerCase()).join('\n');
    for (const keyword of expected_keywords) expect.soft(texts, id).toContain(keyword.toLowerCase());
  }
});

test('the bot gives what it found, best first, and quotes nothing else', () => {
  for (const { id, question, expected_refusal } of golden) {
    const { answer: text, documents } = answer(question);
    const scores = documents.map(({ score }) => score);
    expect.soft(scores, id).toEqual([...scores].sort((a, b) => b - a));
    expect.soft(documents.length, id).toBeLessThanOrEqual(3);
    const isQuoted = documents.some((document) => document.text.includes(text.split('. ')[0] ?? text));
    if (expected_refusal) expect.soft(text, id).toMatch(/cannot answer/);
    else expect.soft(isQuoted || text.includes('cannot answer'), id).toBe(true);
  }
});
