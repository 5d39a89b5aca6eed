import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync, brotliCompressSync, zstdCompressSync, deflateSync } from 'node:zlib';

const order = '{"id": 1290461237612345678, "status": "shipped"}';
const packed = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync };
/** A body of 20 MB. */
export const bigBody: Buffer = Buffer.alloc(20_000_000, 'abcdefghij');

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly rest: string;
  readonly body: Buffer;
}

function json(response: ServerResponse, status: number, text: string, more: OutgoingHttpHeaders = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...more }).end(text);
}

/** Serves answers of all kinds under `/v2`: streamed, packed, large, redirecting, with cookies, and broken ones. */
export async function serveHttpTool() {
  const requests: string[] = [];
  const held = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const kinds: Readonly<Record<string, (asked: Asked) => void>> = {
    orders: ({ request, response, body }) => {
      const { method, headers } = request;
      if (method === 'POST') json(response, 201, JSON.stringify({ body: body.toString(), headers }));
      else json(response, 200, order, { etag: '"1"' });
    },
    missing: ({ response }) => json(response, 404, '{"detail":"no such order"}'),
    packed: ({ response, rest }) => {
      const pack = packed[rest as keyof typeof packed];
      const headers = { 'content-type': 'application/json', 'content-encoding': rest };
      response.writeHead(200, headers).end(pack(order));
    },
    big: ({ response }) => response.writeHead(200, { 'content-type': 'text/plain' }).end(bigBody),
    length: ({ response, body }) => json(response, 200, String(body.length)),
    picture: ({ response }) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([137, 80, 0, 255])),
    nothing: ({ response }) => response.writeHead(204).end(),
    redirect: ({ response, url }) =>
      response.writeHead(302, { location: url.searchParams.get('to') ?? '' }).end(),
    cookie: ({ request, response }) => {
      const { cookie, host } = request.headers;
      const cookies = ['sid=1; Path=/v2/orders; Domain=orders.internal; Secure; HttpOnly', 'all=2; Path=/'];
      const text = JSON.stringify({ cookie: cookie ?? null, link: `http://${host}/v2/orders/1` });
      json(response, 200, text, { 'set-cookie': cookies });
    },
    events: ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
      void held.promise.then(() => response.end('data: last\n\n'));
    },
    broken: ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
      response.write('only this');
      setTimeout(() => response.destroy(), 20);
    },
    hang: ({ request }) => void request.socket.once('close', () => gone.resolve()),
  };
  const http = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
      requests.push(`${request.method} ${request.url}`);
      const [, , kind = '', rest = ''] = url.pathname.split('/');
      const answer = kinds[kind] ?? (() => json(response, 200, JSON.stringify({ path: request.url })));
      answer({ request, response, url, rest, body });
    })();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/v2`,
    requests,
    /** Lets a stream go on. */
    release: held.resolve,
    /** Fulfilled when a request that is never answered has been given up. */
    gone: gone.promise,
    [Symbol.dispose]: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}
