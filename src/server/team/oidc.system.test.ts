import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client, signInAt, startProvider, type TestProvider } from '../../../test/support/oidc-provider.ts';
import {
  actor,
  cookieIn,
  createOidcTeam,
  origin,
  password,
  redirect,
} from '../../../test/support/oidc-team.ts';
import { invite } from '../../privacy/accounts/accounts.ts';
import { addPerson, changeRole } from '../../privacy/accounts/manage.ts';

/** A provider with the claims in the id token, and one that has to be asked for them. */
let [provider, other] = [] as unknown as [TestProvider, TestProvider];

beforeAll(async () => {
  provider = await startProvider({ redirect });
  other = await startProvider({ redirect, isInToken: true });
  for (const { people } of [provider, other]) {
    people.set('1', { preferred_username: 'Ann', email: 'ann@example.org', groups: ['team', 'unknown'] });
    people.set('2', { preferred_username: 'ann', email: 'ann@example.org', groups: ['team'] });
    people.set('3', { preferred_username: 'bob', groups: ['boss', 'team', 'label'] });
    people.set('4', { email: 'eve@example.org', groups: ['__proto__', 'constructor', 'toString'] });
    people.set('5', { preferred_username: 'dan' });
  }
});

afterAll(async () => {
  await provider.close();
  await other.close();
});

describe('signing in with OpenID Connect', () => {
  test('a person comes back with a session, a role and to the page that was asked for', async () => {
    const { signIn, send, audit, home } = await createOidcTeam(provider);
    const answer = await signIn(provider, '1', '/runs?x=1');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/runs?x=1');
    expect(answer.headers.getSetCookie()).toEqual([
      '__Host-touchstone-oidc=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
      expect.stringMatching(/^__Host-touchstone=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const page = await (await send('/account', { cookie: cookieIn(answer) })).text();
    expect(page).toContain('ann <span class="quiet">is editor of the project main');
    const identity = { issuer: provider.issuer, subject: '1' };
    expect(await audit()).toMatchObject([
      {
        who: 'ann',
        action: 'role',
        details: { before: 'none', after: 'editor', by: `groups at ${provider.issuer}` },
      },
      { who: 'ann', address: '10.0.0.2', action: 'sign-in', project: 'main', details: identity },
    ]);
    // Nothing that was secret on the way is kept.
    const kept = JSON.stringify([
      await home.shared.list(''),
      await home.accounts.records.list(''),
      await audit(),
    ]);
    for (const secret of [client.secret, cookieIn(answer).split('=')[1] ?? ''])
      expect(kept).not.toContain(secret);
  });

  test('who signs out here can sign out at the provider, which leads back; others, and without that, just sign out', async () => {
    const { signIn, send, join } = await createOidcTeam(provider);
    const cookie = cookieIn(await signIn(provider, '1'));
    const page = await send('/sign-out', { cookie }, {});
    expect(page.status).toBe(200);
    const [, link = ''] = /href="([^"]+)">Sign out at Acme</.exec(await page.text()) ?? [];
    const url = new URL(link.replaceAll('&amp;', '&'));
    expect([url.origin, url.searchParams.get('post_logout_redirect_uri')]).toEqual([
      provider.issuer,
      `${origin}/sign-in`,
    ]);
    // The provider knows the client and the address, and asks.
    expect((await fetch(url)).status).toBe(200);
    expect((await send('/api/runs', { cookie })).status).toBe(401);

    const own = cookieIn(await join('eve', 'viewer'));
    expect((await send('/sign-out', { cookie: own }, {})).headers.get('location')).toBe('/sign-in');
    provider.change = (answer) => {
      if (answer.path === '/.well-known/openid-configuration')
        answer.body = { ...Object(answer.body), end_session_endpoint: undefined };
    };
    try {
      const less = await createOidcTeam(provider);
      const signedIn = cookieIn(await less.signIn(provider, '1'));
      const answer = await less.send('/sign-out', { cookie: signedIn }, {});
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in']);
    } finally {
      provider.change = undefined;
    }
  });

  test('claims in the id token count like those that are asked for', async () => {
    const { signIn, send } = await createOidcTeam(other);
    const cookie = cookieIn(await signIn(other, '1'));
    expect((await send('/api/runs', { cookie })).status).toBe(200);
  });

  test('the page for signing in leads to the provider, without scripts and with the strict policy', async () => {
    const { send, begin } = await createOidcTeam(provider);
    const page = await send('/sign-in?next=%2Fruns');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(await page.text()).toContain('href="/sign-in/oidc?next=%2Fruns">Sign in with Acme</a>');
    const { searchParams } = new URL((await begin()).at);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('response_type')).toBe('code');
    expect(searchParams.get('redirect_uri')).toBe(redirect);
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(searchParams.get(name)?.length).toBeGreaterThan(42);
  });

  test('of several groups, the last role in the order of roles counts, in each project', async () => {
    const { signIn, home } = await createOidcTeam(provider);
    await signIn(provider, '3');
    const people = await home.accounts.records.list<{ roles: unknown }>('people/');
    expect(people.map(({ value }) => value.roles)).toEqual([{ main: 'admin', shop: 'viewer' }]);
  });

  test('logout: signing out ends the session, and the address of the provider does not bring it back', async () => {
    const { begin, comeBack, send } = await createOidcTeam(provider);
    const { at, cookie } = await begin();
    const back = await signInAt(provider, at, '1');
    const session = cookieIn(await comeBack(back, cookie));
    const out = await send('/sign-out', { cookie: session }, {});
    expect([out.status, await out.text()]).toEqual([200, expect.stringContaining('You are signed out here')]);
    expect((await send('/api/runs', { cookie: session })).status).toBe(401);
    expect((await comeBack(back, cookie)).status).toBe(403);
    expect((await comeBack(back, session)).status).toBe(403);
  });
});

describe('who gets in', () => {
  test('without a group with a role, a person is told why and whom to ask, and gets no account', async () => {
    const { signIn, home, audit } = await createOidcTeam(provider);
    for (const [subject, reason] of [
      ['4', 'no group with a role'],
      ['5', 'no claim groups'],
    ] as const) {
      const answer = await signIn(provider, subject);
      expect([answer.status, cookieIn(answer)]).toEqual([403, '']);
      const page = await answer.text();
      expect(page).toContain('none of your groups there has a role in a project of this server');
      expect(page).toContain('Ask it@example.org');
      expect((await audit()).at(-1)).toMatchObject({
        action: 'sign-in-refused',
        details: { subject, reason },
      });
    }
    expect(await home.accounts.records.list('')).toEqual([]);
  });

  test('people of no group get the roles of the others, where there are some', async () => {
    const { signIn, send } = await createOidcTeam(provider, { settings: { others: { main: 'viewer' } } });
    const cookie = cookieIn(await signIn(provider, '4'));
    const page = await (await send('/account', { cookie })).text();
    expect(page).toContain('eve@example.org <span class="quiet">is viewer');
  });

  test('group removed: the role and all sessions end with the next sign-in, another group changes them', async () => {
    const { signIn, send, audit, home } = await createOidcTeam(provider);
    const person = { preferred_username: 'flo', groups: ['team'] };
    provider.people.set('6', person);
    const first = cookieIn(await signIn(provider, '6'));
    const second = cookieIn(await signIn(provider, '6'));
    for (const cookie of [first, second]) expect((await send('/api/runs', { cookie })).status).toBe(200);

    person.groups = ['label'];
    const third = cookieIn(await signIn(provider, '6'));
    for (const cookie of [first, second, third])
      expect((await send('/api/runs', { cookie })).status).toBe(cookie === third ? 403 : 401);
    expect(await audit()).toContainEqual(
      expect.objectContaining({
        action: 'role',
        object: 'flo',
        details: { before: 'editor', after: 'reviewer', by: `groups at ${provider.issuer}` },
      }),
    );

    person.groups = [];
    expect((await signIn(provider, '6')).status).toBe(403);
    expect((await send('/account', { cookie: third })).status).toBe(303);
    const people = await home.accounts.records.list<{ name: string; roles: unknown }>('people/');
    expect(people.map(({ value }) => [value.name, value.roles])).toEqual([['flo', {}]]);
  });

  test('account takeover by name: an account with a password, or an invitation, stays whose it is', async () => {
    const { signIn, send, join, home } = await createOidcTeam(provider);
    await join('ann', 'admin');
    await addPerson(home.accounts, actor, { name: 'bob', role: 'viewer' });
    const secret = await invite(home.accounts, 'bob');
    const names: (string | undefined)[] = [];
    for (const subject of ['1', '2', '3', '1']) {
      const cookie = cookieIn(await signIn(provider, subject));
      const page = await (await send('/account', { cookie })).text();
      names.push(/<p>(\S+) <span class="quiet">is \w+ of/.exec(page)?.[1]);
    }
    expect(names).toEqual(['ann-2', 'ann-3', 'bob-2', 'ann-2']);
    const kept = await home.accounts.records.list<{ roles: unknown; identity?: unknown }>('people/ann');
    expect(kept[0]?.value).toMatchObject({ name: 'ann', roles: { main: 'admin' } });
    expect(kept[0]?.value.identity).toBeUndefined();
    expect((await send('/sign-in', {}, { name: 'ann', password })).status).toBe(303);
    expect((await send(`/invitations/${secret}`, {}, { password })).status).toBe(303);
    expect((await send('/sign-in', {}, { name: 'bob', password })).status).toBe(303);
  });

  test('the same subject at another issuer is another person', async () => {
    const { signIn, home } = await createOidcTeam(provider);
    await signIn(provider, '1');
    const elsewhere = await createOidcTeam(other, { home });
    await elsewhere.signIn(other, '1');
    const people = await home.accounts.records.list<{ name: string }>('people/');
    expect(people.map(({ value }) => value.name)).toEqual(['ann', 'ann-2']);
  });

  test('an account of the provider gets neither a password nor a role by hand, and can be taken out', async () => {
    const { signIn, send, home } = await createOidcTeam(provider);
    const cookie = cookieIn(await signIn(provider, '1'));
    for (const give of [addPerson, changeRole])
      await expect(give(home.accounts, actor, { name: 'ann', role: 'admin' })).rejects.toThrow(
        `The roles of ann follow from groups at ${provider.issuer}.`,
      );
    expect(await home.accounts.records.list('invitations/')).toEqual([]);
    expect((await send('/sign-in', {}, { name: 'ann', password: '' })).status).toBe(403);
    await changeRole(home.accounts, actor, { name: 'ann', role: null });
    expect((await send('/api/runs', { cookie })).status).toBe(401);
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    `${origin}.evil.example/`,
    `${origin}@evil.example/`,
  ])('open redirect: a sign-in never leads to %s', async (next) => {
    const { signIn } = await createOidcTeam(provider);
    expect((await signIn(provider, '1', next)).headers.get('location')).toBe('/');
  });
});

describe('the limit of attempts', () => {
  test('of six ways back in a minute from an address, the last is refused without asking the provider', async () => {
    const team = await createOidcTeam(provider);
    const from = { 'x-forwarded-for': '192.0.2.1' };
    for (let count = 0; count < 5; count += 1)
      expect((await team.send('/sign-in/oidc/callback?code=a&state=b', from)).status).toBe(403);
    const { at, cookie } = await team.begin();
    const { search } = await signInAt(provider, at, '1');
    const asked = provider.asked.length;
    const last = await team.send(`/sign-in/oidc/callback${search}`, { ...from, cookie });
    expect([last.status, last.headers.get('retry-after'), cookieIn(last)]).toEqual([429, '60', '']);
    expect(provider.asked.slice(asked)).toEqual([]);
    // Passwords are counted with them.
    expect((await team.send('/sign-in', from, { name: 'ann', password: 'x' })).status).toBe(429);
  });

  test('of six sign-ins that are begun in a minute from an address, the last is refused', async () => {
    const team = await createOidcTeam(provider);
    const from = { 'x-forwarded-for': '192.0.2.1' };
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await team.send('/sign-in/oidc', from)).status);
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
  });

  test('when attempts cannot be counted, nobody signs in', async () => {
    const team = await createOidcTeam(provider);
    const { at, cookie } = await team.begin();
    const back = await signInAt(provider, at, '1');
    const { shared } = team.home;
    const change = shared.change;
    shared.change = async () => await Promise.reject(new Error('the store is away'));
    const answers = [await team.comeBack(back, cookie), await team.send('/sign-in/oidc')];
    shared.change = change;
    for (const answer of answers) expect([answer.status, cookieIn(answer)]).toEqual([500, '']);
  });

  test('the address of the server decides on the way back, not the Host header', async () => {
    const team = await createOidcTeam(provider);
    expect((await team.send('/sign-in/oidc', { host: 'evil.example' })).status).toBe(403);
    expect(new URL((await team.begin()).at).searchParams.get('redirect_uri')).toContain(origin);
  });
});
