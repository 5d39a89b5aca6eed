import { invite } from '../../src/privacy/accounts/accounts.ts';
import { readAudit } from '../../src/privacy/accounts/audit.ts';
import { addPerson } from '../../src/privacy/accounts/manage.ts';
import type { OidcSettings } from '../../src/server/team/load-oidc.ts';
import type { AuditEntry } from '../../src/core/schema/account/account.ts';
import type { Role } from '../../src/core/schema/account/rights.ts';
import { createTeamApp } from '../../src/server/team/serve-team.ts';
import { connectProvider } from '../../src/server/team/oidc-provider.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { client, signInAt, type TestProvider } from './oidc-provider.ts';

/** The address of the server of a test. */
export const origin = 'https://evals.example.org';
/** The address to which the provider sends people back. */
export const redirect = `${origin}/sign-in/oidc/callback`;
/** The password of everybody who has one. */
export const password = 'correct horse battery';

/** The person who changes accounts in a test. */
export const actor = { who: 'test', address: null, project: 'main' };

/** A sign-in that has begun: the address of the provider, and the cookie of the browser. */
export interface Begun {
  readonly at: string;
  readonly cookie: string;
}

/** The choices for a server. */
export interface TeamChoices {
  readonly settings?: Partial<OidcSettings>;
  /** The store of another server, to share it. */
  readonly home?: Store;
  readonly answerSeconds?: number;
}

/** Creates a server at which people sign in with a provider. */
export async function createOidcTeam(
  { issuer }: Pick<TestProvider, 'issuer'>,
  { settings = {}, home = createMemoryStore(), answerSeconds }: TeamChoices = {},
) {
  const faults: unknown[] = [];
  const oidc = await connectProvider(
    {
      issuer,
      clientId: client.id,
      clientSecret: client.secret,
      name: 'Acme',
      scopes: ['openid', 'profile', 'email'],
      groupsClaim: 'groups',
      groups: {
        team: { main: 'editor' },
        boss: { main: 'admin', shop: 'viewer' },
        label: { main: 'reviewer' },
      },
      others: {},
      contact: 'it@example.org',
      ...settings,
    },
    answerSeconds,
  );
  const assets = { document: '<!doctype html>', files: new Map() };
  const parts = { assets, home, openProject: async () => home, origin, isBehindProxy: true };
  const app = createTeamApp({ ...parts, oidc, onFault: (fault) => faults.push(fault) });
  let requests = 0;
  /** Sends a request, from an address of its own unless one is given. */
  const send = async (path: string, headers: Record<string, string> = {}, form?: Record<string, string>) => {
    const body = form && new URLSearchParams(form).toString();
    requests += 1;
    const sent = { host: 'evals.example.org', 'x-forwarded-for': `10.0.0.${requests}`, ...headers };
    if (body === undefined) return await app.request(origin + path, { headers: sent });
    const type = 'application/x-www-form-urlencoded';
    const marks = { origin, 'content-type': type, 'content-length': String(body.length) };
    return await app.request(origin + path, { method: 'POST', body, headers: { ...sent, ...marks } });
  };
  const begin = async (next = '/'): Promise<Begun> => {
    const answer = await send(`/sign-in/oidc?${new URLSearchParams({ next }).toString()}`);
    return { at: answer.headers.get('location') ?? '', cookie: cookieIn(answer) };
  };
  /** Comes back from the provider. */
  const comeBack = async ({ search }: URL, cookie: string) =>
    await send(`/sign-in/oidc/callback${search}`, { cookie });
  const signIn = async (provider: TestProvider, name: string, next?: string): Promise<Response> => {
    const { at, cookie } = await begin(next);
    return await comeBack(await signInAt(provider, at, name), cookie);
  };
  const audit = async (): Promise<AuditEntry[]> => await Array.fromAsync(readAudit(home.accounts));
  /** Adds a person with a password. */
  const join = async (name: string, role: Role) => {
    await addPerson(home.accounts, actor, { name, role });
    return await send(`/invitations/${await invite(home.accounts, name)}`, {}, { password });
  };
  return { home, faults, send, begin, comeBack, signIn, audit, join };
}

/** Returns the cookie of a session or of a sign-in that has begun, whichever an answer sets. */
export function cookieIn({ headers }: Response): string {
  const set = headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  return set.find((each) => !each.endsWith('=')) ?? '';
}
