import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readWebhookUrl, sendWebhook } from './send-webhook.ts';
import { readWebhookSecret, signWebhook } from './sign-webhook.ts';

const key = Buffer.from('touchstone-webhook-secret-32byte');

test('a signature has the published value', () => {
  const headers = signWebhook(
    { id: 'msg_t1', timestamp: 1_796_000_000, body: '{"type":"decision","text":"gate fail"}' },
    readWebhookSecret(`whsec_${key.toString('base64')}`, 'HOOK_SECRET'),
  );
  expect(headers).toEqual({
    'webhook-id': 'msg_t1',
    'webhook-timestamp': '1796000000',
    'webhook-signature': 'v1,YAdP+YfMy+l67B3R86+PAvB8G4cjaX12jF2vMww3ARQ=',
  });
});

test.each(['secret-without-prefix', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_%%%%'])(
  'the secret %s is refused unseen',
  (secret) => {
    expect(() => readWebhookSecret(secret, 'HOOK_SECRET')).toThrow(
      expect.objectContaining({ code: 'config-invalid', message: expect.not.stringContaining('c2hvcnQ') }),
    );
  },
);

test('only https, and http on this machine, are addresses', () => {
  for (const url of ['https://example.com/a', 'http://127.0.0.1:9/', 'http://localhost/', 'http://[::1]:9/'])
    expect(readWebhookUrl(url, 'SLACK_URL').href).toContain('http');
  for (const url of ['http://example.com/token', 'ftp://a', 'nothing', 'http://127.0.0.1.example.com/'])
    expect(() => readWebhookUrl(url, 'SLACK_URL')).toThrow('SLACK_URL');
});

/** Starts a receiver that answers with some statuses in turn. */
async function receive(statuses: readonly number[]) {
  const seen: { readonly id: unknown; readonly path: string | undefined }[] = [];
  const server = createServer((request, response) => {
    seen.push({ id: request.headers['webhook-id'], path: request.url });
    request.resume();
    response.writeHead(statuses[seen.length - 1] ?? 200, { location: '/elsewhere' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { seen, url: new URL(`http://127.0.0.1:${port}/hook`) };
}

async function send(statuses: readonly number[]) {
  const { seen, url } = await receive(statuses);
  const pauses: number[] = [];
  const delivery = await sendWebhook(
    { id: 'msg_1', body: '{}' },
    { url, key },
    { wait: async (ms) => void pauses.push(ms) },
  );
  return { delivery, seen, pauses };
}

test('a message is sent again with its id until it is taken', async () => {
  const { delivery, seen, pauses } = await send([503, 429, 408, 500, 204]);
  expect(delivery).toEqual({ status: 'delivered' });
  expect(seen.map(({ id }) => id)).toEqual(Array.from({ length: 5 }, () => 'msg_1'));
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(15 * 60_000);
});

test('five tries are all', async () => {
  const { delivery, seen } = await send([500, 500, 500, 500, 500, 200]);
  expect(delivery).toEqual({ status: 'unreached', reason: 'it answers with status 500' });
  expect(seen).toHaveLength(5);
});

test.each([400, 404, 410, 302])(
  'the status %i ends the tries, and no redirect is followed',
  async (status) => {
    const { delivery, seen } = await send([status]);
    expect(delivery).toEqual({ status: 'refused', reason: `it answers with status ${status}` });
    expect(seen.map(({ path }) => path)).toEqual(['/hook']);
  },
);
