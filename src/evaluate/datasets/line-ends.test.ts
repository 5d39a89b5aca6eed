import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';
import { csv, json, jsonl, yaml } from './registry.ts';

/** The same rows in each format of text, one with a line end in a field where the format has such fields. */
const texts = [
  [csv, 'id,question\na,Is it?\nb,"Two words, really"\n'],
  [jsonl, '{"id":"a","question":"Is it?"}\n{"id":"b","question":"Two words, really"}\n'],
  [json, '[\n  { "id": "a", "question": "Is it?" },\n  { "id": "b", "question": "Two words, really" }\n]\n'],
  [yaml, '- id: a\n  question: Is it?\n- id: b\n  question: >-\n    Two words,\n    really\n'],
] as const;

test.each(texts)('$name has the same rows with LF, CRLF and a byte order mark', async (reader, text) => {
  const read = async (variant: string) => {
    const bytes = async function* () {
      yield await Promise.resolve(Buffer.from(variant));
    };
    const name = `golden.${reader.name}`;
    const rows = reader.read({ name, read: () => decodeText(bytes(), name), bytes });
    return await Array.fromAsync(rows, ({ value, place, problem }) => [value, place.line, problem]);
  };
  const rows = await read(text);
  expect(rows.map(([value]) => value)).toEqual([
    { id: 'a', question: 'Is it?' },
    { id: 'b', question: 'Two words, really' },
  ]);
  const crlf = text.replaceAll('\n', '\r\n');
  for (const variant of [crlf, `\ufeff${text}`, `\ufeff${crlf}`]) expect(await read(variant)).toEqual(rows);
});
