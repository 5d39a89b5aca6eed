import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startForwardProxy } from '../../../test/support/forward-proxy.ts';
import { createAgent } from '../lib/network/agent.ts';
import { sendRequest, type StreamedBody } from '../lib/network/send-request.ts';
import type { Attachment } from '../schema/message.ts';
import { asBytes, describeFiles, encodeFormPart, noFiles, prepareFiles, writeBody } from './files-to-send.ts';

const mebibyte = 2 ** 20;

function fileOf(size: number): { readonly bytes: Buffer; readonly attachment: Attachment } {
  const bytes = randomBytes(size);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { bytes, attachment: { hash, mediaType: 'image/png', bytes: size, at: 0 } };
}

async function prepare(...files: ReturnType<typeof fileOf>[]) {
  const reads: string[] = [];
  const prepared = await prepareFiles(
    files.map(({ attachment }) => attachment),
    async (hash) => {
      reads.push(hash);
      return files.find(({ attachment }) => attachment.hash === hash)?.bytes ?? expect.fail('no such file');
    },
  );
  const marks = files.map(({ attachment }) => prepared.marks.get(attachment.hash) ?? '');
  return { prepared, marks, reads };
}

async function bytesOf(body: string | StreamedBody): Promise<Buffer> {
  if (typeof body === 'string') return Buffer.from(body);
  const bytes = Buffer.concat((await Array.fromAsync(body.pieces())).map((piece) => Buffer.from(piece)));
  expect(await body.length()).toBe(bytes.length);
  return bytes;
}

test.each([1, 2, 3, 98_303, 98_304, 98_305, 5 * mebibyte])(
  'a file of %i bytes is sent as the same base64, bytes and form as if it were written at once',
  async (size) => {
    const file = fileOf(size);
    const { prepared, marks } = await prepare(file);
    const [mark = ''] = marks;
    const base64 = file.bytes.toString('base64');
    const json = JSON.stringify({ q: 'Grüße "x"', url: `data:image/png;base64,${mark}`, again: mark });
    expect(
      (await bytesOf(writeBody(json, prepared))).equals(Buffer.from(json.replaceAll(mark, base64))),
    ).toBe(true);
    const form = writeBody(`a=${encodeFormPart(`é${mark}`)}&b=1`, prepared);
    expect((await bytesOf(form)).toString() === `a=${encodeURIComponent(`é${base64}`)}&b=1`).toBe(true);
    const raw = await bytesOf(writeBody(`--x\r\n${asBytes(mark)}\r\n`, prepared));
    expect(raw.equals(Buffer.concat([Buffer.from('--x\r\n'), file.bytes, Buffer.from('\r\n')]))).toBe(true);
  },
);

test('48 MiB of files are read one after the other while they are sent, and no piece is larger than 128 KiB', async () => {
  const files = [16, 16, 16].map((size) => fileOf(size * mebibyte));
  const { prepared, marks, reads } = await prepare(...files);
  const body = writeBody(JSON.stringify(marks), prepared) as StreamedBody;
  expect(await body.length()).toBe(JSON.stringify(marks.map(() => '')).length + 3 * 22_369_624);
  expect(reads).toEqual([]);
  let [sent, largest] = [0, 0];
  for await (const piece of body.pieces()) {
    sent += piece.length;
    largest = Math.max(largest, piece.length);
    expect(reads.length).toBeLessThanOrEqual(Math.floor(sent / 22_369_624) + 1);
  }
  expect(reads).toHaveLength(3);
  expect(largest).toBe(128 * 1024);
});

test('files of usual size are read before the request is sent, each once however often it stands there', async () => {
  const file = fileOf(1000);
  const { prepared, marks, reads } = await prepare(file, file);
  expect(reads).toEqual([file.attachment.hash]);
  const body = writeBody(JSON.stringify(marks), prepared);
  await bytesOf(body);
  await bytesOf(body);
  expect(reads).toHaveLength(1);
});

test('a body without files stays a text, also where a question speaks of marks', async () => {
  expect(writeBody('{"a":1}', noFiles)).toBe('{"a":1}');
  const { prepared } = await prepare(fileOf(10));
  const question = `touchstone_${'0'.repeat(32)}_${'0'.repeat(64)}_base64`;
  expect((await bytesOf(writeBody(question, prepared))).toString()).toBe(question);
});

test('what is shown of a request names the size and the hash of a file', async () => {
  const file = fileOf(10);
  const { prepared, marks } = await prepare(file);
  expect(describeFiles(`url: ${marks[0]}`, prepared)).toBe(
    `url: ‹10 bytes, ${file.attachment.hash.slice(0, 12)}…›`,
  );
});

test('a large file that is shorter than its record says is not sent', async () => {
  const { attachment } = fileOf(5 * mebibyte);
  const prepared = await prepareFiles([attachment], async () => Buffer.alloc(7));
  const body = writeBody(prepared.marks.get(attachment.hash) ?? '', prepared) as StreamedBody;
  await expect(Array.fromAsync(body.pieces())).rejects.toThrow('has another size than its record says');
});

test.each(['directly', 'through a proxy'])(
  'a body with a file is sent twice, %s, with its length; one that ends early fails',
  async (way) => {
    await using proxy = await startForwardProxy();
    if (way === 'through a proxy') vi.stubEnv('HTTP_PROXY', `http://${proxy.host}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const received: { readonly length: string | undefined; readonly body: Buffer }[] = [];
    const server = createServer((request, response) => {
      void buffer(request).then(
        (body) => {
          received.push({ length: request.headers['content-length'], body });
          response.end('{}');
        },
        () => {},
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = await createAgent();
    onTestFinished(async () => {
      await agent.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const host = way === 'directly' ? '127.0.0.1' : 'bot.test';
    const { signal } = new AbortController();
    const send = async (body: string | StreamedBody) => {
      const url = new URL(`http://${host}:${port}/`);
      const reply = await sendRequest(agent, { url, method: 'POST', headers: {}, body, signal }, mebibyte);
      reply.body.resume();
      return reply.status;
    };
    const file = fileOf(5 * mebibyte);
    const { prepared, marks } = await prepare(file);
    const text = JSON.stringify({ file: marks[0] });
    const body = writeBody(text, prepared);
    expect([await send(body), await send(body)]).toEqual([200, 200]);
    const expected = Buffer.from(JSON.stringify({ file: file.bytes.toString('base64') }));
    for (const each of received) {
      expect(each.length).toBe(String(expected.length));
      expect(each.body.equals(expected)).toBe(true);
    }
    const broken = { ...prepared, read: async () => await Promise.reject(new Error('the disk is gone')) };
    await expect(send(writeBody(text, broken))).rejects.toThrow('the disk is gone');
    expect(proxy.asked.length > 0).toBe(way === 'through a proxy');
  },
);
