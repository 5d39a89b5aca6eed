import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ChangedAnswer,
  client,
  signInAt,
  startProvider,
  type TestProvider,
} from '../../../test/support/oidc-provider.ts';
import { cookieIn, createOidcTeam, redirect } from '../../../test/support/oidc-team.ts';

let [provider, other] = [] as unknown as [TestProvider, TestProvider];

beforeAll(async () => {
  provider = await startProvider({ redirect });
  other = await startProvider({ redirect });
  for (const { people } of [provider, other])
    people.set('1', { preferred_username: 'ann', groups: ['team'] });
});

afterEach(() => {
  provider.change = undefined;
});

afterAll(async () => {
  await provider.close();
  await other.close();
});

const stale = 'This sign-in was not begun in this browser';
const unproven = 'Acme has not confirmed who you are.';

/** Checks that no person was signed in, and that the page says so without any part of what came. Returns the reason in the log. */
async function expectRefusal(
  team: Awaited<ReturnType<typeof createOidcTeam>>,
  answer: Response,
  text: string,
): Promise<string | undefined> {
  const page = await answer.text();
  expect([answer.status, cookieIn(answer)]).toEqual([403, '']);
  expect(page).toContain(text);
  const entry = (await team.audit()).at(-1);
  expect(entry?.action).toBe('sign-in-refused');
  for (const secret of [client.secret, 'eyJ', 'planted']) {
    expect(page).not.toContain(secret);
    expect(JSON.stringify(entry)).not.toContain(secret);
  }
  expect(await team.home.accounts.records.list('sessions/')).toEqual([]);
  expect(team.faults).toEqual([]);
  return entry?.details?.['reason'];
}

describe('the way back from the provider', () => {
  test('state missing or foreign: refused, and the sign-in that has begun can still be finished', async () => {
    const team = await createOidcTeam(provider);
    const { at, cookie } = await team.begin();
    const back = await signInAt(provider, at, '1');
    const asked = provider.asked.length;
    for (const state of [
      undefined,
      '',
      'planted',
      new URL((await team.begin()).at).searchParams.get('state'),
    ]) {
      const wrong = new URL(back);
      wrong.searchParams.delete('state');
      if (typeof state === 'string') wrong.searchParams.set('state', state);
      await expectRefusal(team, await team.comeBack(wrong, cookie), stale);
    }
    expect(provider.asked.slice(asked)).toEqual([]);
    expect((await team.comeBack(back, cookie)).status).toBe(303);
  });

  test('login CSRF: an address of another browser is refused, with its cookie missing or another one', async () => {
    const team = await createOidcTeam(provider);
    const attacker = await team.begin();
    const back = await signInAt(provider, attacker.at, '1');
    const victim = await team.begin();
    for (const cookie of ['', victim.cookie, '__Host-touchstone-oidc=planted'])
      await expectRefusal(team, await team.comeBack(back, cookie), stale);
  });

  test('code replayed: it works once, also in a sign-in of its own', async () => {
    const team = await createOidcTeam(provider);
    const first = await team.begin();
    const back = await signInAt(provider, first.at, '1');
    const session = cookieIn(await team.comeBack(back, first.cookie));
    await team.send('/sign-out', { cookie: session }, {});
    await expectRefusal(team, await team.comeBack(back, first.cookie), stale);

    const second = await team.begin();
    const again = await signInAt(provider, second.at, '1');
    again.searchParams.set('code', back.searchParams.get('code') ?? '');
    expect(await expectRefusal(team, await team.comeBack(again, second.cookie), unproven)).toBe(
      'OAUTH_RESPONSE_BODY_ERROR invalid_grant',
    );
  });

  test('a sign-in that was begun more than ten minutes ago is refused', async () => {
    const team = await createOidcTeam(provider);
    const { at, cookie } = await team.begin();
    for (const { name } of await team.home.shared.list('oidc/'))
      await team.home.shared.change<{ startedAt: number }, undefined>(name, (flow) => ({
        value: flow && { ...flow, startedAt: flow.startedAt - 600_000 },
        result: undefined,
      }));
    await expectRefusal(team, await team.comeBack(await signInAt(provider, at, '1'), cookie), stale);
  });

  test('mix-up: an answer that names another issuer, or none, is refused before the code is sent', async () => {
    const team = await createOidcTeam(provider);
    for (const issuer of [other.issuer, undefined]) {
      const { at, cookie } = await team.begin();
      const back = await signInAt(provider, at, '1');
      back.searchParams.delete('iss');
      if (issuer !== undefined) back.searchParams.set('iss', issuer);
      const asked = provider.asked.length;
      const reason = await expectRefusal(team, await team.comeBack(back, cookie), unproven);
      expect(reason).toBe('OAUTH_INVALID_RESPONSE');
      expect(provider.asked.slice(asked)).toEqual([]);
    }
  });

  test('an error of the provider is not shown, whatever it says', async () => {
    const team = await createOidcTeam(provider);
    const { at, cookie } = await team.begin();
    const back = new URL(redirect);
    back.search = new URLSearchParams({
      state: new URL(at).searchParams.get('state') ?? '',
      iss: provider.issuer,
      error: 'access_denied',
      error_description: '<b>planted</b>',
    }).toString();
    const reason = await expectRefusal(team, await team.comeBack(back, cookie), unproven);
    expect(reason).toBe('OAUTH_AUTHORIZATION_RESPONSE_ERROR access_denied');
  });

  test('fixation: a session begins under a new secret, and the one that was sent ends', async () => {
    const team = await createOidcTeam(provider);
    const old = cookieIn(await team.signIn(provider, '1'));
    const planted = `__Host-touchstone=${'A'.repeat(43)}`;
    for (const sent of [old, planted]) {
      const { at, cookie } = await team.begin();
      const answer = await team.comeBack(await signInAt(provider, at, '1'), `${cookie}; ${sent}`);
      expect(cookieIn(answer)).toMatch(/^__Host-touchstone=[\w-]{43}$/);
      expect(cookieIn(answer)).not.toBe(sent);
      expect((await team.send('/api/runs', { cookie: sent })).status).toBe(401);
    }
  });
});

/** Changes the id token of an answer. */
function changeToken(make: (claims: Record<string, unknown>) => unknown) {
  return async (answer: ChangedAnswer) => {
    if (answer.path !== '/token') return;
    const body = answer.body as { id_token: string };
    const [, claims = ''] = body.id_token.split('.');
    const payload = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    answer.body = { ...body, id_token: await make(payload) };
  };
}

/** Signs claims as the provider does. */
async function sign(claims: Record<string, unknown>, key: Parameters<SignJWT['sign']>[0] = provider.key) {
  return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key);
}

describe('the id token', () => {
  const forgeries: Record<string, (claims: Record<string, unknown>) => unknown> = {
    'of another audience': async (claims) => await sign({ ...claims, aud: 'another' }),
    'for several, issued to another': async (claims) =>
      await sign({ ...claims, aud: [client.id, 'another'], azp: 'another' }),
    'of another issuer': async (claims) => await sign({ ...claims, iss: other.issuer }),
    'that is over': async (claims) => await sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 60 }),
    'without an end': async ({ exp: _, ...claims }) => await sign(claims),
    'of another person than the provider describes': async (claims) => await sign({ ...claims, sub: '2' }),
    'with another nonce': async (claims) => await sign({ ...claims, nonce: 'planted' }),
    'without a nonce': async ({ nonce: _, ...claims }) => await sign(claims),
    'signed with another key': async (claims) =>
      await sign(claims, (await generateKeyPair('RS256')).privateKey),
    'signed with the key of another issuer': async (claims) => await sign(claims, other.key),
    'signed with the secret of the client': async (claims) =>
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(client.secret)),
    'signed by nobody (alg none)': (claims) => new UnsecuredJWT(claims).encode(),
    'that is none': () => 'planted',
    'that is missing': () => undefined,
  };

  test.each(Object.keys(forgeries))('%s is refused', async (title) => {
    const team = await createOidcTeam(provider);
    provider.change = changeToken(forgeries[title] as (claims: object) => unknown);
    expect(await expectRefusal(team, await team.signIn(provider, '1'), unproven)).toMatch(/^OAUTH_/);
  });

  test('that the provider has signed again is taken: the forgeries are refused for what they change', async () => {
    const team = await createOidcTeam(provider);
    provider.change = changeToken(sign);
    expect((await team.signIn(provider, '1')).status).toBe(303);
  });

  test('nonce replayed: the token of an earlier sign-in is refused', async () => {
    const team = await createOidcTeam(provider);
    const tokens: string[] = [];
    provider.change = changeToken(async (claims) => {
      tokens.push(await sign(claims));
      return tokens[0];
    });
    const session = cookieIn(await team.signIn(provider, '1'));
    await team.send('/sign-out', { cookie: session }, {});
    const reason = await expectRefusal(team, await team.signIn(provider, '1'), unproven);
    expect([reason, tokens.length]).toEqual(['OAUTH_JWT_CLAIM_COMPARISON_FAILED nonce', 2]);
  });
});

describe('a provider that does not answer as it should', () => {
  const answers: Record<string, (answer: ChangedAnswer) => unknown> = {
    'the metadata of another issuer': (answer) => {
      answer.body = { ...(answer.body as object), issuer: other.issuer };
    },
    'a page': (answer) => {
      answer.body = '<html>planted</html>';
    },
    'a fault': (answer) => {
      answer.status = 500;
    },
    'an answer without an end': (answer) => {
      answer.body = { planted: 'x'.repeat(1_000_001) };
    },
    nothing: async () => await new Promise((resolve) => setTimeout(resolve, 1500)),
  };

  test.each(Object.keys(answers))(
    '%s: the page for signing in says so, and works afterwards',
    async (title) => {
      const team = await createOidcTeam(provider, { answerSeconds: 1 });
      for (const path of ['/.well-known/openid-configuration', '/token', '/me']) {
        provider.change = async (answer) => {
          if (answer.path === path) await answers[title]?.(answer);
        };
        const isFirst = path.startsWith('/.well-known');
        if (title.startsWith('the metadata') && !isFirst) continue;
        const answer = isFirst ? await team.send('/sign-in/oidc') : await team.signIn(provider, '1');
        expect(await expectRefusal(team, answer, unproven)).toMatch(/^(?:OAUTH_\w+|no answer)/);
        provider.change = undefined;
      }
      expect((await team.signIn(provider, '1')).status).toBe(303);
    },
  );

  test('a server that is not there: the page says so, and a password still works', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const issuer = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
    gone.close();
    const team = await createOidcTeam({ issuer });
    await expectRefusal(team, await team.send('/sign-in/oidc'), unproven);
    expect((await team.join('boss', 'admin')).status).toBe(303);
  });
});
