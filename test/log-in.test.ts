import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { readLatestResults } from './stored-run.ts';
import { startTraceCollector } from './support/trace-collector.ts';

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts a server and returns its address. */
async function serve(handle: Handle): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((body) => handle(request, response, body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function writeProject(config: string, cases = 4): Promise<string> {
  const folder = await temporaryFolder();
  const rows = Array.from({ length: cases }, (_each, index) =>
    JSON.stringify({
      id: `q${index}`,
      turns: [`question ${index}`, 'And then?'],
      expected: { keywords: ['yes'] },
    }),
  );
  await writeFile(path.join(folder, 'golden.jsonl'), rows.join('\n'));
  await writeFile(path.join(folder, 'touchstone.config.yaml'), `dataset: golden.jsonl\n${config}`);
  return folder;
}

const env = { BOT_CLIENT: 'touchstone-client', BOT_SECRET: 'secret/of the client+1' };

const before = (login: string) => `before:
      url: ${login}/token
      basic: { user: '{{env.BOT_CLIENT}}', password: '{{env.BOT_SECRET}}' }
      form: { grant_type: client_credentials }
      keep: { token: $.access_token, expiresIn: $.expires_in }`;

test('a wrong secret ends the run before the first question, with what the server said and no secret', async () => {
  let questions = 0;
  const bot = await serve((_request, response) => {
    questions += 1;
    response.end('yes');
  });
  const login = await serve(({ headers }, response) =>
    response.writeHead(401).end(`{"error":"invalid_client","sent":"${headers.authorization}"}`),
  );
  const folder = await writeProject(`targets:
  - use: http
    url: ${bot}
    headers: { Authorization: 'Bearer {{before.token}}' }
    ${before(login)}
`);
  const ended = await touchstone(['run'], { cwd: folder, env });
  expect({ ...ended, questions }).toMatchObject({ code: 4, questions: 0 });
  expect(ended.stderr).toContain(
    `The log-in at ${login}/token failed: the server answered 401: {"error":"invalid_client","sent":"Basic [before.basic]"}`,
  );
  expect(ended.stderr).toContain(
    'Check `before`, and the value of BOT_CLIENT, BOT_SECRET; no question is asked',
  );
});

test('a log-in that is down in the middle of a run ends it soon, with one error and how to continue', async () => {
  let [logIns, questions, isDown] = [0, 0, false];
  const login = await serve((_request, response) => {
    logIns += 1;
    if (isDown) response.writeHead(403).end('{"error":"the account is locked"}');
    else response.end('{"access_token":"the-first-token"}');
  });
  const bot = await serve(({ headers }, response) => {
    questions += 1;
    isDown ||= questions > 40;
    response.writeHead(isDown ? 401 : 200).end(headers.authorization === undefined ? 'no' : 'yes');
  });
  const folder = await writeProject(
    `targets:
  - use: http
    url: ${bot}
    headers: { Authorization: 'Bearer {{before.token}}' }
    ${before(login).replace(', expiresIn: $.expires_in', '')}
concurrency: 8
`,
    500,
  );
  const ended = await touchstone(['run'], { cwd: folder, env });
  expect(ended.code).not.toBe(0);
  const errors = (await readLatestResults(folder)).flatMap(({ trial: { error } }) => error ?? []);
  expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['login-failed']));
  // Some were in their second turn.
  const messages = errors.map(({ message }) => message.replace(/^.*?(?=The log-in)/, ''));
  expect([...new Set(messages)]).toEqual([
    `The log-in at ${login}/token failed: the server answered 403: {"error":"the account is locked"}`,
  ]);
  expect(errors.length).toBeLessThan(20);
  expect(logIns).toBeLessThan(10);
  expect(questions).toBeLessThan(80);
  expect(ended.stdout + ended.stderr).toContain('the account is locked');
});

/** Returns the text of all files of a folder, except those that the test itself wrote. */
async function readAll(folder: string): Promise<{ names: string[]; text: string }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map(async (file) => await readFile(file, 'latin1')));
  return { names: files, text: texts.join('\n') };
}

test('keys, tokens and cookies are in no file, output, span, judge’s prompt or worker’s job, and no address is asked that the config does not name', async () => {
  let elsewhere = 0;
  const other = await serve((_request, response) => {
    elsewhere += 1;
    response.end('yes');
  });
  const secrets = new Set<string>(Object.values(env));
  let [logIns, visitors] = [0, 0];
  const give = (kind: string) => {
    const secret = `${kind}-${logIns}-${visitors}-secret`;
    secrets.add(secret);
    return secret;
  };
  const login = await serve(({ headers, url }, response) => {
    logIns += 1;
    const expected = `${encodeURIComponent(env.BOT_CLIENT)}:${new URLSearchParams([['', env.BOT_SECRET]]).toString().slice(1)}`;
    const sent = Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString();
    expect([url, sent]).toEqual(['/token', expected]);
    response.setHeader('set-cookie', `gate=${give('gate')}; Path=/`);
    // What is given with a redirect counts; where it leads is not asked.
    response.writeHead(303, { location: other });
    response.end(JSON.stringify({ access_token: give('token'), expires_in: 3600 }));
  });
  let refused = '';
  const bot = await serve(({ headers }, response, body) => {
    visitors += 1;
    const token = String(headers.authorization);
    const said = `yes ${token} ${headers.cookie} ${Buffer.from(token).toString('base64')} ${encodeURIComponent(String(headers.cookie))}`;
    if (visitors > 3 && refused === '') refused = token;
    if (token === refused) return response.writeHead(401).end(said);
    response.setHeader('set-cookie', `sid=${give('sid')}`);
    if (body.includes('question 1')) return response.writeHead(302, { location: `${other}/?${said}` }).end();
    if (body.includes('question 2')) return response.writeHead(400).end(said);
    if (body.includes('question 3'))
      return response.writeHead(202, { location: `/status?${give('job')}` }).end(said);
    response.setHeader('content-type', 'application/json');
    return response.end(
      JSON.stringify({
        answer: said,
        tool_calls: [{ name: 'look', arguments: { said, [said]: 1 }, result: said }],
        documents: [{ id: 'd', text: said }],
        state: { said },
        logs: said,
      }),
    );
  });
  const prompts: string[] = [];
  await using judge = await startModelServer(({ body }) => {
    prompts.push(JSON.stringify(body));
    return { judgement: { reason: 'It does.', quote: 'yes', verdict: 'yes' } };
  });
  await using collector = await startTraceCollector();
  const folder = await writeProject(`targets:
  - use: http
    name: bot
    url: ${bot}
    headers: { Authorization: 'Bearer {{before.token}}' }
    ${before(login)}
    poll: { everyMs: 20 }
metrics: [keywords, { use: question, text: 'Does it help?' }]
judge: { use: chat-model, model: { use: openai-chat, model: m, baseUrl: ${judge.url} } }
maxRetries: 0
`);
  const start = { cwd: folder, env: { ...env, OPENAI_API_KEY: 'sk-a-key-of-the-judge' } };
  secrets.add('a-key-of-the-judge');
  const reports = ['-o', 'report.md', '-o', 'report.json', '-o', 'report.html', '-o', 'report.xml'];
  const ran = await touchstone(['run', '--verbose', '--otel', collector.url, ...reports], start);
  const worked = await touchstone(['run', '--workers', '2', '--json'], start);
  const others = [
    await touchstone(['show', '--verbose'], start),
    await touchstone(['export', 'latest'], start),
    await touchstone(['doctor'], start),
  ];
  expect(ran.stderr + worked.stderr).not.toContain('unhandled');
  const results = await readLatestResults(folder);
  expect(results).toHaveLength(4);
  const answered = results.filter(({ trial }) => trial.error === undefined);
  expect(answered).toHaveLength(2);
  expect(answered[0]?.trial.answer).toContain('Bearer [before.token] gate=[cookie gate]');
  // Each worker logged in by itself.
  expect(logIns).toBeGreaterThan(3);
  expect(prompts.length).toBeGreaterThan(0);
  expect(collector.spans.length).toBeGreaterThan(0);
  const { names, text: files } = await readAll(folder);
  expect(names.some((name) => name.endsWith('touchstone.db'))).toBe(true);
  expect(names.some((name) => name.endsWith('report.html'))).toBe(true);
  const printed = [ran, worked, ...others].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  const all = [files, ...printed, ...prompts, collector.text].join('\n');
  expect(secrets.size).toBeGreaterThan(10);
  for (const secret of secrets) {
    const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
    for (const form of [secret, encodeURIComponent(secret), base64])
      expect([form, all.includes(form)]).toEqual([form, false]);
  }
  expect(elsewhere).toBe(0);
});
