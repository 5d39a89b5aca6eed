import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { CaseDraft, DatasetReader } from './dataset.ts';
import { decodeText } from './decode-text.ts';
import { draftCase } from './draft-case.ts';
import { createFieldMapping } from './field-mapping.ts';
import { csv, json, jsonl, yaml } from './registry.ts';

const mapping = createFieldMapping();

async function readBack(
  reader: DatasetReader,
  text: string,
  chunkLength: number,
): Promise<CaseDraft['value'][]> {
  async function* chunks() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += chunkLength) yield bytes.subarray(at, at + chunkLength);
  }
  const rows = await Array.fromAsync(
    reader.read({ name: 'golden', read: () => decodeText(chunks(), 'golden') }),
  );
  return rows.map((row) => {
    const { value, problem } = draftCase(row, { mapping, hasTextCells: reader.hasTextCells ?? false });
    expect(problem).toBeUndefined();
    return value;
  });
}

const character = fc.oneof(
  fc.constantFrom(...Array.from('",;|\n\r\t\\\'[]{}:#-& aä€😀')),
  fc.string({ minLength: 1, maxLength: 1 }),
);
const text = fc.string({ unit: character, minLength: 1, maxLength: 12 });
const texts = fc.array(text, { maxLength: 3 });
const cell = text.filter((drawn) => !/^\s*\[/.test(drawn));

const cases = fc.array(
  fc.record(
    {
      id: text,
      input: cell,
      category: text,
      tags: texts,
      context: text,
      expected: fc.record(
        { answer: text, keywords: texts, tools: texts, forbidden: texts, refusal: fc.boolean() },
        { requiredKeys: ['answer'] },
      ),
      metadata: fc.record({ note: text, 'a key': text }, { requiredKeys: ['note'] }),
    },
    { requiredKeys: ['input', 'expected', 'metadata'] },
  ),
  { maxLength: 4 },
);
const chunkLength = fc.integer({ min: 1, max: 40 });

function toCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const header = [
    'id',
    'input',
    'category',
    'tags',
    'context',
    'expected.answer',
    'expected.keywords',
  ].concat(['expected.tools', 'expected.forbidden', 'expected.refusal', 'metadata.note', 'metadata.a key']);
  const cellOf = (row: Readonly<Record<string, unknown>>, name: string) => {
    const value = name
      .split('.')
      .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)?.[key], row);
    const written = value === undefined || typeof value === 'string' ? (value ?? '') : JSON.stringify(value);
    return `"${written.replaceAll('"', '""')}"`;
  };
  return [header, ...rows.map((row) => header.map((name) => cellOf(row, name)))]
    .map((row) => row.join(','))
    .join('\r\n');
}

test.each<[string, DatasetReader, (rows: readonly Readonly<Record<string, unknown>>[]) => string]>([
  ['JSON Lines', jsonl, (rows) => rows.map((row) => JSON.stringify(row)).join('\n')],
  ['a JSON list', json, (rows) => JSON.stringify(rows)],
  ['a pretty-printed JSON object', json, (rows) => JSON.stringify({ cases: rows }, null, 2)],
  ['YAML', yaml, (rows) => stringify(rows, { defaultStringType: 'QUOTE_DOUBLE' })],
  ['CSV', csv, toCsv],
])('cases written as %s read back equal, wherever the chunks end', async (_name, reader, write) => {
  await fc.assert(
    fc.asyncProperty(cases, chunkLength, async (rows, length) => {
      const read = await readBack(reader, write(rows), length);
      expect(read).toEqual(rows.map((row) => ({ ...row })));
    }),
  );
});
