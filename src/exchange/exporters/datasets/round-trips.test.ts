import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { linesOf } from '../../../../test/support/import-files.ts';
import { exportDataset } from '../../../library/api/export-dataset.ts';
import { translateProject } from '../../../library/api/import-project.ts';
import { caseSchema } from '../../../core/schema/case.ts';

const cases = [
  {
    id: 'plain',
    input: 'What does the lamp cost?',
    category: 'prices',
    tags: ['base', 'hard'],
    expected: { answer: '49 dollars', keywords: ['49'], forbidden: ['euro'] },
    metadata: { level: 2, source: { page: 'lamps' } },
  },
  {
    id: 'several',
    input: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: '{"really": "?"}' },
    ],
    cluster: 'chat',
    weight: 2.5,
    context: ['The shop is closed.'],
    expected: { answer: ['Yes', 'Of course'], tools: ['search'], documents: [{ id: 'D1', relevance: 2 }] },
  },
  {
    id: 'user',
    input: 'Cancel it.',
    gate: 'watch',
    user: { goal: 'Cancel the booking.', persona: 'Curt.', knowledge: ['Booking 7'], opens: true },
    expected: {
      calls: { must: [{ name: 'cancel', arguments: { id: 7 } }] },
      state: { booked: false },
      passMark: 0.5,
    },
  },
  { id: 'bare', input: '=1+1' },
];

async function writtenAndRead(format: string, given: readonly object[] = cases) {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'dataset-'));
  const file = path.join(folder.path, 'golden.jsonl');
  writeFileSync(file, given.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const output = path.join(folder.path, 'out');
  const record = await exportDataset(format, file, { output });
  const read = linesOf<unknown>(await translateProject(output), 'golden.jsonl');
  const texts = record.files.map((each) => readFileSync(each, 'utf8'));
  return { record, texts, read: read.map((each) => caseSchema.parse(each)) };
}

const byId = (all: readonly ({ readonly id: string } & object)[]) =>
  new Map(all.map((each) => [each.id, each]));
const own = cases.map((each) => caseSchema.parse(each));

/** DeepEval has one list of tools, which comes back as the calls that have to be made. */
const asDeepeval = own.map((each) => {
  const { tools, ...expected } = each.expected;
  if (tools === undefined) return each;
  return { ...each, expected: { ...expected, calls: { must: tools.map((name) => ({ name })) } } };
});

test.each(['langfuse', 'langsmith', 'inspect', 'deepeval'])(
  'cases that are written for %s come back as they were',
  async (format) => {
    const { read, record } = await writtenAndRead(format);
    expect(byId(read)).toEqual(byId(format === 'deepeval' ? asDeepeval : own));
    expect(record.parts).toMatchObject({ metadata: expect.any(Number) });
    expect(record.ledger).toContainEqual(
      expect.objectContaining({ fate: 'metadata', part: 'expected.state' }),
    );
  },
);

test('cases that are written for promptfoo come back with their texts to contain as checks', async () => {
  const { read, record, texts } = await writtenAndRead('promptfoo');
  const [plain, ...others] = own;
  expect(byId(read)).toEqual(
    byId([
      ...others,
      Object.assign({}, plain as (typeof own)[number], {
        expected: {
          answer: '49 dollars',
          checks: [
            { use: 'contains', value: '49', ignoreCase: true, name: 'icontains' },
            { not: { use: 'contains', value: 'euro', ignoreCase: true }, name: 'not-icontains' },
          ],
        },
      }),
    ]),
  );
  expect(record.ledger).toContainEqual(
    expect.objectContaining({ fate: 'approximated', part: 'expected.answer' }),
  );
  expect(texts[1]).toContain('file://tests.jsonl');
});

test.each([
  ['conversational-goldens.json', cases.filter(({ user }) => user !== undefined)],
  ['goldens.json', cases.filter(({ user }) => user === undefined)],
])('of goldens of one kind, %s alone is written for DeepEval', async (name, given) => {
  const { record, read } = await writtenAndRead('deepeval', given);
  expect(record.files.map((file) => path.basename(file))).toEqual([name]);
  expect(read.map(({ id }) => id)).toEqual(given.map(({ id }) => id));
});

test('an unknown format is refused, and a dry run writes nothing', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'dataset-'));
  const file = path.join(folder.path, 'golden.jsonl');
  writeFileSync(file, JSON.stringify(cases[0]));
  await expect(exportDataset('deepeval', file, { output: 'new/de.json' })).rejects.toMatchObject({
    message:
      'new/de.json is the name of one file, and these are several: goldens.json, conversational-goldens.json.',
    remedy: 'Name a folder for them: new/de',
  });
  await expect(exportDataset('langfus', file)).rejects.toThrow('Did you mean "langfuse"?');
  const output = path.join(folder.path, 'items.jsonl');
  const { files, parts } = await exportDataset('langfuse', file, { output, isDryRun: true });
  expect(files).toEqual([output]);
  expect(parts.taken).toBeGreaterThan(0);
  expect(() => readFileSync(output)).toThrow();
});
