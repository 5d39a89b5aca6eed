import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictures } from '../../../../test/support/pictures.ts';
import type { Message } from '../../../core/schema/message.ts';
import { loadCases } from '../../run/prepare/load.ts';
import { openDataset } from '../open-dataset.ts';
import * as readers from '../registry.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-attachments-'));
  await mkdir(path.join(folder, 'data', 'img'), { recursive: true });
  await mkdir(path.join(folder, 'bills'));
  const put = async (name: string, bytes: Uint8Array) => await writeFile(path.join(folder, name), bytes);
  await put('data/img/dent.png', pictures.png);
  await put('data/img/vector.png', pictures.svg);
  await put('data/img/lies.png', pictures.gif);
  await put('data/img/empty.png', Buffer.alloc(0));
  await put('data/img/large.png', Buffer.concat([pictures.png, Buffer.alloc(20 * 1024 * 1024)]));
  await put('data/report.docx', pictures.docx);
  await put('bills/7.pdf', pictures.pdf);
  await symlink(path.join(folder, 'bills', '7.pdf'), path.join(folder, 'data', 'within.pdf'));
  await symlink('/usr/bin/env', path.join(folder, 'data', 'outside.png'));
  await symlink('/etc', path.join(folder, 'data', 'folder'));
  await symlink('nowhere.png', path.join(folder, 'data', 'broken.png'));
  for (const name of ['a', 'b', 'c']) {
    const large = Buffer.alloc(18 * 1024 * 1024, name);
    await put(`data/${name}.pdf`, Buffer.concat([pictures.pdf, large]));
  }
});
afterAll(async () => await rm(folder, { recursive: true }));

async function load(content: string | readonly object[], file = 'cases.jsonl') {
  const name = `data/${file}`;
  const text = typeof content === 'string' ? content : content.map((row) => JSON.stringify(row)).join('\n');
  await writeFile(path.join(folder, name), text);
  const dataset = await openDataset({ paths: [name], folder, readers: Object.values(readers) });
  const notices: string[] = [];
  const cases = await Array.fromAsync(
    loadCases(dataset, { onNotice: ({ message }) => void notices.push(message) }),
  );
  return { cases, notices };
}

function messagesIn([first]: Awaited<ReturnType<typeof load>>['cases']): readonly Message[] {
  const input = first?.case.input;
  return typeof input === 'object' ? input : [];
}

async function refusal(...rows: readonly object[]): Promise<string> {
  const error = await load(rows).catch((thrown: unknown) => thrown);
  return (error as Error).message.replaceAll(folder, '').replaceAll(/[^\s]*data\/cases/g, 'cases');
}

const png = { hash: sha256(pictures.png), mediaType: 'image/png', bytes: pictures.png.length };

test('a picture stands where it stood in the message, with its text as before', async () => {
  const content = [
    { type: 'text', text: 'What is broken?' },
    { type: 'image', image: 'img/dent.png' },
  ];
  const { cases } = await load([{ id: 'dent', input: [{ role: 'user', content }] }]);
  expect(cases[0]?.case.input).toEqual([
    {
      role: 'user',
      content: 'What is broken?',
      attachments: [{ ...png, name: 'dent.png', at: 15 }],
    },
  ]);
  expect(await cases[0]?.attachments?.[0]?.read()).toEqual(pictures.png);
});

test('files beside the question come after it, from the folder of the dataset or the config', async () => {
  const dataUrl = `data:image/png;base64,${pictures.png.toString('base64')}`;
  const { cases } = await load([{ input: 'What is the total?', attachments: ['../bills/7.pdf', dataUrl] }]);
  const [message] = messagesIn(cases);
  expect(message?.content).toBe('What is the total?');
  expect(message?.attachments).toEqual([
    {
      hash: sha256(pictures.pdf),
      mediaType: 'application/pdf',
      bytes: pictures.pdf.length,
      name: '7.pdf',
      at: 18,
    },
    { ...png, at: 18 },
  ]);
});

test('a CSV has a column of files, with `;` between them', async () => {
  const dataUrl = `data:image/png;base64,${pictures.png.toString('base64')}`;
  const csv = `question,attachments\nWhat?,"img/dent.png; ../bills/7.pdf;${dataUrl}"\nAnd now?,\n`;
  const { cases } = await load(csv, 'cases.csv');
  const [message] = messagesIn(cases);
  expect(message?.attachments?.map(({ mediaType, name }) => [mediaType, name])).toEqual([
    ['image/png', 'dent.png'],
    ['application/pdf', '7.pdf'],
    ['image/png', undefined],
  ]);
  expect(cases[1]?.case.input).toBe('And now?');
});

test('a changed picture is a changed question; the same picture is the same one', async () => {
  const ask = async (bytes: Uint8Array) => {
    await writeFile(path.join(folder, 'data/img/changing.png'), bytes);
    return (await load([{ input: 'What?', attachments: ['img/changing.png'] }])).cases[0]?.hash;
  };
  const first = await ask(pictures.png);
  expect(await ask(pictures.png)).toBe(first);
  expect(await ask(Buffer.concat([pictures.png, Buffer.from('more')]))).not.toBe(first);
});

test('a question without files has the hash that it had, and no other form', async () => {
  const { cases } = await load([{ input: 'Why?', expected_answer: 'because' }]);
  expect(cases[0]?.case.input).toBe('Why?');
  expect(cases[0]?.hash).toBe('e2f3aea30d06ea942511a7695a0ccb22');
  expect(cases[0]).not.toHaveProperty('attachments');
});

test('a sound alone is a question', async () => {
  await writeFile(path.join(folder, 'data/ask.wav'), pictures.wav);
  const content = [
    { type: 'input_audio', input_audio: { data: pictures.wav.toString('base64'), format: 'wav' } },
  ];
  const { cases } = await load([{ input: [{ role: 'user', content }] }]);
  expect(messagesIn(cases)[0]).toMatchObject({ content: '', attachments: [{ mediaType: 'audio/wav' }] });
});

test('a message of Gemini, and a conversation whose earlier message has a picture', async () => {
  const inlineData = { mimeType: 'image/png', data: pictures.png.toString('base64') };
  const contents = [
    { role: 'user', parts: [{ inlineData }, { text: 'What is it?' }] },
    { role: 'model', parts: [{ text: 'A pixel.' }] },
    { role: 'user', parts: [{ text: 'Which colour?' }] },
  ];
  const { cases } = await load([{ input: contents }]);
  expect(cases[0]?.case.input).toEqual([
    { role: 'user', content: 'What is it?', attachments: [{ ...png, at: 0 }] },
    { role: 'assistant', content: 'A pixel.' },
    { role: 'user', content: 'Which colour?' },
  ]);
});

test('a column of this name that lists no files is metadata, and said to be', async () => {
  const { cases, notices } = await load([
    { input: 'Why?', attachments: [1, 2] },
    { input: 'How?', attachments: [] },
  ]);
  expect(cases.map(({ case: { input, metadata } }) => [input, metadata])).toEqual([
    ['Why?', { attachments: [1, 2] }],
    ['How?', {}],
  ]);
  expect(notices.join()).toContain('attachments');
});

test.each([
  ['img/missing.png', '"img/missing.png" does not exist'],
  ['img/vector.png', '"img/vector.png" is an SVG, which is a program more than a picture'],
  ['img/lies.png', '"img/lies.png" is said to be a PNG and is a GIF, by its first bytes'],
  ['img/empty.png', '"img/empty.png" is empty'],
  ['img/large.png', '"img/large.png" is larger than 20 MiB'],
  ['img', '"img" is no file'],
  ['report.docx', '"report.docx" is a document of an office program'],
  ['../../../../etc/passwd', '"../../../../etc/passwd" leads out of the folder of the dataset'],
  ['/etc/passwd', '"/etc/passwd" leads out of the folder of the dataset'],
  ['outside.png', '"outside.png" leads out of the folder of the dataset by a symbolic link'],
  ['folder/passwd', '"folder/passwd" leads out of the folder of the dataset by a symbolic link'],
  ['broken.png', '"broken.png" does not exist'],
  ['s3://bucket/a.png', 'the file is an address of s3://'],
  ['http://example.org/a.png', '"http://example.org/a.png" is not fetched: only https addresses are'],
  ['https://127.0.0.1/a.png', '"https://127.0.0.1/a.png" is an address of your own network'],
  ['https://[::ffff:10.0.0.1]/a.png', 'is an address of your own network'],
  ['https://localhost:1/a.png', 'is an address of your own network'],
])('the file %s is refused with its row', async (file, expected) => {
  const message = await refusal({ input: 'Fine?' }, { input: 'What?', attachments: [file] });
  expect(message).toMatch(/^cases\.jsonl:2(?::\d+)?: attachments(?:\[0\])?: /);
  expect(message).toContain(expected);
});

test('a symbolic link within the folders is followed, also where the folder itself is reached by one', async () => {
  const { cases } = await load([{ input: 'What?', attachments: ['within.pdf'] }]);
  expect(messagesIn(cases)[0]?.attachments).toMatchObject([
    { name: 'within.pdf', hash: sha256(pictures.pdf) },
  ]);
  const linked = `${folder}-linked`;
  await symlink(folder, linked);
  const dataset = await openDataset({
    paths: ['data/cases.jsonl'],
    folder: linked,
    readers: Object.values(readers),
  });
  const read = await Array.fromAsync(loadCases(dataset, { onNotice: () => {} }));
  await rm(linked);
  expect(read[0]?.attachments).toHaveLength(1);
});

test('a part of a message is refused at its place', async () => {
  const content = [
    { type: 'text', text: 'What?' },
    { type: 'input_image', file_id: 'file-7' },
  ];
  expect(await refusal({ input: [{ role: 'user', content }] })).toBe(
    'cases.jsonl:1:68: input[0].content[1]: the file is the id of a file at a provider, file-7',
  );
  const broken = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,%%%' } }];
  expect(await refusal({ input: [{ role: 'user', content: broken }] })).toContain('is not valid base64');
});

test('a question has at most 50 MiB and 50 files', async () => {
  expect(await refusal({ input: 'What?', attachments: ['a.pdf', 'b.pdf', 'c.pdf'] })).toContain(
    'is more than a question may have: 50 MiB',
  );
  const many = Array.from({ length: 51 }, () => 'img/dent.png');
  expect(await refusal({ input: 'What?', attachments: many })).toContain('50 files');
});
