import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  contractAnswer,
  contractScenarios,
  largeAnswer,
  nulAnswer,
  sessionOf,
  testTargetContract,
} from '../../library/testing/target-contract.ts';
import type { Target } from './target.ts';
import { webhook } from './webhook.ts';
import { findFreePort } from '../../../scripts/find-free-port.ts';

const servers = new Set<Server>();
afterEach(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  servers.clear();
});

/** Starts a bot that accepts a message at once, and posts what `answer` says to the address of Slack afterwards. */
async function startBot(port: number, answer: (text: string) => readonly string[]): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      response.end('ok');
      const { text, channel } = JSON.parse(body) as { text: string; channel: string };
      void (async () => {
        for (const said of answer(text))
          await fetch(`http://127.0.0.1:${port}/api/chat.postMessage`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ channel, text: said }),
          }).catch(() => {});
      })();
    });
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`;
}

function create(url: string, port: number, quietMs = 20): Target {
  const { definition } = webhook;
  const options = { url, listen: { port, path: '/api/chat.postMessage' }, quietMs };
  const never = (): never => {
    throw new Error('a webhook needs nothing');
  };
  return definition.create(definition.options.parse(options), {
    folder: '/',
    environment: {},
    readRows: never,
    resolveModel: never,
  });
}

const request = (input: string, session: string) => ({
  key: session,
  caseId: 'a',
  input,
  messages: [{ role: 'user' as const, content: input }],
  session: sessionOf(1, session),
  metadata: {},
  attempt: 1,
  seed: 1,
});

const context = (ms = 5000) => ({ signal: AbortSignal.timeout(ms), noteFirstToken: () => {} }) as never;

const texts: Readonly<Record<string, readonly string[]>> = {
  [contractScenarios.silence]: [],
  [contractScenarios.large]: [largeAnswer],
  [contractScenarios.nul]: [nulAnswer],
};

testTargetContract(
  'webhook',
  async () => {
    const port = await findFreePort();
    return create(await startBot(port, (text) => texts[text] ?? [contractAnswer(text)]), port);
  },
  {
    test,
    expect,
    without: {
      null: 'a message has a text',
      'not-a-number': 'a message has a text',
      'invalid-utf8': 'a message is JSON',
      html: 'a message is JSON',
    },
  },
);

test('messages that come close together are one answer; those of other conversations stay apart', async () => {
  const port = await findFreePort();
  const target = create(await startBot(port, (text) => [`first ${text}`, `second ${text}`]), port, 1000);
  await target.open?.();
  const start = performance.now();
  const replies = await Promise.all(
    ['one', 'two'].map((name) => target.call(request(name, name), context())),
  );
  expect(replies.map(({ answer }) => answer)).toEqual(['first one\nsecond one', 'first two\nsecond two']);
  // The quiet time after the last message is not the time of the bot.
  const times = replies.map(({ latency }) => latency?.totalMs ?? Infinity);
  expect(Math.max(...times)).toBeLessThan(performance.now() - start - 990);
  await target.close?.();
});

test('a message that belongs to no question is refused, and a taken port is explained', async () => {
  const port = await findFreePort();
  const target = create(await startBot(port, () => ['yes']), port);
  await target.open?.();
  const post = async (path: string, body: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body })).status;
  expect(await post('/api/chat.postMessage', '{"channel":"unknown","text":"x"}')).toBe(404);
  expect(await post('/other', '{}')).toBe(404);
  expect(await post('/api/chat.postMessage', 'no JSON')).toBe(400);
  const other = create('http://127.0.0.1:1/', port);
  await expect(other.open?.()).rejects.toMatchObject({
    code: 'target-unreachable',
    message: expect.stringContaining(`${port}`) as string,
  });
  await target.close?.();
});
