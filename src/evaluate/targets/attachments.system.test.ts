import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { pictures } from '../../../test/support/pictures.ts';
import type { Message } from '../../core/schema/message.ts';
import { command } from './command.ts';
import { http } from './http.ts';
import { module } from './module.ts';
import type { Target, TargetRequest } from './target.ts';

const hash = createHash('sha256').update(pictures.png).digest('hex');
const dataUrl = `data:image/png;base64,${pictures.png.toString('base64')}`;
const picture = {
  hash,
  mediaType: 'image/png',
  bytes: pictures.png.length,
  name: 'dent "1".png',
  at: 5,
} as const;

const asked: TargetRequest = {
  key: 'key',
  caseId: 'dent',
  input: 'What?',
  messages: [{ role: 'user', content: 'What?', attachments: [picture] }],
  session: { id: 's', turn: 1, memory: {} },
  metadata: {},
  attempt: 1,
  seed: 0,
};
const plain: TargetRequest = { ...asked, messages: [{ role: 'user', content: 'What?' }] };

const context = {
  signal: new AbortController().signal,
  readBlob: async (wanted: string) =>
    wanted === hash ? pictures.png : expect.fail(`nothing has the hash ${wanted}`),
};

const needs = {
  folder: '.',
  environment: { PATH: process.env['PATH'] },
  readRows: () => expect.fail('no rows are read'),
  resolveModel: () => expect.fail('no model is used'),
};

const servers = new Set<Server>();
afterEach(() => {
  for (const server of servers) server.close();
  for (const server of servers) server.closeAllConnections();
  servers.clear();
});

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** A bot over HTTP that keeps the bodies it got, and how to ask it. */
async function httpBot(options: object) {
  const bodies: { readonly type: string; readonly bytes: Buffer }[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      bodies.push({ type: request.headers['content-type'] ?? '', bytes: Buffer.concat(pieces) });
      response.setHeader('content-type', 'application/json');
      response.end('{"answer":"the left door"}');
    });
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { definition } = http;
  return { bodies, target: definition.create(definition.options.parse({ url, ...options }), needs) };
}

async function jsonOf(body: object | undefined, request = asked): Promise<unknown> {
  const { bodies, target } = await httpBot(body === undefined ? {} : { body });
  await target.call(request, context);
  await target.close?.();
  return JSON.parse(bodies[0]?.bytes.toString() ?? '');
}

const parts: unknown = [
  { type: 'text', text: 'What?' },
  { type: 'image_url', image_url: { url: dataUrl } },
];

test('messages over HTTP have the parts of OpenAI, and are as before without files', async () => {
  expect(await jsonOf(undefined)).toEqual({ input: 'What?', messages: [{ role: 'user', content: parts }] });
  expect(await jsonOf(undefined, plain)).toEqual({
    input: 'What?',
    messages: [{ role: 'user', content: 'What?' }],
  });
});

test('a body names the files, or their bytes alone', async () => {
  const body = { q: '{{input}}', files: '{{attachments}}', images: '{{attachments.base64}}' };
  expect(await jsonOf(body)).toEqual({
    q: 'What?',
    files: [{ name: 'dent "1".png', mediaType: 'image/png', dataUrl }],
    images: [pictures.png.toString('base64')],
  });
  expect(await jsonOf(body, plain)).toEqual({ q: 'What?', files: [], images: [] });
});

test('a later turn of a conversation sends the files of its own question', async () => {
  const messages: Message[] = [
    ...asked.messages,
    { role: 'assistant', content: 'the left door' },
    { role: 'user', content: 'Sure?' },
  ];
  const later = { ...asked, messages, session: { ...asked.session, turn: 2 } };
  expect(await jsonOf({ files: '{{attachments}}' }, later)).toEqual({ files: [] });
  expect(await jsonOf({ messages: '{{messages}}' }, later)).toMatchObject({
    messages: [{ content: parts }, {}, {}],
  });
});

test('a form uploads the bytes as they are', async () => {
  const { bodies, target } = await httpBot({
    multipart: { file: '{{attachments}}', q: '{{input}}', v: '2' },
  });
  await target.call(asked, context);
  await target.close?.();
  const { type = '', bytes = Buffer.alloc(0) } = bodies[0] ?? {};
  const [, boundary] = /^multipart\/form-data; boundary=(touchstone-[a-f0-9]{32})$/.exec(type) ?? [];
  const field = (head: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const file = 'name="file"; filename="dent %221%22.png"\r\nContent-Type: image/png';
  expect(bytes.toString('latin1')).toBe(
    [
      field(file, pictures.png.toString('latin1')),
      field('name="q"', 'What?'),
      field('name="v"', '2'),
      `--${boundary}--\r\n`,
    ].join(''),
  );
});

test('a request without a place for files takes none', async () => {
  const takes = async (options: object) => (await httpBot(options)).target.takes;
  expect(await takes({})).toEqual(['image', 'pdf', 'audio']);
  expect(await takes({ body: { q: '{{input}}' } })).toBeUndefined();
  expect(await takes({ body: { q: '{{input}}', files: '{{attachments}}' } })).toEqual([
    'image',
    'pdf',
    'audio',
  ]);
  expect(await takes({ body: { m: '{{messages}}' }, takes: ['image'] })).toEqual(['image']);
  expect(await takes({ multipart: { q: '{{input}}' } })).toBeUndefined();
});

test('a request without a place for files says where to write one', async () => {
  const { target } = await httpBot({ body: { q: '{{input}}' } });
  for (const place of ['{{attachments}}', '{{messages}}', 'multipart'])
    expect(target.takesHint).toContain(place);
  expect((await httpBot({})).target.takesHint).toBeUndefined();
});

test('the copies of files are written before the call', async () => {
  const { folder } = await fileIn(
    'bot.mjs',
    `export default (input, { attachments }) => attachments[0].path`,
  );
  const { definition } = module;
  const target = definition.create(definition.options.parse({ path: './bot.mjs' }), { ...needs, folder });
  await target.prepare?.(asked, context);
  const readBlob = () => expect.fail('the file was read before');
  const { answer } = await target.call(asked, { ...context, readBlob });
  expect(existsSync(answer ?? '')).toBe(true);
  await target.close?.();
});

async function fileIn(name: string, text: string): Promise<{ folder: string; file: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-bot-'));
  folders.push(folder);
  const file = path.join(folder, name);
  await writeFile(file, text);
  return { folder, file };
}

async function answerOf(target: Target, request = asked): Promise<string | null> {
  expect(target.takes).toEqual(['image', 'pdf', 'audio']);
  await target.open?.();
  try {
    return (await target.call(request, context)).answer;
  } finally {
    await target.close?.();
  }
}

test('a function gets the files of its question, with a copy that is gone afterwards', async () => {
  const { folder } = await fileIn(
    'bot.mjs',
    `import { readFileSync, statSync } from 'node:fs';
     export default (input, { attachments }) => JSON.stringify(attachments.map((file) => ({
       ...file, url: file.dataUrl(), same: readFileSync(file.path).length, mode: statSync(file.path).mode & 0o222 })));`,
  );
  const { definition } = module;
  const create = () =>
    definition.create(definition.options.parse({ path: './bot.mjs' }), { ...needs, folder });
  const [given] = JSON.parse((await answerOf(create())) ?? '') as Record<string, string>[];
  expect(given).toEqual({
    path: expect.stringMatching(/[a-f0-9]{64}\.png$/),
    name: 'dent "1".png',
    mediaType: 'image/png',
    hash,
    url: dataUrl,
    same: pictures.png.length,
    mode: 0,
  });
  expect(existsSync(given?.['path'] ?? '')).toBe(false);
  expect(await answerOf(create(), plain)).toBe('[]');
});

test('a program gets the files of its question in its line, and one for each question in its arguments', async () => {
  const { folder } = await fileIn(
    'bot.mjs',
    `import { createInterface } from 'node:readline';
     for await (const line of createInterface({ input: process.stdin })) {
       const { id, attachments = 'none' } = JSON.parse(line);
       console.log(JSON.stringify({ id, answer: JSON.stringify(attachments) }));
     }`,
  );
  const { definition } = command;
  const create = (options: object) =>
    definition.create(definition.options.parse(options), { ...needs, folder });
  const lines = { command: [process.execPath, 'bot.mjs'] };
  const [given] = JSON.parse((await answerOf(create(lines))) ?? '') as object[];
  expect(given).toMatchObject({ name: 'dent "1".png', mediaType: 'image/png', hash });
  expect(await answerOf(create(lines), plain)).toBe('"none"');

  const print = 'process.stdout.write(process.argv[1])';
  const once = { command: [process.execPath, '-e', print, '{{attachments}}'], mode: 'once' };
  expect(JSON.parse((await answerOf(create(once))) ?? '')).toMatchObject([{ name: 'dent "1".png', hash }]);
  const withoutPlace = create({ command: [process.execPath, '-e', '0'], mode: 'once' });
  expect(withoutPlace.takes).toBeUndefined();
  expect(withoutPlace.takesHint).toBe(
    'Its `command` has no place for files: add the argument `{{attachments}}`.',
  );
});
