import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editRow, readRow } from './edit-row.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'edit-row-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a file, edits a row of it by replacing a text, and returns the file. */
async function edit(name: string, text: string, [id, from, to]: readonly [string, string, string]) {
  await writeFile(path.join(folder, name), text);
  const choices = { files: [name], folder };
  const row = await readRow(id, choices);
  const newId = await editRow(id, { text: row.text.replace(from, to), version: row.version }, choices);
  return { row, newId, file: await readFile(path.join(folder, name), 'utf8') };
}

const jsonl =
  '\uFEFF{"id":"a","question":"One?", "n":12900000000000000001}\r\n\r\n{ "id" : "b","question":"Two?"}\r\n{"id":"c","question":"Three?"}';
const csv = 'id,question,expected_answer\r\na,"One,\nor two?",1\r\nb,Three?,3\r\n';
const yaml =
  '# golden\n- id: a\n  question: One?   # first\n\n- id: b\n  question: Two?\n  expected_keywords: [x, y]\n# end\n';
const json = '[\n  {"id": "a", "question": "One?"},\n  {\n    "id": "b",\n    "question": "Two?"\n  }\n]\n';

test.each([
  ['one.jsonl', jsonl, ['b', 'Two', 'Deux']],
  ['two.jsonl', jsonl, ['c', 'Three', 'Drei']],
  ['one.csv', csv, ['a', 'or two', 'or 2']],
  ['two.csv', csv, ['b', ',3', ',drei']],
  ['one.yaml', yaml, ['a', 'One?', 'Uno?']],
  ['two.yaml', yaml, ['b', 'x, y', 'x']],
  ['one.json', json, ['a', 'One', 'Un']],
  ['two.json', json, ['b', 'Two', 'Deux']],
] as const)('in %s, an edit changes the row and no other byte', async (name, text, change) => {
  const { file, newId } = await edit(name, text, change);
  expect(file).toBe(text.replace(change[1], change[2]));
  expect(newId).toBe(change[0]);
  // Nothing else is left in the folder.
  expect((await readdir(folder)).filter((each) => each.startsWith('.') || each.endsWith('.part'))).toEqual(
    [],
  );
});

test('without ids, a question has another one after the edit', async () => {
  const text = '{"question":"One?"}\n{"question":"Two?"}\n';
  await writeFile(path.join(folder, 'no-ids.jsonl'), text);
  const choices = { files: ['no-ids.jsonl'], folder };
  await expect(readRow('case-x', choices)).rejects.toMatchObject({ code: 'case-not-found' });
  const { checkDraft } = await import('../../../evaluate/run/prepare/check-draft.ts');
  const { loadLint } = await import('../../config/load-lint.ts');
  const { dataset } = await loadLint({ ...choices, onNotice: () => {} });
  const [draft] = await Array.fromAsync(dataset.drafts());
  const checked = draft && checkDraft(draft);
  const id = checked !== undefined && 'case' in checked ? checked.case.id : '';
  const row = await readRow(id, choices);
  const newId = await editRow(id, { text: '{"question":"One, please?"}', version: row.version }, choices);
  expect(newId).not.toBe(id);
  expect((await readRow(newId, choices)).line).toBe(1);
});

test.each([
  ['{"id":"a","question":""}', /One|question|blank/],
  ['{"id":"a","question":"One?"', /refuse\.jsonl:1/],
  ['{"id":"a","question":"One?"}\n{"id":"n","question":"New?"}', 'The text is not one question'],
  ['{"id":"b","question":"One?"}', 'Another question has the id "b"'],
  ['', 'The text is not one question'],
])('%j is refused, and the file stays', async (text, message) => {
  const before = '{"id":"a","question":"One?"}\n{"id":"b","question":"Two?"}\n';
  await writeFile(path.join(folder, 'refuse.jsonl'), before);
  const choices = { files: ['refuse.jsonl'], folder };
  const { version } = await readRow('a', choices);
  await expect(editRow('a', { text, version }, choices)).rejects.toMatchObject({
    code: 'edit-refused',
    message: expect.stringMatching(message),
  });
  expect(await readFile(path.join(folder, 'refuse.jsonl'), 'utf8')).toBe(before);
  expect((await readdir(folder)).filter((each) => each.startsWith('.'))).toEqual([]);
});

test('a file that has changed since it was read is left alone', async () => {
  const file = path.join(folder, 'changed.jsonl');
  await writeFile(file, '{"id":"a","question":"One?"}\n');
  const choices = { files: ['changed.jsonl'], folder };
  const { version } = await readRow('a', choices);
  const other = '{"id":"a","question":"One?"}\n{"id":"z","question":"New?"}\n';
  await writeFile(file, other);
  await expect(editRow('a', { text: '{"id":"a","question":"Uno?"}', version }, choices)).rejects.toThrow(
    'changed.jsonl has changed since it was read',
  );
  expect(await readFile(file, 'utf8')).toBe(other);
});

test('rows on one line, and texts that are not UTF-8, are not edited', async () => {
  await writeFile(
    path.join(folder, 'line.json'),
    '[{"id":"a","question":"One?"},{"id":"b","question":"Two?"}]',
  );
  await expect(readRow('b', { files: ['line.json'], folder })).rejects.toMatchObject({
    code: 'edit-refused',
  });
  await writeFile(path.join(folder, 'wide.csv'), Buffer.from('\uFEFFid,question\na,One?\n', 'utf16le'));
  await expect(readRow('a', { files: ['wide.csv'], folder })).rejects.toMatchObject({ code: 'edit-refused' });
});

test('the file that a link points to is edited', async () => {
  await mkdir(path.join(folder, 'real'), { recursive: true });
  await writeFile(path.join(folder, 'real', 'golden.jsonl'), '{"id":"a","question":"One?"}\n');
  await symlink(path.join('real', 'golden.jsonl'), path.join(folder, 'linked.jsonl'));
  const choices = { files: ['linked.jsonl'], folder };
  const { version } = await readRow('a', choices);
  await editRow('a', { text: '{"id":"a","question":"Uno?"}', version }, choices);
  expect(await readFile(path.join(folder, 'real', 'golden.jsonl'), 'utf8')).toBe(
    '{"id":"a","question":"Uno?"}\n',
  );
});
