import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from './assistant/database.ts';
import { formatDate, formatDollars } from './assistant/format-value.ts';
import { readPassages } from './assistant/passages.ts';
import answerFirst from './assistant.ts';
import answerSecond from './assistant-v2.ts';

interface GoldenQuestion {
  id: string;
  question: string;
  category: string;
  expected_tools: string[];
  expected_keywords: string[];
}

const lines = readFileSync(join(import.meta.dirname, 'golden.jsonl'), 'utf8')
  .trim()
  .split('\n');
const golden = lines.map((line) => JSON.parse(line) as GoldenQuestion);
const database = openDatabase();

function select(sql: string): Record<string, string | number | null>[] {
  return database.prepare(sql).all() as Record<string, string | number | null>[];
}

test('the golden set has enough well-formed questions with unique ids', () => {
  expect(golden.length).toBeGreaterThanOrEqual(48);
  expect(new Set(golden.map((row) => row.id)).size).toBe(golden.length);
  const tools = new Set(['query_database', 'search_document_content', 'list_business_documents']);
  for (const row of golden) {
    expect(row.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(row.question.length).toBeGreaterThan(5);
    expect(row.expected_tools.every((tool) => tools.has(tool))).toBe(true);
    expect(row.expected_keywords.length).toBeGreaterThanOrEqual(row.expected_tools.length);
  }
});

test('each of the nine categories has at least four questions, and five hybrids need two tools', () => {
  const counts = Map.groupBy(golden, (row) => row.category);
  expect([...counts.keys()].sort()).toEqual([
    'aggregations',
    'compliance',
    'documents',
    'formation',
    'governance',
    'hybrid',
    'property_financials',
    'property_info',
    'transactions',
  ]);
  for (const rows of counts.values()) expect(rows.length).toBeGreaterThanOrEqual(4);
  expect(golden.filter((row) => row.expected_tools.length === 2).length).toBeGreaterThanOrEqual(5);
});

test('every figure that is expected follows from the database or a document', () => {
  const known = knownText();
  const factual = golden.filter((row) => row.expected_tools.length > 0);
  const figures = factual.flatMap((row) => row.expected_keywords).filter((keyword) => /\d{2}/.test(keyword));
  expect(figures.length).toBeGreaterThan(50);
  expect(figures.filter((figure) => !known.includes(figure.toLowerCase()))).toEqual([]);
});

test('the second version is better on the whole, and worse on some questions', async () => {
  const first = await scoreAll(answerFirst);
  const second = await scoreAll(answerSecond);
  const differences = second.map((score, at) => score - (first[at] ?? 0));
  expect(mean(first)).toBeCloseTo(0.8223, 4);
  expect(mean(second)).toBeCloseTo(0.874, 4);
  expect(differences.filter((difference) => difference > 1e-9)).toHaveLength(13);
  expect(differences.filter((difference) => difference < -1e-9)).toHaveLength(4);
});

/** All documents, all cells, and sums by span, type, category and counterparty, apart from the assistant. */
function knownText(): string {
  const tables = ['company', 'properties', 'transactions', 'obligations', 'documents'];
  const cells = tables.flatMap((table) => select(`SELECT * FROM ${table}`).flatMap(Object.values));
  const spans = [
    "''",
    'substr(date, 1, 4)',
    'substr(date, 1, 7)',
    'substr(date, 1, 4) || (substr(date, 6, 2) + 2) / 3',
  ];
  const subjects = ["''", 'type', 'category', 'counterparty'];
  const groups = spans.flatMap((span) => subjects.map((subject) => `GROUP BY ${span} || ${subject}`));
  const sums = groups.flatMap((group) =>
    select(`SELECT ROUND(SUM(amount), 2) AS total, COUNT(*) AS count, ROUND(SUM(amount) / 12, 2) AS monthly,
      ROUND(SUM(CASE type WHEN 'income' THEN amount WHEN 'expense' THEN -amount END), 2) AS net
      FROM transactions ${group}`).flatMap(Object.values),
  );
  const months = select("SELECT strftime('%Y-%m-01', date) AS month FROM transactions").map(
    (row) => row.month,
  );
  const formatted = [...cells, ...sums, ...months].flatMap((value) =>
    typeof value === 'number'
      ? [formatDollars(value), value]
      : [value, /^\d{4}-\d\d-\d\d$/.test(value ?? '') ? formatDate(value) : ''],
  );
  const documents = readPassages().flatMap((passage) => [passage.title, passage.heading, passage.text]);
  const named = months.map((month) => formatDate(month).replace(' 1,', ''));
  return [...formatted, ...named, ...documents].join('\n').toLowerCase();
}

/** The three-component score of each golden question: tools 40 %, keywords 40 %, no error 20 %. */
async function scoreAll(answer: typeof answerFirst): Promise<number[]> {
  return Promise.all(
    golden.map(async (row) => {
      const reply = await answer(row.question);
      const text = reply.answer.toLowerCase();
      const hasTools = row.expected_tools.every((tool) => reply.toolCalls.some((call) => call.name === tool));
      const found = row.expected_keywords.filter((keyword) => text.includes(keyword.toLowerCase()));
      const quality = row.expected_keywords.length === 0 ? 1 : found.length / row.expected_keywords.length;
      const isError = text.includes('i encountered an error while');
      return 0.4 * Number(hasTools) + 0.4 * quality + 0.2 * Number(!isError);
    }),
  );
}

function mean(scores: number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
