import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { fetchThroughProxy } from '../../src/core/lib/network/agent.ts';
import { type AccountClaims, type Configuration, Provider } from 'oidc-provider';

/** The client that the provider knows. */
export const client = { id: 'touchstone', secret: 'a secret of the client: +/&%' } as const;

/** An identity provider on loopback: a real one, whose answers a test can change. */
export interface TestProvider {
  readonly issuer: string;
  /** The key with which it signs. */
  readonly key: CryptoKey;
  /** The people whom it knows, with their claims, by subject. */
  readonly people: Map<string, Omit<AccountClaims, 'sub'>>;
  /** The paths that it was asked for. */
  readonly asked: string[];
  /** Changes an answer before it is sent; undefined for an honest provider. */
  change: ((answer: ChangedAnswer) => unknown) | undefined;
  close(): Promise<void>;
}

/** An answer of the provider before it is sent. */
export interface ChangedAnswer {
  readonly path: string;
  status: number;
  body: unknown;
}

/** The rules of a provider. */
export interface ProviderChoices {
  /** The address that people are sent back to. */
  readonly redirect: string;
  /** True when the claims are in the id token; else they have to be asked for. */
  readonly isInToken?: boolean;
  /** The name of its host; by default this machine's. */
  readonly host?: string;
}

/** Starts a provider. It asks for a name, and no password. */
export async function startProvider({
  redirect,
  isInToken = false,
  host = '127.0.0.1',
}: ProviderChoices): Promise<TestProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const people: TestProvider['people'] = new Map();
  const provider = new Provider(issuer, {
    ...settings,
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirect],
        post_logout_redirect_uris: [new URL('/sign-in', redirect).href],
      },
    ],
    conformIdTokenClaims: !isInToken,
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'own', use: 'sig', alg: 'RS256' }] },
    findAccount: (_, accountId) =>
      people.has(accountId)
        ? { accountId, claims: () => ({ sub: accountId, ...people.get(accountId) }) }
        : undefined,
  });
  const started: TestProvider = {
    issuer,
    key: privateKey,
    people,
    asked: [],
    change: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  provider.use(async (context, next) => {
    started.asked.push(context.path);
    await next();
    await started.change?.(context);
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/login/') === true) void takeName(provider, request, response);
    else void answer(request, response);
  });
  return started;
}

const settings: Configuration = {
  claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email'] },
  cookies: { keys: ['a key for the cookies of a test'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/login/${uid}` },
  pkce: { required: () => true },
  // The defaults print that they are defaults.
  ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  // No person is asked whether the server may know the claims.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client?.clientId,
      accountId: oidc.session?.accountId,
    });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
};

/** Shows the page that asks for a name, and takes the name that is sent. */
async function takeName(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'POST') {
    const login = { accountId: new URLSearchParams(await text(request)).get('name') ?? '' };
    await provider.interactionFinished(request, response, { login });
    return;
  }
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><html lang="en"><title>Provider</title><h1>Provider</h1>
<form method="post"><label>Name <input name="name"></label><button>Continue</button></form>`);
}

/** Signs in at the provider as a browser without memory does. Returns the address that the person is sent back to. */
export async function signInAt({ issuer }: TestProvider, begun: string, name: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const visit = async (address: URL, init: RequestInit = {}) => {
    const cookie = Array.from(cookies, ([key, value]) => `${key}=${value}`).join('; ');
    const answer = await fetchThroughProxy(address, { ...init, headers: { cookie }, redirect: 'manual' });
    for (const each of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(key, value);
    }
    return new URL(answer.headers.get('location') ?? '', issuer);
  };
  const page = await visit(new URL(begun));
  // An error is sent back at once.
  if (page.origin !== issuer) return page;
  return await visit(await visit(page, { method: 'POST', body: new URLSearchParams({ name }) }));
}
