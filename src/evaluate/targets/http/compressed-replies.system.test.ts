import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  brotliCompressSync,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { prepare, requestOf, unbounded } from '../../../../test/support/prepare-target.ts';
import { http } from '../http.ts';

/** Asks a bot once that answers in a way of its own. */
async function ask(handle: RequestListener, options: object = {}) {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await using needs = await prepare({});
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const target = http.definition.create(http.definition.options.parse({ url, ...options }), needs);
  onTestFinished(async () => {
    await target.close?.();
    server.close();
    server.closeAllConnections();
  });
  return await target.call(requestOf('How much is the chair?'), unbounded);
}

const json = { 'content-type': 'application/json' };
const whole = Buffer.from('{"answer":"It is $170 – including the cushion.","usage":{"input_tokens":7}}');

const send =
  (body: Buffer, encoding: string, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { ...json, 'content-encoding': encoding }).end(body);

test.each([
  ['gzip', gzipSync(whole)],
  ['x-gzip', gzipSync(whole)],
  ['br', brotliCompressSync(whole)],
  ['zstd', zstdCompressSync(whole)],
  ['deflate', deflateSync(whole)],
  ['deflate', deflateRawSync(whole)],
  ['gzip, br', brotliCompressSync(gzipSync(whole))],
])(
  'a reply in %s is read as if it were plain, although only a plain one was asked for',
  async (encoding, packed) => {
    let accepted: string | undefined;
    const reply = await ask((request, response) => {
      accepted = request.headers['accept-encoding'];
      send(packed, encoding)(request, response);
    });
    expect(reply).toMatchObject({ answer: 'It is $170 – including the cushion.', usage: { inputTokens: 7 } });
    expect(accepted).toBe('identity');
  },
);

test.each([
  [
    'broken data',
    gzipSync(whole).subarray(0, 30),
    'gzip',
    /^The reply cannot be unpacked: its gzip data are broken: /,
  ],
  ['plain text', whole, 'br', /^The reply cannot be unpacked: its br data are broken: /],
  [
    'another encoding',
    whole,
    'compress',
    /^The reply cannot be unpacked: it is compressed as "compress", which is not known\.$/,
  ],
])('%s is an invalid reply', async (_, body, encoding, message) => {
  await expect(ask(send(body, encoding))).rejects.toMatchObject({
    code: 'invalid-reply',
    message: expect.stringMatching(message),
  });
});

test('the status of an error matters more than its body, compressed or not', async () => {
  const refused = gzipSync('{"error":"no such bot"}');
  await expect(ask(send(refused, 'gzip', 404))).rejects.toMatchObject({
    code: 'http-status',
    message: 'The server answered 404: {"error":"no such bot"}',
  });
  await expect(ask(send(whole, 'compress', 404))).rejects.toMatchObject({
    message: 'The server answered 404',
  });
  const read = await ask(send(gzipSync(whole), 'gzip', 404), { allowErrorStatus: true });
  expect(read.answer).toContain('$170');
});

test.each([
  ['48 kB of gzip', gzipSync(Buffer.alloc(50_000_000)), 'gzip'],
  ['a few bytes of brotli', brotliCompressSync(Buffer.alloc(50_000_000)), 'br'],
  ['a few kB of zstd', zstdCompressSync(Buffer.alloc(50_000_000)), 'zstd'],
  ['48 kB of deflate', deflateSync(Buffer.alloc(50_000_000)), 'deflate'],
])('%s that become 50 MB are too large an answer', async (_, body, encoding) => {
  await expect(ask(send(body, encoding))).rejects.toMatchObject({ code: 'answer-too-large' });
});

test('a server whose compressed reply has no end is left soon', async () => {
  let sent = 0;
  let isClosed = false;
  const zeros = Buffer.alloc(1024 * 1024);
  await expect(
    ask((_, response) => {
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).once('close', () => (isClosed = true));
      const endless = Readable.from(
        (function* () {
          while (!response.destroyed) {
            sent += zeros.length;
            yield zeros;
          }
        })(),
      );
      endless.pipe(createGzip({ level: 1 })).pipe(response);
    }),
  ).rejects.toMatchObject({ code: 'answer-too-large' });
  await expect.poll(() => isClosed).toBe(true);
  expect(sent).toBeLessThan(2 ** 31);
});

const events = ['It is ', '$170.'].map(
  (text) =>
    `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`,
);
const stream = Buffer.from(`${events.join('')}data: [DONE]\n\n`);

const sendStream =
  (body: Buffer): RequestListener =>
  (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
      .end(body);

test('a stream that is compressed is read; cut off it is broken, and a bomb is too large', async () => {
  expect(await ask(sendStream(gzipSync(stream)))).toMatchObject({ answer: 'It is $170.' });
  await expect(ask(sendStream(gzipSync(stream).subarray(0, -20)))).rejects.toMatchObject({
    code: 'stream-broken',
  });
  const bomb = gzipSync(
    Buffer.concat([Buffer.from(events.join('')), Buffer.from(': keep-alive\n\n'.repeat(3_000_000))]),
  );
  await expect(ask(sendStream(bomb))).rejects.toMatchObject({ code: 'answer-too-large' });
});
