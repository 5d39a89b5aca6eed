import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Case } from 'touchstone-evals';
import { buildXlsx } from './support/build-xlsx.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const folder = await temporaryFolder();

const config = 'dataset: golden.jsonl\ntargets:\n  - { use: module, name: echo, path: echo.mjs }\n';
await mkdir(path.join(folder, 'data'));
await write({ 'echo.mjs': 'export default (question) => question;\n', 'touchstone.config.yaml': config });

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
}

/** Runs the project and returns its cases, the answers of the echo bot, and the notices. */
async function run(args: readonly string[], input?: string) {
  const store = await temporaryFolder();
  const command = ['run', '--json', '--store', store, ...args];
  const { code, stdout, stderr } = await touchstone(command, { cwd: folder, ...(input && { input }) });
  // Documents and other things that the bot does not report are not measured; only reading matters here.
  expect({ isReported: code === 0 || code === 2, stderr }).toMatchObject({ isReported: true });
  const report = JSON.parse(stdout);
  const results: { case: Case; trial: { answer: string } }[] = report.results;
  return {
    cases: results.map((result) => result.case),
    answers: results.map(({ trial }) => trial.answer),
    sources: report.run.dataset.sources,
    stderr,
  };
}

const rows = [
  { id: 'a', question: 'Où est-ce, 東京?', category: 'places', expected_keywords: ['Tokyo', '日本'] },
  { id: 'b', question: 'Say "hi", please', category: 'words', expected_tools: ['greet', 'wave'] },
];
const expectedCases = [
  {
    id: 'a',
    input: 'Où est-ce, 東京?',
    category: 'places',
    tags: [],
    expected: { keywords: ['Tokyo', '日本'] },
    metadata: {},
  },
  {
    id: 'b',
    input: 'Say "hi", please',
    category: 'words',
    tags: [],
    expected: { tools: ['greet', 'wave'] },
    metadata: {},
  },
];
const texts = {
  jsonl: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  json: JSON.stringify(rows, null, 2),
  csv: `id,question,category,expected_keywords,expected_tools
a,"Où est-ce, 東京?",places,Tokyo|日本,
b,"Say ""hi"", please",words,,"greet, wave"
`,
  yaml: `- id: a
  question: Où est-ce, 東京?
  category: places
  expected_keywords: [Tokyo, 日本]
- id: b
  question: Say "hi", please
  category: words
  expected_tools: [greet, wave]
`,
};

test.concurrent.each(Object.entries(texts))(
  '%s on standard input is recognized by its content',
  async (_, text) => {
    const { cases, answers, sources } = await run(['--dataset', '-'], text);
    expect(cases).toEqual(expectedCases);
    expect(answers).toEqual(rows.map(({ question }) => question));
    expect(sources).toEqual(['<stdin>']);
  },
);

test('the format can be given, and byte order marks, line ends and blank lines do not matter', async () => {
  const csv = `\ufeff\r\n${texts.csv.trimEnd().replaceAll('\n', '\r\n\r\n')}`;
  const jsonl = `\ufeff\r\n${texts.jsonl.replaceAll('\n', '\r\n \r\n').trimEnd()}`.replaceAll(
    '"id":"',
    '"id":"json-',
  );
  await write({ 'data/table.txt': csv });
  const table = ['--dataset', 'data/table.txt', '--dataset-format', 'csv'];
  expect((await run(table)).cases).toEqual(expectedCases);
  await write({ 'golden.jsonl': jsonl, 'data/wide.csv': Buffer.from(csv, 'utf16le') });
  const both = await run(['--dataset', 'golden.jsonl', '--dataset', 'data/wide.csv']);
  expect(both.cases.map(({ id }) => id)).toEqual(['json-a', 'json-b', 'a', 'b']);
});

test('an Excel sheet reads like its CSV', async () => {
  const table = [
    ['id', 'question', 'category', 'expected_keywords', 'expected_tools'],
    ['a', 'Où est-ce, 東京?', 'places', 'Tokyo|日本', ''],
    ['b', 'Say "hi", please', 'words', '', 'greet, wave'],
  ];
  const lines = table.map((row, line) => {
    const cells = row.map((text, column) => {
      const place = `${'ABCDE'.charAt(column)}${line + 1}`;
      return text === '' ? '' : `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
    });
    return `<row r="${line + 1}">${cells.join('')}</row>`;
  });
  await write({ 'data/golden.xlsx': buildXlsx(lines.join('')) });
  const args = ['--dataset', 'data/golden.xlsx'];
  expect((await run(args)).cases).toEqual(expectedCases);
  await write({ 'data/sheet.bin': buildXlsx(lines.join('')) });
  const named = await run(['--dataset', 'data/sheet.bin', '--dataset-format', 'xlsx']);
  expect(named.cases).toEqual(expectedCases);
});

test('files and globs are read once each, in the given order', async () => {
  for (const name of ['d', 'c', 'e']) await write({ [`data/${name}.jsonl`]: `{"question":"${name}"}\n` });
  const { answers, sources } = await run(['--dataset', 'data/e.jsonl', '--dataset', 'data/*.jsonl']);
  expect(answers).toEqual(['e', 'c', 'd']);
  expect(sources).toEqual(['e', 'c', 'd'].map((name) => path.join('data', `${name}.jsonl`)));
});

test('common column names are recognized; others become metadata, with one notice', async () => {
  const aliases = [
    { question: 'q1', expected_content: ['k'], expected_entities: ['e'], context: 'c' },
    { input: 'q2', expected_answer: 'a' },
    { prompt: 'q3', ground_truth: 'a' },
    { user_query: 'q4', reference: 'a' },
    { question: 'q5', ideal: ['a', 'b'] },
    { question: 'q6', target: 'a' },
    { question: 'q7', answer: 'a' },
    { question: 'q8', must_include: ['k'], must_not_include: ['f'] },
    { question: 'q9', expected: { tools: ['t'], documents: { d: 2 } } },
    { question: 'q10', relevant_ids: ['d'], author: 'me', difficulty: 3 },
    { question: 'q11', difficulty: 4 },
  ];
  await write({ 'aliases.json': JSON.stringify(aliases) });
  const { cases, stderr } = await run(['--dataset', 'aliases.json']);
  expect(cases.map(({ input }) => input)).toEqual(aliases.map((_, index) => `q${index + 1}`));
  expect(cases.map(({ expected }) => expected)).toEqual([
    { keywords: ['k'], entities: ['e'] },
    ...['q2', 'q3', 'q4'].map(() => ({ answer: 'a' })),
    { answer: ['a', 'b'] },
    { answer: 'a' },
    { answer: 'a' },
    { keywords: ['k'], forbidden: ['f'] },
    { tools: ['t'], documents: [{ id: 'd', relevance: 2 }] },
    { documents: ['d'] },
    {},
  ]);
  expect(cases[0]?.context).toBe('c');
  expect(cases.slice(-2).map(({ metadata }) => metadata)).toEqual([
    { author: 'me', difficulty: 3 },
    { difficulty: 4 },
  ]);
  expect(stderr.match(/Kept as metadata.*/g)).toEqual(['Kept as metadata: author, difficulty (2 rows)']);
});

test('a config can map, keep or drop columns, and this holds for other files too', async () => {
  const fields = 'fields: { text: question, gold: expected.answer, answer: null, secret: false }';
  await write({
    'mapped.yaml': config.replace('golden.jsonl', `{ path: nothing.csv, ${fields} }`),
    'mapped.csv': 'text,gold,answer,secret\nq,g,a,s\n',
  });
  const { cases, stderr } = await run(['mapped.yaml', '--dataset', 'mapped.csv']);
  expect(cases).toEqual([
    { id: cases[0]?.id, input: 'q', tags: [], expected: { answer: 'g' }, metadata: { answer: 'a' } },
  ]);
  expect(stderr).not.toContain('Kept as metadata');
});

test.skipIf(!isReleaseTested)(
  'a line of ten megabytes is read like any other (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const question = 'long '.repeat(2_000_000);
    const { answers } = await run(
      ['--dataset', '-'],
      `{"question":"short"}\n${JSON.stringify({ question })}\n`,
    );
    expect(answers[0]).toBe('short');
    // Not by a pattern: one that repeats two million times can exceed the stack.
    expect(answers[1] === question).toBe(true);
  },
);
