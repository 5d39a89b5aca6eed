import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashText } from '../../../core/lib/content-hash.ts';
import { readDocuments } from './read-documents.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-documents-'));
});
afterEach(async () => await rm(folder, { recursive: true }));

const write = async (name: string, text: string | Uint8Array) => {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
};

const idsOf = async (...paths: string[]) =>
  (await readDocuments(paths, folder)).documents.map(({ id }) => id);

test('a folder is read with its subfolders, and a document is named by its path without extension', async () => {
  await write('docs/b.txt', 'b');
  await write('docs/a.md', '# A');
  await write('docs/more/c.markdown', 'c');
  await write('docs/.hidden.md', 'hidden');
  await write('docs/picture.png', 'no text');
  await write('docs/empty.md', ' \n--\n');
  const { documents, notices } = await readDocuments(['docs'], folder);
  expect(documents.map(({ id, hash }) => [id, hash])).toEqual([
    ['a', hashText('# A')],
    ['b', hashText('b')],
    ['more/c', hashText('c')],
  ]);
  expect(notices.map((notice) => notice.replace(/^.*docs\//, ''))).toEqual([
    'picture.png was not read: it is not text.',
    'empty.md was not read: it has no text.',
  ]);
});

test('each line of a JSONL file is a document, whatever other tools call its fields', async () => {
  await write('all.jsonl', '{"id": 7, "text": "seven"}\n\n{"title": "T", "page_content": "two"}\n');
  const { documents } = await readDocuments(['all.jsonl'], folder);
  expect(documents.map(({ id, text }) => [id, text])).toEqual([
    ['7', 'seven'],
    ['line-3', '# T\n\ntwo'],
  ]);
  await write('bad.jsonl', '{"id": "a", "text": "a"}\n{"id": "b"}');
  await expect(readDocuments(['bad.jsonl'], folder)).rejects.toMatchObject({
    code: 'document-unreadable',
    message: expect.stringContaining('bad.jsonl:2: the line has no usable `text`'),
  });
});

test('a link is followed inside the folder only, and a file that is reached twice is read once', async () => {
  await write('outside/secret.md', 'secret');
  await write('docs/a.md', 'a');
  await symlink(path.join(folder, 'outside/secret.md'), path.join(folder, 'docs/link.md'));
  await symlink(path.join(folder, 'outside'), path.join(folder, 'docs/folder'));
  await symlink(path.join(folder, 'nowhere'), path.join(folder, 'docs/broken.md'));
  await symlink(path.join(folder, 'docs/a.md'), path.join(folder, 'docs/z.md'));
  const { documents, notices } = await readDocuments(['docs', 'docs/a.md'], folder);
  expect(documents.map(({ id }) => id)).toEqual(['a']);
  expect(notices).toHaveLength(3);
  for (const notice of notices) expect(notice).toContain('a link is followed only');
});

test('documents of one name keep the name of their file', async () => {
  await write('docs/notes.md', 'one');
  await write('docs/notes.txt', 'two');
  expect(await idsOf('docs')).toEqual([
    expect.stringMatching(/^notes \(.*notes\.md\)$/),
    expect.stringMatching(/^notes \(.*notes\.txt\)$/),
  ]);
});

test.each([
  ['nothing.md', 'there is no such file or folder'],
  ['data.pdf', 'documents are .md, .txt or .jsonl files'],
  ['latin.txt', 'it is not UTF-8 text'],
  ['blank', 'There is no text in blank'],
])('%s is refused with the reason', async (name, reason) => {
  await write('data.pdf', 'x');
  await write('latin.txt', new Uint8Array([0xe9, 0x74, 0xe9]));
  await mkdir(path.join(folder, 'blank'));
  await expect(readDocuments([name], folder)).rejects.toMatchObject({
    code: 'document-unreadable',
    message: expect.stringContaining(reason),
  });
});
