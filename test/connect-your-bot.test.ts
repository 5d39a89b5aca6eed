import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../scripts/find-free-port.ts';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { readLatestResults } from './stored-run.ts';
import { hasOpenssl, makeAuthority } from './support/private-authority.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = await readFile(path.join(root, 'docs', 'connect-your-bot.md'), 'utf8');

/** The configs of the page, each under its heading; several under one heading are numbered. Five kinds of bots have a test of their own. */
const [configsOfPage = ''] = page.split('## Five kinds of bots');
const configs = configsOfPage.split(/^## /m).flatMap((section) => {
  const heading = section.slice(0, section.indexOf('\n'));
  return Array.from(section.matchAll(/^```yaml\n(.*?)^```$/gms), ([, config = ''], index) => ({
    name: index === 0 ? heading : `${heading}, ${index + 1}`,
    config,
  }));
});

const answer = 'It costs 49 dollars.';

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The body as JSON. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** The bot that a config is for: what it answers, and what it makes sure of. */
type Bot = (asked: Asked, response: ServerResponse) => unknown;

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendEvents(response: ServerResponse, events: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

/** Gives a token to the client of the page, for which the bot then asks. */
function withToken(tokenPath: string, bot: Bot): Bot {
  return (asked, response) => {
    if (asked.path === tokenPath) {
      const { client_id, client_secret, grant_type } = Object.fromEntries(new URLSearchParams(asked.body));
      const isRight = client_id === env.BOT_ID && client_secret === env.BOT_SECRET;
      expect([isRight, grant_type]).toEqual([true, 'client_credentials']);
      return sendJson(response, { access_token: 'token-of-the-bot', expires_in: 3600 });
    }
    if (asked.headers.authorization !== 'Bearer token-of-the-bot') return response.writeHead(401).end();
    return bot(asked, response);
  };
}

/** Accepts a question, and has its answer at the second look. */
function later(reply: object = { answer }): Bot {
  let looks = 0;
  return ({ path: at }, response) => {
    if (at !== '/status/7') return sendJson(response, { status_url: '/status/7', status: 'queued' }, 202);
    looks += 1;
    return sendJson(response, looks === 1 ? { status: 'running' } : { status: 'succeeded', ...reply });
  };
}

const env = {
  BOT_ID: 'client-of-the-bot',
  BOT_SECRET: 'secret-of-the-bot',
  BOT_TOKEN: 'token-of-ours',
  DIFY_KEY: 'app-key',
};

/** The bot for each config of the page. A new config needs one here. */
const bots: Readonly<Record<string, Bot>> = {
  Rasa: ({ path: at, value }, response) => {
    expect([at, value['message']]).toEqual(['/webhooks/rest/webhook', 'What does it cost?']);
    const [recipient_id] = [value['sender']];
    sendJson(response, [
      { recipient_id, text: 'It costs' },
      { recipient_id, text: '49 dollars.' },
    ]);
  },
  'A bot that streams': ({ value }, response) => {
    expect(value['stream']).toBe(true);
    const chunk = (delta: object, finish_reason: string | null) => ({
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    });
    sendEvents(response, [
      chunk({ content: 'It costs ' }, null),
      chunk({ content: '49 dollars.' }, null),
      chunk({}, 'stop'),
    ]);
  },
  'A bot that streams, 2': (_asked, response) =>
    sendEvents(response, [
      { delta: 'It costs ' },
      { tool: { name: 'look' } },
      { delta: '49 dollars.' },
      { state: 'done' },
    ]),
  'A bot that answers in blocks': (_asked, response) =>
    sendJson(response, {
      output: [
        { type: 'reasoning', text: 'hm' },
        {
          type: 'message',
          content: [
            { type: 'output_text', text: 'It costs ' },
            { type: 'output_text', text: '49 dollars.' },
          ],
        },
      ],
      steps: [{ tool: { fn: 'look', args: { item: 'lamp' }, out: 49, uid: '1' } }],
    }),
  'A bot that gives the conversation an id': ({ path: at, headers, value }, response) => {
    const sent = [at, headers.authorization, value['response_mode'], value['conversation_id']];
    expect(sent).toEqual(['/v1/chat-messages', `Bearer ${env.DIFY_KEY}`, 'streaming', null]);
    const ids = { task_id: 't', message_id: 'm', conversation_id: 'c' };
    sendEvents(response, [
      { event: 'message', ...ids, answer },
      { event: 'message_end', ...ids, metadata: {} },
    ]);
  },
  'A bot that logs in': withToken('/oauth2/token', (_asked, response) => sendJson(response, { answer })),
  'A bot that accepts a question, and answers later': (asked, response) => {
    expect(asked.headers.authorization).toBe(`Bearer ${env.BOT_TOKEN}`);
    return laterBot(asked, response);
  },
  'A config to paste': withToken('/token', (asked, response) => {
    if (asked.path === '/chat')
      expect(asked.value).toMatchObject({ question: 'What does it cost?', conversation_id: null });
    return pasteBot(asked, response);
  }),
};
const laterBot = later();
const pasteBot = later({ answer, conversation_id: 'c-1' });

async function serve(bot: Bot): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const value = body.startsWith('{') ? JSON.parse(body) : {};
      return bot({ path: request.url ?? '', headers: request.headers, body, value }, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs a config over one question in a new folder, and expects the answer. */
async function run(
  config: string,
  given: Readonly<Record<string, string | undefined>> = {},
  prepare: (cwd: string) => Promise<void> = async () => {},
): Promise<string> {
  const cwd = await temporaryFolder();
  await prepare(cwd);
  const row = { question: 'What does it cost?', expected: { keywords: ['49'] } };
  await writeFile(path.join(cwd, 'golden.jsonl'), JSON.stringify(row));
  await writeFile(path.join(cwd, 'bot.mjs'), `export default () => ${JSON.stringify(answer)};`);
  const whole = config.startsWith('dataset:') ? config : `dataset: golden.jsonl\n${config}`;
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), whole);
  const ended = await touchstone(['run'], {
    cwd,
    env: { ...env, ...given },
    isAlone: 'HTTPS_PROXY' in given,
  });
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  const results = await readLatestResults(cwd);
  expect(results.length).toBeGreaterThan(0);
  for (const { trial, scorecard } of results) {
    expect(trial.answer?.replaceAll(/\s+/g, ' ')).toBe(answer);
    expect(scorecard).toMatchObject({ passed: true });
  }
  return cwd;
}

const overHttp = configs.filter(({ config }) => config.includes('use: http'));

test.each(overHttp)('the config under "$name" works as it is written', async ({ name, config }) => {
  const bot = bots[name];
  if (bot === undefined) expect.fail(`a config of docs/connect-your-bot.md has no bot in this test: ${name}`);
  const paths: string[] = [];
  const url = await serve((asked, response) => {
    paths.push(asked.path);
    return bot(asked, response);
  });
  await run(config.replaceAll(/https?:\/\/[^/"'\s,]+/g, url));
  expect(paths.length).toBeGreaterThan(0);
});

test('every config of the page is run here', () => {
  const others = configs.filter((each) => !overHttp.includes(each)).map(({ name }) => name);
  expect(others).toEqual([
    'A model by the name of its provider',
    'A model by the name of its provider, 2',
    'A model of any provider of the AI SDK',
    'A bot that answers by a message of its own',
  ]);
  expect(overHttp.map(({ name }) => name).toSorted()).toEqual(Object.keys(bots).toSorted());
});

const configUnder = (name: string) => configs.find((each) => each.name === name)?.config ?? '';
const question = `metrics: [keywords, { use: question, text: 'Does it help?' }]\n`;

/**
 * Starts models that answer, and judge, under the hosts of their providers: a proxy connects all of them to this machine, with
 * certificates of an authority of the test.
 */
async function startProviders(hosts: readonly string[]) {
  const asked: string[] = [];
  const models = await startModelServer(({ body }) =>
    JSON.stringify(body).includes('Does it help?')
      ? { judgement: { reason: 'It does.', quote: '49', verdict: 'yes' } }
      : { text: answer },
  );
  const authority = makeAuthority(await temporaryFolder(), hosts);
  const secure = createHttpsServer(authority, (incoming, response) => {
    const { host, authorization, 'api-key': key } = incoming.headers;
    asked.push(`${host}${incoming.url} ${String(authorization ?? key)}`);
    const onward = request(`${models.url}/chat/completions`, { method: 'POST' }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    incoming.pipe(onward);
  });
  const proxy = createServer();
  const listening = async (server: Server) => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const [securePort, proxyPort] = [await listening(secure), await listening(proxy)];
  proxy.on('connect', (_request, socket) => {
    const tunnel = connect(securePort, '127.0.0.1');
    for (const end of [socket, tunnel]) end.on('error', () => tunnel.destroy());
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.pipe(tunnel).pipe(socket);
  });
  onTestFinished(async () => {
    await models.close();
    for (const server of [secure, proxy]) {
      server.close();
      server.closeAllConnections();
    }
  });
  const names = { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NODE_EXTRA_CA_CERTS: authority.file };
  const unset = { https_proxy: undefined, NO_PROXY: undefined, no_proxy: undefined };
  return { asked, url: models.url, variables: { ...names, ...unset } };
}

test.skipIf(!hasOpenssl)(
  'models by the name of their providers work as they are written (needs openssl)',
  async () => {
    const { asked, url, variables } = await startProviders(['contoso.openai.azure.com', 'api.groq.com']);
    // The one on this machine has another port here.
    const config = configUnder('A model by the name of its provider').replace(
      'use: ollama,',
      `use: ollama, baseUrl: "${url}",`,
    );
    await run(`${config}${question}`, {
      ...variables,
      AZURE_OPENAI_API_KEY: 'key-of-azure',
      GROQ_API_KEY: 'key-of-groq',
    });
    expect(asked).toEqual([
      'contoso.openai.azure.com/openai/v1/chat/completions key-of-azure',
      'api.groq.com/openai/v1/chat/completions Bearer key-of-groq',
    ]);
  },
);

test.skipIf(!hasOpenssl)('a key of a command works as it is written (needs openssl)', async () => {
  const host = 'europe-west1-aiplatform.googleapis.com';
  const { asked, variables } = await startProviders([host]);
  const programs = path.join(await temporaryFolder(), 'bin');
  await mkdir(programs);
  const script = '#!/bin/sh\n[ "$*" = "auth print-access-token" ] && echo printed-key-of-gcloud\n';
  await writeFile(path.join(programs, 'gcloud'), script);
  await chmod(path.join(programs, 'gcloud'), 0o755);
  const config = configUnder('A model by the name of its provider, 2');
  await run(`targets: [{ use: module, path: ./bot.mjs }]\n${config}${question}`, {
    ...variables,
    PATH: `${programs}:${process.env['PATH']}`,
  });
  const at = '/v1/projects/my-project/locations/europe-west1/endpoints/openapi/chat/completions';
  expect(asked).toEqual([`${host}${at} Bearer printed-key-of-gcloud`]);
});

test('a model by a package of the AI SDK works as it is written, with a package that answers here', async () => {
  const models = await startModelServer(() => ({
    judgement: { reason: 'It does.', quote: '49', verdict: 'yes' },
  }));
  onTestFinished(async () => await models.close());
  const used = import.meta.resolve('@ai-sdk/openai-compatible');
  const code = `import { createOpenAICompatible } from ${JSON.stringify(used)};
export const createAmazonBedrock = ({ region }) =>
  createOpenAICompatible({ name: region, baseURL: ${JSON.stringify(models.url)} });
`;
  const config = configUnder('A model of any provider of the AI SDK');
  await run(`targets: [{ use: module, path: ./bot.mjs }]\n${config}${question}`, {}, async (cwd) => {
    const folder = path.join(cwd, 'node_modules', '@ai-sdk', 'amazon-bedrock');
    await mkdir(folder, { recursive: true });
    const manifest = { name: '@ai-sdk/amazon-bedrock', version: '1.0.0', type: 'module', main: 'index.js' };
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'index.js'), code);
  });
  expect(models.requests.map(({ body }) => body['model'])).toEqual([
    'anthropic.claude-haiku-4-5-20251001-v1:0',
  ]);
});

test('a bot that answers by a message of its own works as it is written, but for the ports', async () => {
  const port = await findFreePort();
  const url = await serve(({ path: at, value }, response) => {
    expect([at, value['type']]).toEqual(['/slack/events', 'event_callback']);
    response.end();
    const { channel } = value['event'] as { channel: string };
    const body = JSON.stringify({ channel, text: answer });
    const headers = { 'content-type': 'application/json' };
    void fetch(`http://127.0.0.1:${port}/api/chat.postMessage`, { method: 'POST', headers, body });
  });
  const config = configUnder('A bot that answers by a message of its own');
  await run(config.replace('http://127.0.0.1:3000', url).replace('port: 4010', `port: ${port}`));
});
