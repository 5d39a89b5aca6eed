import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ask,
  definitionOf,
  failureOf,
  type HttpKind,
  httpKinds,
  keyHeaders,
  serve,
} from '../../../../test/support/model-harness.ts';
import { openaiEmbeddings } from '../embedders/openai-embeddings.ts';
import { openaiChat } from '../openai-chat.ts';
import { providerModels } from '../providers/provider-models.ts';

/** Makes a folder with a program that prints another key at each run, beginning with a word of the folder. */
function prepare() {
  const folder = mkdtempDisposableSync(path.join(tmpdir(), 'key-command-'));
  writeFileSync(
    path.join(folder.path, 'key.cjs'),
    `const fs = require('node:fs'); fs.appendFileSync('runs', '.');
console.log('key-' + require('node:path').basename(process.cwd()) + '-' + fs.readFileSync('runs', 'utf8').length);`,
  );
  const word = `key-${path.basename(folder.path)}`;
  return {
    folder: folder.path,
    word,
    runs: () => readFileSync(path.join(folder.path, 'runs'), 'utf8').length,
    [Symbol.dispose]: () => folder.remove(),
  };
}

const keyCommand = [process.execPath, 'key.cjs'];

function create(kind: HttpKind, folder: string, options: object) {
  const definition = definitionOf(kind);
  const written = { model: 'm', keyCommand, maxRetries: 0, ...options };
  return definition.create(definition.options.parse(written), { folder, environment: process.env });
}

describe.each(httpKinds)('%s', (kind) => {
  test('the key that a command prints is sent, renewed when the server no longer takes it, and kept nowhere', async () => {
    using prepared = prepare();
    const { word, folder, runs } = prepared;
    const server = await serve('yes');
    const model = create(kind, folder, { baseUrl: server.url });
    await model.open?.();
    const reply = await ask(model);
    const sent = () => server.requests.map(({ headers }) => String(headers[keyHeaders[kind]]));
    expect(sent().at(-1)).toMatch(new RegExp(`(^|Bearer )${word}-1$`));
    expect(JSON.stringify(reply)).not.toContain(word);
    server.play(({ index, headers }) =>
      index === 0
        ? { fault: 'error', status: 401, body: '{"error":{"message":"expired"}}' }
        : `you sent ${String(headers[keyHeaders[kind]])}`,
    );
    const renewed = await ask(model);
    expect(sent().map((value) => value.replace('Bearer ', ''))).toEqual([`${word}-1`, `${word}-2`]);
    expect(renewed.attempts).toHaveLength(1);
    expect(renewed.text).toMatch(/^you sent (Bearer )?\[keyCommand\]$/);
    expect(JSON.stringify(renewed)).not.toContain(word);
    server.play({ fault: 'error', status: 401, body: '{"error":{"message":"no access"}}' });
    expect((await failureOf(ask(model))).code).toBe('unauthorized');
    expect([server.requests.length, runs()]).toEqual([2, 3]);
  });
});

test('a command that gives no key ends the call with what it said, and nothing is sent', async () => {
  using prepared = prepare();
  writeFileSync(path.join(prepared.folder, 'key.cjs'), 'console.error("please sign in"); process.exit(1);');
  const server = await serve('yes');
  const model = create('openai-chat', prepared.folder, { baseUrl: server.url });
  await expect(model.open?.()).rejects.toMatchObject({ code: 'login-failed' });
  const failure = await failureOf(ask(model));
  expect(failure).toMatchObject({
    code: 'login-failed',
    message: 'The command in `keyCommand` gave no key: it ended with exit code 1: please sign in.',
  });
  expect(server.requests).toHaveLength(0);
});

test('the key of a command changes no fingerprint, stands before the variable of a provider, and is a token for Azure', async () => {
  using prepared = prepare();
  const server = await serve('yes');
  const { folder, word } = prepared;
  const plain = openaiChat.definition.create(
    openaiChat.definition.options.parse({ model: 'm', baseUrl: server.url }),
    { folder, environment: {} },
  );
  expect(create('openai-chat', folder, { baseUrl: server.url }).fingerprint).toBe(plain.fingerprint);
  const definition = providerModels['azure']?.definition;
  if (definition === undefined) throw new Error('no row azure');
  const options = definition.options.parse({ resource: 'contoso', model: 'm', keyCommand });
  const azure = definition.create({ ...options, baseUrl: server.url }, { folder, environment: process.env });
  await ask(azure);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${word}-1`);
  expect(server.requests[0]?.headers['api-key']).toBeUndefined();
});

test('an embedding model takes the key of a command as well', async () => {
  using prepared = prepare();
  const server = await serve('yes');
  const { definition } = openaiEmbeddings;
  const written = definition.options.parse({ model: 'e', baseUrl: server.url, keyCommand });
  const embedder = definition.create(written, { folder: prepared.folder, environment: process.env });
  await embedder.embed(['a', 'b'], { signal: new AbortController().signal });
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${prepared.word}-1`);
});

test.each([
  ['gcloud auth print-access-token', { command: 'gcloud auth print-access-token', forMs: 3_000_000 }],
  [['vault', 'read'], { command: ['vault', 'read'], forMs: 3_000_000 }],
  [
    { command: 'vault read', forMs: 1000 },
    { command: 'vault read', forMs: 1000 },
  ],
])('%j is read as a command with its time', (written, read) => {
  expect(openaiChat.definition.options.parse({ model: 'm', keyCommand: written }).keyCommand).toEqual(read);
});
