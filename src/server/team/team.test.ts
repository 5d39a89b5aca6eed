import { describe, expect, test } from 'vitest';
import { invite, setRole } from '../../privacy/accounts/accounts.ts';
import { readAudit, verifyChain } from '../../privacy/accounts/audit.ts';
import { addPerson, addToken, changeRole, removeToken } from '../../privacy/accounts/manage.ts';
import { hashSecret } from '../../privacy/accounts/secrets.ts';
import type { Invitation } from '../../core/schema/account/account.ts';
import type { Role, TokenScope } from '../../core/schema/account/rights.ts';
import { askForRun, listAsked } from '../../library/api/asked/asked-runs.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { buildRun } from '../../library/testing/build-records.ts';
import { fillWithText } from '../../../test/support/store-contract/texts-contract.ts';
import { fill, run as filled } from '../../../test/support/store-contract/store-records.ts';
import type { Assets } from '../assets.ts';
import { createTeamApp } from './serve-team.ts';

const origin = 'https://evals.example.org';
const password = 'correct horse battery';
const assets: Assets = {
  document: '<!doctype html><title>Touchstone</title>',
  files: new Map([['/assets/main-1a2b.css', { type: 'text/css', body: new Uint8Array([49]) }]]),
};
const runs = { main: '20260102-030405-main', other: '20260102-030405-wxyz' } as const;
const typeOfJson = { 'content-type': 'application/json' } as const;
const actor = { who: 'test', address: null };

/** Creates a server with two projects, each with a run of its own. */
async function createTeam() {
  const stores: Record<string, Store> = { main: createMemoryStore(), other: createMemoryStore() };
  const home = stores['main'] as Store;
  for (const [project, id] of Object.entries(runs)) await stores[project]?.createRun(buildRun({ id }));
  const faults: unknown[] = [];
  const app = createTeamApp({
    assets,
    home,
    openProject: async (project) => stores[project] as Store,
    origin,
    onFault: (fault) => faults.push(fault),
  });
  const send = async (
    path: string,
    { headers = {}, ...init }: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> => {
    const length = init.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(init.body)) };
    return await app.request(`${origin}${path}`, {
      ...init,
      headers: { host: 'evals.example.org', ...length, ...headers },
    });
  };
  const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    await send(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...headers },
    });
  /** Adds a person with a password. Returns the cookie of the person's session. */
  const join = async (name: string, role: Role, project = 'main'): Promise<string> => {
    await addPerson(home.accounts, { ...actor, project }, { name, role });
    const answer = await post(`/invitations/${await invite(home.accounts, name)}`, { password });
    expect(answer.status).toBe(303);
    return cookieIn(answer);
  };
  const token = async (scopes: TokenScope[], project = 'main', days = 1) =>
    await addToken(home.accounts, { ...actor, project }, { name: 'ci', scopes, days });
  return { app, home, stores, faults, send, post, join, token };
}

function cookieIn(answer: Response): string {
  return /^[^;]*/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? '';
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const json = { 'content-type': 'application/json', origin };

describe('signing in', () => {
  test('a person signs in with a cookie that only this host gets, and out again', async () => {
    const { join, post, send } = await createTeam();
    await join('ann', 'viewer');
    const answer = await post('/sign-in', { name: 'ann', password, next: '/runs?x=1' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/runs?x=1');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-touchstone=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const cookie = cookieIn(answer);
    expect((await send('/api/runs', { headers: { cookie } })).status).toBe(200);
    await post('/sign-out', {}, { cookie });
    expect((await send('/api/runs', { headers: { cookie } })).status).toBe(401);
  });

  test('without a session, data are refused and pages lead to the page for signing in', async () => {
    const { send } = await createTeam();
    expect((await send('/api/runs')).status).toBe(401);
    expect((await send('/v1/traces', { method: 'POST' })).status).toBe(401);
    const page = await send('/runs/a?b=c', { headers: { accept: 'text/html' } });
    expect(page.status).toBe(303);
    expect(page.headers.get('location')).toBe('/sign-in?next=%2Fruns%2Fa%3Fb%3Dc');
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'https://evals.example.org.evil.example/',
  ])('open redirect: signing in never leads to %s', async (next) => {
    const { join, post } = await createTeam();
    await join('ann', 'viewer');
    const answer = await post('/sign-in', { name: 'ann', password, next });
    expect(answer.headers.get('location')).toBe('/');
  });

  test('cookie fixation: a session begins under a new secret, and the one that was sent ends', async () => {
    const { join, post, send } = await createTeam();
    const old = await join('ann', 'viewer');
    const answer = await post('/sign-in', { name: 'ann', password }, { cookie: old });
    expect(cookieIn(answer)).not.toBe(old);
    expect((await send('/api/runs', { headers: { cookie: old } })).status).toBe(401);
    const planted = `__Host-touchstone=${'A'.repeat(43)}`;
    const again = await post('/sign-in', { name: 'ann', password }, { cookie: planted });
    expect(cookieIn(again)).not.toBe(planted);
    expect((await send('/api/runs', { headers: { cookie: planted } })).status).toBe(401);
  });

  test('enumeration: a wrong password and an unknown name get the same answer', async () => {
    const { join, post } = await createTeam();
    await join('ann', 'viewer');
    const [wrong, unknown] = [
      await post('/sign-in', { name: 'ann', password: 'nothing of this kind' }),
      await post('/sign-in', { name: 'bob', password: 'nothing of this kind' }),
    ];
    expect([wrong.status, unknown.status]).toEqual([403, 403]);
    expect(await wrong.text()).toBe(await unknown.text());
    expect([...wrong.headers.keys()]).toEqual([...unknown.headers.keys()]);
  });

  test('of six attempts in a minute, the last is refused even with the right password', async () => {
    const { join, post } = await createTeam();
    await join('ann', 'viewer');
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await post('/sign-in', { name: 'ann', password: 'wrong' })).status).toBe(403);
    const last = await post('/sign-in', { name: 'ann', password });
    expect(last.status).toBe(429);
    expect(last.headers.get('retry-after')).toBe('60');
  });

  test('when attempts cannot be counted, nobody signs in', async () => {
    const { join, post, home } = await createTeam();
    await join('ann', 'viewer');
    const { shared } = home;
    const change = shared.change;
    shared.change = async () => await Promise.reject(new Error('the store is away'));
    const answer = await post('/sign-in', { name: 'ann', password });
    shared.change = change;
    expect(answer.status).toBe(500);
    expect(answer.headers.get('set-cookie')).toBe(null);
  });

  test('an invitation works once, and a short password does not use it up', async () => {
    const { home, post, send } = await createTeam();
    await addPerson(home.accounts, { ...actor, project: 'main' }, { name: 'ann', role: 'viewer' });
    const path = `/invitations/${await invite(home.accounts, 'ann')}`;
    expect((await post(path, { password: 'short' })).status).toBe(400);
    expect(await (await send(path)).text()).toContain('value="ann"');
    expect((await post(path, { password })).status).toBe(303);
    expect((await post(path, { password: 'another long password' })).status).toBe(400);
    expect((await post('/sign-in', { name: 'ann', password })).status).toBe(303);
  });

  /** Invites a person by the form of an administrator. Returns the path of the invitation, and the notice of the page. */
  const inviteBy = async (
    post: Awaited<ReturnType<typeof createTeam>>['post'],
    cookie: string,
    fields: { readonly name: string; readonly role: Role },
  ) => {
    const page = await (await post('/account/people', fields, { cookie })).text();
    const notice = /role="status"><p>([^<]*)/.exec(page)?.[1] ?? '';
    return { path: /\/invitations\/[\w-]+/.exec(page)?.[0], notice };
  };

  test('an administrator who keeps an invitation does not get the account that another project gives a role', async () => {
    const { home, join, post, send } = await createTeam();
    const attacker = await join('mallory', 'admin', 'other');
    const boss = await join('boss', 'admin');
    const { path = '' } = await inviteBy(post, attacker, { name: 'ann', role: 'viewer' });
    expect(await (await send(path)).text()).toContain('value="ann"');

    const { path: none, notice } = await inviteBy(post, boss, { name: 'ann', role: 'admin' });
    expect([none, notice]).toEqual([undefined, expect.stringContaining('Earlier invitations have ended')]);
    expect((await send(path)).status).toBe(403);
    expect((await post(path, { password })).status).toBe(400);
    expect((await post('/sign-in', { name: 'ann', password })).status).toBe(403);
    // Neither does a new one help: it would set the password of an account of the other project.
    expect((await inviteBy(post, attacker, { name: 'ann', role: 'viewer' })).path).toBe(undefined);
    expect(await home.accounts.records.list('invitations/')).toEqual([]);
  });

  test('a higher role in the same project ends an invitation, which another administrator may have kept, and is recorded', async () => {
    const { home, join, post } = await createTeam();
    const mallory = await join('mallory', 'admin');
    const { path = '' } = await inviteBy(post, mallory, { name: 'ann', role: 'viewer' });
    await join('boss', 'admin');
    const by = { ...actor, project: 'main' };
    await changeRole(home.accounts, by, { name: 'mallory', role: 'viewer' });
    await changeRole(home.accounts, by, { name: 'ann', role: 'admin' });
    expect((await post(path, { password })).status).toBe(400);
    const log = await home.accounts.readEntries(0);
    expect(log.at(-1)?.details).toEqual({ before: 'viewer', after: 'admin', invitation: 'ended' });
  });

  test.each<[string, (home: Store) => Promise<unknown>]>([
    [
      'another project',
      async ({ accounts }) => await setRole(accounts, { name: 'ann', project: 'other', role: 'admin' }),
    ],
    [
      'the same one',
      async ({ accounts }) => await setRole(accounts, { name: 'ann', project: 'main', role: 'editor' }),
    ],
  ])(
    'an invitation gives no right that it was not made for, however the role of %s came to be',
    async (_, give) => {
      const { home, join, post, send } = await createTeam();
      const { path = '' } = await inviteBy(post, await join('boss', 'admin'), {
        name: 'ann',
        role: 'viewer',
      });
      await give(home);
      expect((await send(path)).status).toBe(403);
      expect((await post(path, { password })).status).toBe(400);
      expect((await post('/sign-in', { name: 'ann', password })).status).toBe(403);
    },
  );

  test('an invitation of an earlier Touchstone works for a person of one project, and for no other', async () => {
    const { home, post } = await createTeam();
    for (const [name, projects] of [
      ['ann', ['main']],
      ['bob', ['main', 'other']],
    ] as const) {
      for (const project of projects) await setRole(home.accounts, { name, project, role: 'viewer' });
      const secret = await invite(home.accounts, name);
      await home.accounts.records.change<Invitation, void>(`invitations/${hashSecret(secret)}`, (kept) => {
        const { roles: _roles, ...value } = kept as Invitation;
        return { value, result: undefined };
      });
      expect((await post(`/invitations/${secret}`, { password })).status).toBe(name === 'ann' ? 303 : 400);
    }
  });

  test('a change of the role ends the sessions of the person', async () => {
    const { home, join, send } = await createTeam();
    await join('boss', 'admin');
    const cookie = await join('ann', 'editor');
    await changeRole(home.accounts, { ...actor, project: 'main' }, { name: 'ann', role: 'reviewer' });
    expect((await send('/api/runs', { headers: { cookie } })).status).toBe(401);
  });
});

describe('requests of other sites', () => {
  test.each([
    ['application/json', '{}'],
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'a=1'],
    ['multipart/form-data; boundary=x', '--x--'],
  ])('CSRF: a write of another site is refused, as %s', async (type, body) => {
    const { join, send, stores } = await createTeam();
    const cookie = await join('ann', 'admin');
    const paths = ['/api/baselines', '/account/tokens', '/sign-out', '/sign-in', `/api/runs/${runs.main}`];
    const marks: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      {},
    ];
    for (const path of paths)
      for (const mark of marks) {
        const method = path.startsWith('/api/runs') ? 'DELETE' : 'POST';
        const content = method === 'DELETE' ? {} : { body };
        const answer = await send(path, {
          method,
          ...content,
          headers: { 'content-type': type, cookie, ...mark },
        });
        expect([path, mark, answer.status]).toEqual([path, mark, 403]);
      }
    expect(await stores['main']?.readRun(runs.main)).toBeDefined();
    expect((await send('/api/runs', { headers: { cookie } })).status).toBe(200);
  });

  test('a form of the own page is taken, also without an origin', async () => {
    const { join, post, send } = await createTeam();
    await join('ann', 'viewer');
    const own = { origin: 'null', 'sec-fetch-site': 'same-origin' };
    expect((await post('/sign-in', { name: 'ann', password }, own)).status).toBe(303);
    expect((await send('/sign-in')).headers.get('referrer-policy')).toBe('same-origin');
  });

  test('a request under another host name is refused', async () => {
    const { join, send } = await createTeam();
    const cookie = await join('ann', 'admin');
    for (const host of ['evil.example', 'evals.example.org.evil.example', 'evals.example.org:81', ''])
      expect((await send('/api/runs', { headers: { cookie, host } })).status).toBe(403);
  });

  test('a token that a page has sent is refused', async () => {
    const { send, token } = await createTeam();
    const authorization = `Bearer ${await token(['read'])}`;
    expect((await send('/api/runs', { headers: { authorization } })).status).toBe(200);
    expect((await send('/api/runs', { headers: { authorization, origin } })).status).toBe(403);
  });
});

describe('projects', () => {
  test.each(['person', 'token'])(
    'BOLA: a %s of one project gets nothing of another, by any id',
    async (kind) => {
      const { join, send, stores, token } = await createTeam();
      const headers: Record<string, string> =
        kind === 'person'
          ? { cookie: await join('ann', 'admin'), origin }
          : { authorization: `Bearer ${await token(['admin'])}` };
      const foreign = runs.other;
      const paths = [
        '',
        '/trials',
        '/trials/0',
        '/trials/0/judgements',
        '/trials/0/history',
        '/trials/0/messages?from=0&to=1',
        '/plan',
        '/gate',
        '/tools',
        '/facets',
        '/values?field=tool',
        '/search?text=a',
      ];
      for (const path of paths) {
        const [theirs, unknown] = [
          await send(`/api/runs/${foreign}${path}`, { headers }),
          await send(`/api/runs/20260102-030405-none${path}`, { headers }),
        ];
        expect([path, theirs.status, unknown.status]).toEqual([path, 404, 404]);
      }
      for (const path of [
        '/api/reviews/r-other',
        '/api/traces/abc',
        '/api/proposals/p-other',
        '/api/judges/j-other',
      ])
        expect([path, (await send(path, { headers })).status]).toEqual([path, 404]);
      expect(
        (await send(`/api/compare?before=${foreign}&after=${foreign}`, { headers })).status,
      ).toBeGreaterThanOrEqual(400);
      expect((await send(`/api/runs/${foreign}`, { method: 'DELETE', headers })).status).toBe(404);
      // What is asked of the workers of the other project.
      const theirs = stores['other'] as Store;
      const again = { ids: ['a'], targets: ['bot'] };
      const { id } = await askForRun(theirs, {
        by: 'eve',
        wanted: { type: 'again', run: foreign, asked: again },
      });
      const plan = { method: 'POST', body: JSON.stringify(again), headers: { ...headers, ...typeOfJson } };
      expect((await send(`/api/runs/${foreign}/plans`, plan)).status).toBe(404);
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['POST', '/confirmation', '{}'],
        ['DELETE', '', undefined],
      ] as const) {
        const answer = await send(`/api/asked-runs/${id}${path}`, {
          method,
          headers: { ...headers, ...typeOfJson },
          body,
        });
        expect([method, path, answer.status]).toEqual([method, path, 404]);
      }
      expect((await listAsked(theirs)).map(({ id: own, state }) => [own, state])).toEqual([[id, 'waiting']]);
      const part = { method: 'POST', body: '', headers };
      const query = `run=${foreign}&end=${'0'.repeat(32)}`;
      // As for a project that does not exist.
      for (const project of ['other', 'unknown'])
        expect((await send(`/api/projects/${project}/runs?${query}`, part)).status).toBe(403);
      const list = (await (await send('/api/runs', { headers })).json()) as { runs: { id: string }[] };
      expect(list.runs.map(({ id }) => id)).toEqual([runs.main]);
      // A cursor of the other project.
      const page = await (await send(`/api/runs?before=${foreign}`, { headers })).text();
      expect(page).not.toContain(`"id":"${foreign}"`);
    },
  );

  test('an administrator of one project manages neither people nor tokens of another', async () => {
    const { home, join, post, token } = await createTeam();
    const cookie = await join('boss', 'admin');
    await join('eve', 'viewer', 'other');
    const id = (await token(['read'], 'other')).split('_')[1] ?? '';
    expect((await post('/account/tokens/revoke', { id }, { cookie })).status).toBe(404);
    expect((await post('/account/people/role', { name: 'eve', role: 'admin' }, { cookie })).status).toBe(404);
    expect((await post('/account/project', { project: 'other' }, { cookie })).status).toBe(404);
    // Nor is a person of another project given a new password.
    const page = await (await post('/account/people', { name: 'eve', role: 'viewer' }, { cookie })).text();
    expect(page).toContain('signs in as before');
    expect(page).not.toContain('/invitations/');
    expect((await home.accounts.records.list('invitations/')).length).toBe(0);
  });

  test('a person of two projects opens one at a time', async () => {
    const { home, join, post, send } = await createTeam();
    const first = await join('ann', 'viewer');
    await addPerson(home.accounts, { ...actor, project: 'other' }, { name: 'ann', role: 'viewer' });
    expect((await send('/api/runs', { headers: { cookie: first } })).status).toBe(401);
    const cookie = cookieIn(await post('/sign-in', { name: 'ann', password }));
    const other = cookieIn(await post('/account/project', { project: 'other' }, { cookie }));
    expect((await send(`/api/runs/${runs.other}`, { headers: { cookie: other } })).status).toBe(200);
    expect((await send(`/api/runs/${runs.main}`, { headers: { cookie: other } })).status).toBe(404);
  });
});

describe('roles', () => {
  test.each<[Role, number, number, number]>([
    ['viewer', 200, 403, 403],
    ['reviewer', 403, 403, 403],
    ['editor', 200, 200, 403],
    ['admin', 200, 200, 200],
  ])('BFLA: a %s reads (%i), deletes a run (%i), makes tokens (%i)', async (role, read, edit, manage) => {
    const { join, post, send } = await createTeam();
    await join('boss', 'admin');
    const cookie = await join('ann', role);
    expect((await send('/api/runs', { headers: { cookie } })).status).toBe(read);
    expect((await send('/api/reviews', { headers: { cookie } })).status).toBe(200);
    const fields = { name: 'ci', scope: 'admin', days: '1' };
    expect((await post('/account/tokens', fields, { cookie })).status).toBe(manage);
    expect((await post('/account/people', { name: 'eve', role: 'admin' }, { cookie })).status).toBe(manage);
    const removal = await send(`/api/runs/${runs.main}`, { method: 'DELETE', headers: { cookie, origin } });
    expect(removal.status).toBe(edit);
  });

  test.each<[Role, boolean]>([
    ['viewer', false],
    ['reviewer', false],
    ['editor', true],
  ])('a %s may create review tasks of picked answers, and knows it: %s', async (role, isAllowed) => {
    const { join, send } = await createTeam();
    const cookie = await join('ann', role);
    const list = await (await send('/api/reviews', { headers: { cookie } })).json();
    expect(list).toMatchObject({ mayCreate: isAllowed, person: 'ann' });
    const create = async (person: string) => {
      const asks = { question: 'Is it kind?' };
      const body = JSON.stringify({ person, run: runs.main, ordinals: [0], asks });
      return await send('/api/reviews', { method: 'POST', body, headers: { cookie, ...json } });
    };
    const answer = (await (await create('ann')).json()) as { readonly code: string };
    // The run of the test has no answers.
    expect(answer.code).toBe(isAllowed ? 'review-invalid' : 'access-denied');
    expect((await create('bob')).status).toBe(403);
  });

  test('a person labels under the own name alone', async () => {
    const { join, send } = await createTeam();
    const cookie = await join('ann', 'reviewer');
    const next = async (person: string) =>
      await send('/api/reviews/none/next', {
        method: 'POST',
        body: JSON.stringify({ person, count: 1 }),
        headers: { cookie, ...json },
      });
    expect((await next('bob')).status).toBe(403);
    expect((await next('ann')).status).toBe(404);
  });

  test('mass assignment: a field that a form does not have changes nothing', async () => {
    const { home, join, post } = await createTeam();
    const cookie = await join('boss', 'admin');
    const fields = {
      name: 'ann',
      role: 'viewer',
      project: 'other',
      password: 'x',
      createdBy: 'x',
      'roles[main]': 'admin',
    };
    await post('/account/people', fields, { cookie });
    const [{ value } = { value: undefined }] = await home.accounts.records.list('people/ann');
    expect(value).toMatchObject({ name: 'ann', roles: { main: 'viewer' }, password: null });
    const answer = await post('/account/tokens', { name: 'a', scope: 'root', days: '1' }, { cookie });
    expect(answer.status).toBe(400);
    expect(
      (await post('/account/tokens', { name: 'a', scope: 'read', days: '366' }, { cookie })).status,
    ).toBe(400);
  });

  test('the only administrator stays one', async () => {
    const { join, post } = await createTeam();
    const cookie = await join('boss', 'admin');
    expect((await post('/account/people/role', { name: 'boss', role: 'viewer' }, { cookie })).status).toBe(
      400,
    );
  });
});

describe('erasure', () => {
  test('only administrators erase, and the audit log counts what they have erased without the text', async () => {
    const { home, stores, join, send, token } = await createTeam();
    for (const store of Object.values(stores)) await fillWithText(store, 'Zebulon Quixley');
    const body = JSON.stringify({ texts: ['Zebulon Quixley'] });
    const erase = async (headers: Record<string, string>, given = body) =>
      await send('/api/erasures', { method: 'POST', body: given, headers: { ...json, ...headers } });
    const cookie = await join('boss', 'admin');
    for (const role of ['viewer', 'reviewer', 'editor'] as const)
      expect((await erase({ cookie: await join(role, role) })).status).toBe(403);
    const { origin: _origin, ...program } = json;
    for (const scope of ['read', 'run', 'review', 'ingest'] as const)
      expect((await erase({ ...bearer(await token([scope])).headers, origin: '' })).status).toBe(403);
    expect((await send('/api/erasures', { method: 'POST', body, headers: program })).status).toBe(401);

    const dry = await erase({ cookie }, JSON.stringify({ texts: ['Zebulon Quixley'], isDry: true }));
    expect(await dry.json()).toMatchObject({ isDry: true, counts: { case: 1, trial: 1 } });
    expect(await textOf(stores['main'])).toContain('Zebulon');
    expect((await erase({ cookie }, JSON.stringify({ texts: ['Ze'] }))).status).toBe(400);
    expect((await erase({ cookie }, '{}')).status).toBe(400);

    const done = await erase({ cookie });
    expect([done.status, await done.json()]).toMatchObject([200, { runs: [filled.id] }]);
    expect(await textOf(stores['main'])).not.toContain('Zebulon');
    expect(await textOf(stores['other'])).toContain('Zebulon');
    const entries = await Array.fromAsync(readAudit(home.accounts));
    expect(entries.at(-1)).toMatchObject({
      who: 'boss',
      action: 'POST erasures',
      project: 'main',
      details: { case: '1', trial: '1', texts: '1', users: '0' },
    });
    expect(JSON.stringify(entries)).not.toContain('Zebulon');
  });
});

async function textOf(store: Store | undefined): Promise<string> {
  const results = await Array.fromAsync(store?.readResults(filled.id) ?? []);
  return JSON.stringify(results);
}

describe('tokens', () => {
  test('a token of what is no name of a project is refused', async () => {
    const { token } = await createTeam();
    await expect(token(['read'], '../../outside')).rejects.toThrow('is no name of a project');
  });

  test.each<[TokenScope, number, number]>([
    ['ingest', 403, 200],
    ['read', 200, 403],
    ['run', 200, 403],
    ['review', 403, 403],
    ['look', 403, 403],
    ['admin', 200, 200],
  ])('a token for %s reads (%i) and sends feedback (%i)', async (scope, read, ingest) => {
    const { send, token } = await createTeam();
    const text = await token([scope]);
    expect((await send('/api/runs', bearer(text))).status).toBe(read);
    const headers = { authorization: `Bearer ${text}`, 'content-type': 'application/json' };
    expect((await send('/api/feedback', { method: 'POST', body: '[]', headers })).status).toBe(ingest);
  });

  test('a revoked token, an expired one and one that was altered are refused at once', async () => {
    const { home, send, token } = await createTeam();
    const [revoked, expired] = [await token(['read']), await token(['read'])];
    const idOf = (text: string) => text.split('_')[1] ?? '';
    expect((await send('/api/runs', bearer(revoked))).status).toBe(200);
    await removeToken(home.accounts, { ...actor, project: 'main' }, idOf(revoked));
    expect((await send('/api/runs', bearer(revoked))).status).toBe(401);
    await home.accounts.records.change<object, undefined>(`tokens/${idOf(expired)}`, (value, now) => ({
      value: { ...value, expiresAt: now - 1 },
      result: undefined,
    }));
    expect((await send('/api/runs', bearer(expired))).status).toBe(401);
    const good = await token(['read']);
    const altered = `${good.slice(0, -1)}${good.endsWith('A') ? 'E' : 'A'}`;
    expect((await send('/api/runs', bearer(altered))).status).toBe(401);
  });

  test('an answer that goes on for ever ends within a second of the token', async () => {
    const { home, send, token } = await createTeam();
    const text = await token(['read']);
    const reader = ((await send('/api/events', bearer(text))).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await removeToken(home.accounts, { ...actor, project: 'main' }, text.split('_')[1] ?? '');
    const read = async (): Promise<string> => ((await reader.read()).done ? 'ended' : await read());
    expect(await read().catch(() => 'ended')).toBe('ended');
  });

  test('a token in the address is not one, and no secret is in a record of the store', async () => {
    const { home, join, send, token } = await createTeam();
    const text = await token(['read']);
    const cookie = await join('ann', 'viewer');
    for (const name of ['token', 'access', 'access_token', 'api_key'])
      expect((await send(`/api/runs?${name}=${text}`)).status).toBe(401);
    const kept = JSON.stringify([
      await home.accounts.records.list(''),
      await Array.fromAsync(readAudit(home.accounts)),
      await home.shared.list(''),
    ]);
    for (const secret of [text.slice(-43), cookie.split('=')[1], password])
      expect(kept).not.toContain(secret);
  });
});

describe('the audit log', () => {
  test('contains who did what, and its chain shows what was changed afterwards', async () => {
    const { home, join, send, post } = await createTeam();
    const cookie = await join('boss', 'admin');
    await post('/sign-in', { name: 'boss', password: 'wrong' });
    await send(`/api/runs/${runs.main}`, { method: 'DELETE', headers: { cookie, origin } });
    const entries = await Array.fromAsync(readAudit(home.accounts));
    expect(entries.map(({ who, action, object }) => [who, action, object])).toEqual([
      ['test', 'role', 'boss'],
      ['test', 'invite', 'boss'],
      ['boss', 'password-set', null],
      [null, 'sign-in-refused', 'boss'],
      ['boss', 'DELETE runs', `/api/runs/${runs.main}`],
    ]);
    const whole = await verifyChain(home.accounts);
    expect(whole).toEqual({ entries: 5, head: entries.at(-1)?.hash });
    const read = (changed: typeof entries) => ({
      ...home.accounts,
      readEntries: async (after: number) => changed.filter(({ number }) => number > after),
    });
    const changed = entries.map((entry) => (entry.number === 3 ? { ...entry, who: 'eve' } : entry));
    expect((await verifyChain(read(changed))).fault).toBe('entry 3 was changed');
    expect((await verifyChain(read(entries.toSpliced(2, 1)))).fault).toBe(
      'entry 3 is missing: after it comes 4',
    );
    expect((await verifyChain(read(entries.slice(0, 4)), whole.head)).fault).toBe(
      `no entry has the hash ${whole.head}`,
    );
  });
});

test('headers and the policy of content are on every answer', async () => {
  const { join, send } = await createTeam();
  const cookie = await join('ann', 'admin');
  for (const path of [
    '/',
    '/account',
    '/sign-in',
    '/api/runs',
    '/api/nothing',
    '/healthz',
    '/invitations/x',
    '/account.css',
    '/assets/none.js',
  ]) {
    const { headers } = await send(path, { headers: { cookie } });
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  }
});

describe('exports and deletions', () => {
  test('a download, a deletion and nothing else that is read is an entry of the audit log', async () => {
    const { home, join, send } = await createTeam();
    const cookie = await join('ann', 'editor');
    await fill(home);
    const before = (await Array.fromAsync(readAudit(home.accounts))).length;
    const trial = `/api/runs/${filled.id}/trials/0`;
    expect((await send(`${trial}/part?path=/result/trial/answer`, { headers: { cookie } })).status).toBe(200);
    const download = await send(`${trial}/part?path=/result/trial/answer&download=1`, {
      headers: { cookie },
    });
    expect(download.headers.get('content-disposition')).toContain('attachment');
    const list = `${trial}/part?path=/result/trial/transcript&download=1`;
    const messages = (await (await send(list, { headers: { cookie } })).json()) as unknown[];
    expect(messages.length).toBeGreaterThan(1);
    const deleted = await send(`/api/runs/${filled.id}`, { method: 'DELETE', headers: { cookie, ...json } });
    expect(deleted.status).toBe(200);
    const entries = (await Array.fromAsync(readAudit(home.accounts))).slice(before);
    expect(entries).toMatchObject([
      { who: 'ann', action: 'export', project: 'main', object: `${trial}/part`, details: { rows: '1' } },
      { who: 'ann', action: 'export', details: { rows: String(messages.length) } },
      { who: 'ann', action: 'DELETE runs', project: 'main', object: `/api/runs/${filled.id}` },
    ]);
  });

  test('a file is not sent when its entry cannot be written, and a held run is not deleted', async () => {
    const { home, join, send } = await createTeam();
    const cookie = await join('ann', 'editor');
    await fill(home);
    await home.updateRun({ ...filled, status: 'completed', holds: ['case-7'] });
    const headers = { cookie, ...json };
    const refused = await send(`/api/runs/${filled.id}`, { method: 'DELETE', headers });
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('case-7')]);
    home.accounts.addEntry = async () => {
      throw new Error('the disk is full');
    };
    const part = `/api/runs/${filled.id}/trials/0/part?path=/result/trial/answer&download=1`;
    expect((await send(part, { headers: { cookie } })).status).toBe(500);
  });
});
