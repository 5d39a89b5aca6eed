import { once } from 'node:events';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPassword, invite } from '../../privacy/accounts/accounts.ts';
import { addPerson, addToken } from '../../privacy/accounts/manage.ts';
import type { Role, TokenScope } from '../../core/schema/account/rights.ts';
import { serveTeam } from './serve-team.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { buildProposal } from '../../../test/support/store-contract/proposals-contract.ts';
import { buildWholeStore, wholeStore } from '../../../test/support/build-whole-store.ts';
import { storeReviewTask } from '../../../test/support/review-task.ts';
import { addProposals } from '../../stores/proposals/proposal-records.ts';
import { readTrace } from '../../stores/traces/trace-records.ts';

/** The project `shop` has something of everything; the project `main` has nothing. */
const stores: Record<string, Store> = { main: createMemoryStore() };
const home = stores['main'] as Store;
const actor = { who: 'test', address: null };
const password = 'correct horse battery';
const trace = '5b8efff798038103d269b633813fc60c';
const secret = 'the answer that only the shop knows';
const parts = {
  port: 0,
  home,
  openProject: async (project: string) => await Promise.resolve(stores[project] as Store),
  assets: { document: '<!doctype html>', files: new Map() },
};
let server: Awaited<ReturnType<typeof serveTeam>>;

beforeAll(async () => {
  const { store } = await buildWholeStore();
  stores['shop'] = store;
  await storeReviewTask(store, { answers: { passed: 4, failed: 4, answerOf: () => secret } });
  await addProposals(store.documents, [buildProposal('p-1')]);
  server = await serveTeam(parts);
  const sent = { service: 'shop', spans: [{ traceId: trace, spanId: 'ee00000000000009', name: secret }] };
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: sent.spans }] }] });
  expect((await send('/v1/traces', await program(['ingest'], 'shop'), body)).status).toBe(200);
  const feedback = { id: 'f-1', run: wholeStore.cases, trial: 0, value: true, comment: secret };
  await send('/api/feedback', await program(['ingest'], 'shop'), JSON.stringify(feedback));
});
afterAll(async () => await server.close());

type Headers = Readonly<Record<string, string>>;

async function send(path: string, headers: Headers, body?: string | Uint8Array<ArrayBuffer>) {
  return await fetch(server.origin + path, {
    headers: { 'content-type': 'application/json', ...headers },
    redirect: 'manual',
    ...(body !== undefined && { method: 'POST', body }),
  });
}

async function program(scopes: TokenScope[], project: string): Promise<Headers> {
  const token = await addToken(home.accounts, { ...actor, project }, { name: 'ci', scopes, days: 1 });
  return { authorization: `Bearer ${token}` };
}

async function person(name: string, role: Role, project: string): Promise<Headers> {
  await addPerson(home.accounts, { ...actor, project }, { name, role });
  const invitation = `/invitations/${await invite(home.accounts, name)}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: server.origin };
  const answer = await send(invitation, form, new URLSearchParams({ password }).toString());
  return {
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
    origin: server.origin,
  };
}

/** Every address that shows a record by its id: the records of the project `shop`, and the same for records that do not exist. */
function addressesOf(ids: {
  readonly run: string;
  readonly other: string;
  readonly tools: string;
  readonly task: string;
  readonly proposal: string;
  readonly trace: string;
  readonly judge: string;
  readonly dataset: string;
}): string[] {
  const { run, other, tools } = ids;
  const trial = `/api/runs/${run}/trials/0`;
  const pair = `a=${other}&b=${run}&targetA=bot&targetB=bot`;
  return [
    ...['', '/plan?target=bot', '/gate', '/trials', '/facets', '/values?field=tool', '/search?text=a'].map(
      (path) => `/api/runs/${run}${path}`,
    ),
    ...['', '/judgements', '/history', '/place', '/messages?from=0&to=1'].map((path) => trial + path),
    `/api/runs/${tools}/tools`,
    `/api/compare?${pair}`,
    `/api/compare/cases?${pair}`,
    `/api/matrix?columns=${run},${other}`,
    `/api/matrix/counts?columns=${run},${other}`,
    `/api/matrix/table?columns=${run},${other}&format=csv`,
    `/api/runs/${run}/report?format=jsonl`,
    `/api/compare/case?${pair}&case=case-1`,
    `/api/compare/differences?${pair}&measure=score`,
    `/api/reviews/${ids.task}`,
    `/api/proposals/${ids.proposal}`,
    `/api/traces/${ids.trace}`,
    `/api/judges/${ids.judge}`,
    `/api/datasets/${ids.dataset}`,
  ];
}

describe('another project (BOLA)', () => {
  const addresses = addressesOf({
    run: wholeStore.cases,
    other: wholeStore.before,
    tools: wholeStore.tools,
    task: 'task-1',
    proposal: 'p-1',
    trace,
    judge: 'strict',
    dataset: 'golden.jsonl',
  });
  const unknown = addressesOf({
    run: '20260102-030405-none',
    other: '20260101-000000-none',
    tools: 'nothing',
    task: 'task-9',
    proposal: 'p-9',
    trace: '00000000000000000000000000000001',
    judge: 'nothing',
    dataset: 'nothing.jsonl',
  });

  test('its own people and programs read every record by its id', async () => {
    for (const headers of [await person('ann', 'admin', 'shop'), await program(['admin'], 'shop')])
      for (const address of addresses)
        expect([address, (await send(address, headers)).status]).toEqual([address, 200]);
  });

  test('people and programs of others get the answer of a record that nobody has', async () => {
    for (const headers of [await person('eve', 'admin', 'main'), await program(['admin'], 'main')])
      for (const [index, address] of addresses.entries()) {
        const nothing = unknown[index] ?? '';
        const [theirs, none] = [await send(address, headers), await send(nothing, headers)];
        expect([address, theirs.status, none.status]).toEqual([address, 404, 404]);
        expect(wordsOf(await theirs.text(), address)).toEqual(wordsOf(await none.text(), nothing));
      }
  });

  test('no list, count, page or stream of another project has a word of it', async () => {
    const headers = await person('mallory', 'admin', 'main');
    const lists = [
      'runs',
      'run-values',
      'trends',
      'datasets',
      'judges',
      'reviews',
      'proposals',
      'traces',
      'baselines',
      'preferences',
      'feedback/size',
      'feedback/summary',
      'proposals/size',
      `runs?before=${wholeStore.cases}`,
    ];
    for (const list of lists) {
      const text = await (await send(`/api/${list}`, headers)).text();
      for (const word of [secret, wholeStore.cases, wholeStore.tools, 'task-1', 'p-1', trace, 'strict'])
        expect([list, text.includes(word) && !list.includes(word)]).toEqual([list, false]);
    }
    const stream = await send('/api/events', headers);
    const events = stream.body?.getReader();
    const first = await events?.read();
    expect(new TextDecoder().decode(first?.value)).not.toContain(wholeStore.cases);
    await events?.cancel();
  });

  test('writes by id change nothing of another project', async () => {
    const headers = await person('trudy', 'admin', 'main');
    const label = JSON.stringify({ person: 'trudy', item: 'i-1', value: true });
    const writes = [
      ['/api/reviews/task-1/labels', label],
      ['/api/reviews/task-1/next', JSON.stringify({ person: 'trudy' })],
      ['/api/proposals/p-1/decisions', JSON.stringify({ person: 'trudy', outcome: { status: 'rejected' } })],
      [
        '/api/proposals',
        JSON.stringify({ person: 'trudy', run: wholeStore.cases, id: 'case-1', expected: { answer: 'x' } }),
      ],
      ['/api/baselines', JSON.stringify({ name: 'main', run: wholeStore.cases })],
      [`/api/runs/${wholeStore.cases}`, JSON.stringify({ name: 'mine' }), 'PATCH'],
    ] as const;
    const state = async () =>
      JSON.stringify(
        await Array.fromAsync(stores['shop']?.documents.list(labelKind, { where: { task: 'task-1' } }) ?? []),
      );
    const before = await state();
    for (const [address, body] of writes) {
      const answer = await send(address, headers, body);
      expect([address, answer.status >= 400 && answer.status < 500]).toEqual([address, true]);
    }
    expect(await state()).toBe(before);
    expect(await stores['shop']?.documents.get(baselineKind, ['main'])).toBeUndefined();
  });
});

/** Returns an answer without the parts of its own address. */
function wordsOf(answer: string, address: string): string {
  const parts = address.split(/[/?&=]/).filter((part) => part.length > 2);
  return parts.reduce((text, part) => text.replaceAll(part, '…'), answer);
}

test('login timing: an unknown name takes as long as a wrong password', async () => {
  await person('timed', 'viewer', 'main');
  const measure = async (name: string) => {
    // Computing time, which other programs on the machine do not change.
    const before = process.cpuUsage();
    await checkPassword(home.accounts, { name, password: 'wrong password here' });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const [wrong, unknown]: [number[], number[]] = [[], []];
  for (let round = 0; round < 4; round += 1) {
    wrong.push(await measure('timed'));
    unknown.push(await measure(`unknown-${round}`));
  }
  // Without the work of the hash, it would be a hundredth.
  expect(Math.min(...unknown) / Math.min(...wrong)).toBeGreaterThan(0.3);
});

describe('requests that fill the server', () => {
  let slow: typeof server;
  beforeAll(async () => {
    slow = await serveTeam({ ...parts, requestMs: 400 });
  });
  afterAll(async () => await slow.close());

  test('a body that is never finished is ended', async () => {
    const head = 'POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\nname=';
    expect(await sendSlowly(head, slow.port)).toMatch(/^HTTP\/1\.1 (?:408|403) /);
  });

  test('headers that are never finished are ended', async () => {
    expect(await sendSlowly('GET / HTTP/1.1\r\nX-Slow: ', slow.port)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test.each<[string, string, string, string | Uint8Array<ArrayBuffer>, number]>([
    [
      'traces that inflate to 200 MB',
      '/v1/traces',
      'gzip',
      new Uint8Array(gzipSync(Buffer.alloc(200_000_000))),
      413,
    ],
    [
      'feedback that inflates',
      '/api/feedback',
      'gzip',
      new Uint8Array(gzipSync(Buffer.alloc(50_000_000))),
      400,
    ],
    ['feedback of 5 MB', '/api/feedback', '', `["${'x'.repeat(5_000_000)}"]`, 413],
    ['nested JSON', '/api/feedback', '', '['.repeat(1_000_000), 400],
    ['a million attributes', '/v1/traces', '', manyAttributes(1_000_000), 413],
    ['attributes beyond the limit', '/v1/traces', '', manyAttributes(60_000), 200],
  ])('%s is refused or cut', async (_what, address, encoding, body, status) => {
    const headers = await program(['ingest'], 'main');
    const answer = await send(
      address,
      { ...headers, ...(encoding !== '' && { 'content-encoding': encoding }) },
      body,
    );
    expect([answer.status, (await answer.text()).length < 2000]).toEqual([status, true]);
    expect(
      (await readTrace(home, '5b8efff798038103d269b633813fc60d'))?.spans[0]?.name.length ?? 0,
    ).toBeLessThan(10);
  });

  test('nothing is read of a long body without a token', async () => {
    for (const address of ['/v1/traces', '/api/feedback', '/api/baselines'])
      expect((await send(address, {}, 'x'.repeat(20_000_000)).catch(() => ({ status: 401 }))).status).toBe(
        401,
      );
  });
});

function manyAttributes(count: number): string {
  const attributes = Array.from({ length: count }, (_, index) => ({
    key: `k${index}`,
    value: { intValue: index },
  }));
  const span = {
    traceId: '5b8efff798038103d269b633813fc60d',
    spanId: 'ee00000000000009',
    name: 's',
    attributes,
  };
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
}

/** Sends the beginning of a request, and nothing more. Returns what comes back until the server ends the connection. */
async function sendSlowly(text: string, port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  await once(socket, 'close');
  return answer;
}
