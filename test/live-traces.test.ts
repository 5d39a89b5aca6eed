import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { importTraces } from '../src/library/api/cases/traces.ts';
import { program, temporaryFolder, touchstone } from './run-cli.ts';

// Ten days of production: the requests of an exporter come in through `touchstone view --ingest`, each day is scored by the real
// command line, and a receiver on this machine checks every signature by the published scheme.

const dayMs = 86_400_000;
const secret = Buffer.from('a-secret-of-thirty-two-bytes-abc');
const perDay = 40;
/** Midnight of a day of which ten more are in the past. */
const firstDay = Math.floor(Date.now() / dayMs) * dayMs - 14 * dayMs;
const recorded = await readFile(path.join(import.meta.dirname, 'otlp', 'exporter-http.json'), 'utf8');

/** Returns the request of an exporter with a conversation that ends at a time; its answer is bad or as it was recorded. */
function requestOf(name: string, atMs: number, isBad: boolean): string {
  const traceId = createHash('md5').update(name).digest('hex');
  const told = recorded
    .replaceAll('5b8efff798038103d269b633813fc60c', traceId)
    .replaceAll('conv-7', name)
    .replaceAll(/"(\d{19})"/g, (_, nanos: string) => {
      const [start] = /1767348000/.exec(nanos) ?? [];
      const seconds = Number(nanos.slice(0, 10)) - Number(start ?? 1_767_348_000) + Math.floor(atMs / 1000);
      return `"${seconds}${nanos.slice(10)}"`;
    });
  return isBad ? told.replaceAll('19:00', 'a time that I do not know') : told;
}

/** Starts `touchstone view --ingest` and returns a function that sends what an exporter sent. */
async function startIngest(cwd: string) {
  const env = { ...process.env, NO_COLOR: '1', TOUCHSTONE_INGEST_TOKEN: 'a-token-of-the-exporter-32-chars' };
  const child = spawn(process.execPath, [program, 'view', '--ingest', '--no-open'], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  while (!printed.includes('Ctrl-C')) printed += String(await once(child.stdout, 'data'));
  const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
  return async (body: string) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${env.TOUCHSTONE_INGEST_TOKEN}`,
    };
    const reply = await fetch(`${origin}/v1/traces`, { method: 'POST', headers, body });
    expect(await reply.text()).toBe('{}');
  };
}

/** A message as it came in. */
interface Received {
  readonly id: string;
  readonly body: {
    readonly text: string;
    readonly blocks?: unknown;
    readonly touchstone: { readonly outcome: string; readonly rule: string | null };
  };
  readonly isSigned: boolean;
}

async function readMessage(request: IncomingMessage): Promise<Received> {
  const pieces = await Array.fromAsync(request as AsyncIterable<Buffer>);
  const text = Buffer.concat(pieces).toString();
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((part) =>
    String(request.headers[`webhook-${part}`]),
  ) as [string, string, string];
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.${text}`).digest('base64');
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  return { id, body: JSON.parse(text), isSigned: isRecent && signature === `v1,${expected}` };
}

/** Starts a receiver; while it has a victim, the process dies before it is answered, or after it was asked to come again. */
async function startReceiver() {
  const messages: Received[] = [];
  const victim: { child?: ChildProcess; status?: number } = {};
  const server = createServer((request, response) => {
    void readMessage(request).then((message) => {
      messages.push(message);
      const { child, status = 204 } = victim;
      if (status !== 204 || child === undefined) response.writeHead(status).end();
      if (status === 204) child?.kill('SIGKILL');
      // Once it was seen by the program, which then waits for ten seconds.
      else response.on('close', () => child?.kill('SIGKILL'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { messages, victim, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

test('a fall is heard once, also after a kill, and silence is heard too', async () => {
  const cwd = await temporaryFolder();
  await writeFile(
    path.join(cwd, 'live.yaml'),
    `metrics: [{ use: contains, name: helps, value: '19:00' }, keywords]
watch:
  name: live
  rules: { helps: { type: metric, metric: helps, atLeast: 90 } }
  webhook: { url: "\${HOOK_URL}", secret: "\${HOOK_SECRET}" }
`,
  );
  const send = await startIngest(cwd);
  const { messages, victim, url } = await startReceiver();
  const env = { HOOK_URL: url, HOOK_SECRET: `whsec_${secret.toString('base64')}` };
  const score = async (day: number, kill = false) => {
    const until = new Date(firstDay + day * dayMs + 6 * 3_600_000).toISOString();
    return await touchstone(
      ['score', '--traces', '--since', '1d', '--until', until, '--config', 'live.yaml', '--json'],
      { cwd, env, onStarted: kill ? (child) => void (victim.child = child) : undefined },
    );
  };
  const codes: (number | null)[] = [];
  for (let day = 1; day <= 10; day += 1) {
    const bad = day < 7 ? 2 : 16;
    for (let each = 0; each < perDay; each += 1)
      await send(requestOf(`c${day}-${each}`, firstDay + day * dayMs + each * 60_000, each < bad));
    const isFall = day === 7;
    const ended = await score(day, isFall);
    codes.push(ended.code);
    if (!isFall) continue;
    // It died after the day was recorded, and before the message was answered.
    delete victim.child;
    expect(messages).toHaveLength(1);
    const again = await score(day);
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'fail', frame: perDay, drawn: perDay });
    expect((await score(day)).code).toBe(1);
  }
  expect(codes).toEqual([0, 0, 0, 0, 0, 0, null, 1, 1, 1]);
  expect(messages.map(({ body }) => body.touchstone.outcome)).toEqual(['fail', 'fail']);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
  expect(messages.every(({ isSigned }) => isSigned)).toBe(true);
  expect(messages[0]?.body.text).toMatch(
    /^live: helps below 90 %: 60\.0 % \[\d\d\.\d, \d\d\.\d\] of 40 on \S+; evidence/,
  );
  expect(JSON.stringify(messages)).not.toContain('library');

  const silent = await score(12);
  expect(silent.code).toBe(2);
  expect(JSON.parse(silent.stdout)).toMatchObject({ outcome: 'not-measured', run: null });
  await score(12);
  expect(messages.slice(2).map(({ body }) => body)).toEqual([
    expect.objectContaining({
      text: expect.stringMatching(/nothing arrived since .*: is the exporter running\?$/),
    }),
  ]);
});

test('what a receiver could not take is sent later, once, and so is the recovery, with texts and a link for Slack', async () => {
  const cwd = await temporaryFolder();
  await writeFile(
    path.join(cwd, 'live.yaml'),
    `metrics: [{ use: contains, name: helps, value: '19:00' }, { use: contains, name: other, value: xyz }]
watch:
  name: live
  rules: { unknown: { type: metric, metric: helps, atLeast: 50 } }
  webhook: { url: "\${HOOK_URL}", format: slack, texts: true, link: "https://touchstone.example.com/" }
`,
  );
  const { messages, victim, url } = await startReceiver();
  for (const day of [1, 2]) {
    const bodies = Array.from({ length: 30 }, (_, each) =>
      requestOf(
        `<d${day}>-${each}`,
        firstDay + day * dayMs + each * 60_000,
        day === 1 ? each > 0 : each === 0,
      ),
    );
    await writeFile(
      path.join(cwd, 'traces.jsonl'),
      bodies.map((body) => JSON.stringify(JSON.parse(body))).join('\n'),
    );
    await importTraces('traces.jsonl', { folder: cwd });
  }
  const score = async (day: number, isLost = false) => {
    const until = new Date(firstDay + day * dayMs + 6 * 3_600_000).toISOString();
    return await touchstone(
      ['score', '--traces', '--since', '1d', '--until', until, '--config', 'live.yaml', '--json'],
      { cwd, env: { HOOK_URL: url }, onStarted: isLost ? (child) => void (victim.child = child) : undefined },
    );
  };
  victim.status = 503;
  expect(await score(1, true)).toMatchObject({ code: null });
  expect(messages).toHaveLength(1);
  delete victim.status;
  delete victim.child;
  const recovered = await score(2);
  expect([recovered.code, recovered.stderr]).toEqual([0, '']);
  expect((await score(2)).code).toBe(0);
  const [first, again, back, ...more] = messages.map(({ body }) => body);
  expect(more).toEqual([]);
  expect(again).toEqual(first);
  const lines = first?.text.split('\n') ?? [];
  expect(lines[0]).toMatch(/^live: unknown below 50 %: 3\.3 % \[/);
  expect(lines.slice(1, -1)).toEqual(
    Array.from({ length: 3 }, () => [
      expect.stringMatching(/^Q: /),
      expect.stringContaining('a time that I do not know'),
    ]).flat(),
  );
  expect(lines.at(-1)).toMatch(/^https:\/\/touchstone\.example\.com\/runs\/\S+$/);
  expect(first).toEqual({
    text: first?.text,
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: first?.text } }],
  });
  // A recovery shows no answers, although one failed.
  expect(back?.text).toMatch(/^live: unknown again at least 50 %: 96\.7 % \[[^\n]*\nhttps:[^\n]*$/);
});
