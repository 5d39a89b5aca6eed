import { fetchThroughProxy } from '../../core/lib/network/agent.ts';
import type * as OpenidClient from 'openid-client';
import { hashSecret } from '../../privacy/accounts/secrets.ts';
import type { OidcSettings } from './load-oidc.ts';
import { needPackage } from '../../core/lib/packages/need-package.ts';
import type { Identity } from '../../core/schema/account/account.ts';

/** A person as the provider has described the person. */
export interface ProvenPerson {
  readonly identity: Identity;
  readonly name: string;
  /** The groups; undefined when the provider has not said any. */
  readonly groups: readonly string[] | undefined;
}

/** An identity provider. */
export interface OidcProvider {
  readonly settings: OidcSettings;
  /** Returns the address of the provider at which a person signs in, to come back to `redirect`. Throws `ProviderFault`. */
  begin(secret: string, redirect: URL): Promise<URL>;
  /** Returns whether the answer of a provider belongs to the sign-in of a secret. */
  isOwn(secret: string, state: string | undefined): boolean;
  /** Checks the address with which a person comes back, and asks the provider who it is. Throws `ProviderFault`. */
  finish(secret: string, answer: URL): Promise<ProvenPerson>;
  /** Returns the address at which a person signs out at the provider, to come back to `back`; undefined where it announces none. */
  findSignOut(back: URL): Promise<URL | undefined>;
}

/** A provider that has not answered as it should. Its message is for the audit log, and contains nothing of the answer but a code. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
}

/** The longest answer of a provider in bytes. */
const longestAnswer = 1_000_000;

/**
 * Connects to an identity provider, whose metadata are asked for with the first sign-in. Throws `package-missing`.
 * @param answerSeconds - The time that the provider has for each answer.
 */
export async function connectProvider(settings: OidcSettings, answerSeconds = 10): Promise<OidcProvider> {
  const library = await needPackage('openid-client', {
    for: 'Signing in with OpenID Connect',
    load: async () => await import('openid-client'),
  });
  let known: Promise<OpenidClient.Configuration> | undefined;
  const findConfiguration = async () => {
    known ??= discover(library, settings, answerSeconds);
    const mine = known;
    return await mine.catch((error: unknown) => {
      if (known === mine) known = undefined;
      throw error;
    });
  };
  return {
    settings,
    begin: async (secret, redirect) =>
      await explaining(async () =>
        library.buildAuthorizationUrl(await findConfiguration(), {
          redirect_uri: redirect.href,
          scope: settings.scopes.join(' '),
          state: partOf(secret, 'state'),
          nonce: partOf(secret, 'nonce'),
          code_challenge: await library.calculatePKCECodeChallenge(partOf(secret, 'verifier')),
          code_challenge_method: 'S256',
        }),
      ),
    isOwn: (secret, state) => state === partOf(secret, 'state'),
    finish: async (secret, answer) =>
      await explaining(async () => {
        const configuration = await findConfiguration();
        const tokens = await library.authorizationCodeGrant(configuration, answer, {
          expectedState: partOf(secret, 'state'),
          expectedNonce: partOf(secret, 'nonce'),
          pkceCodeVerifier: partOf(secret, 'verifier'),
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new ProviderFault('no id token');
        const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
        const more = hasMore
          ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {};
        return describe({ ...more, ...claims }, settings.groupsClaim);
      }),
    findSignOut: async (back) =>
      await explaining(async () => {
        const configuration = await findConfiguration();
        return configuration.serverMetadata().end_session_endpoint === undefined
          ? undefined
          : library.buildEndSessionUrl(configuration, { post_logout_redirect_uri: back.href });
      }),
  };
}

/** Returns a secret that follows from the secret of a cookie, which the store does not know. */
function partOf(secret: string, use: 'state' | 'nonce' | 'verifier'): string {
  return hashSecret(`${use} ${secret}`);
}

/** Asks the provider for its metadata. */
async function discover(
  library: typeof OpenidClient,
  { issuer, clientId, clientSecret }: OidcSettings,
  timeout: number,
): Promise<OpenidClient.Configuration> {
  const execute = [library.enableNonRepudiationChecks];
  // oxlint-disable-next-line typescript/no-deprecated -- marked so that it is noticed; only this machine is reached without TLS
  if (issuer.startsWith('http:')) execute.push(library.allowInsecureRequests);
  const authenticate: OpenidClient.ClientAuth = (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const isBasic = methods.includes('client_secret_basic');
    const send = isBasic ? library.ClientSecretBasic : library.ClientSecretPost;
    send(clientSecret)(server, ...request);
  };
  const configuration = await library.discovery(new URL(issuer), clientId, {}, authenticate, {
    execute,
    timeout,
    [library.customFetch]: fetchShort,
  });
  // The library lets some providers name another issuer, behind which is everybody who has an account there.
  if (new URL(configuration.serverMetadata().issuer).href !== new URL(issuer).href)
    throw new ProviderFault('the metadata name another issuer');
  return configuration;
}

/** Asks the provider, and reads no more of its answer than one has. */
const fetchShort: OpenidClient.CustomFetch = async (url, options) => {
  const answer = await fetchThroughProxy(url, options);
  let length = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      length += piece.length;
      if (length > longestAnswer) controller.error(new ProviderFault('an answer is too long'));
      else controller.enqueue(piece);
    },
  });
  return new Response(answer.body?.pipeThrough(limit) ?? null, answer);
};

/** Turns what the library or the network throws into a fault that names codes and claims: the causes themselves contain tokens. */
async function explaining<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    const said = new Set<string>();
    for (let each = error; each !== undefined && each !== null; each = Object(each).cause as unknown)
      for (const name of ['code', 'error', 'claim', 'attribute']) {
        const text: unknown = Object(each)[name];
        if (typeof text === 'string' && /^\w{1,60}$/.test(text)) said.add(text);
      }
    throw new ProviderFault(Array.from(said).join(' ') || 'no answer');
  }
}

function describe(claims: OpenidClient.IDToken, groupsClaim: string): ProvenPerson {
  const names = [claims['preferred_username'], claims['email']];
  const groups = Object.hasOwn(claims, groupsClaim) ? [claims[groupsClaim]].flat() : undefined;
  return {
    identity: { issuer: claims.iss, subject: claims.sub },
    name: names.filter((name) => typeof name === 'string').find((name) => name !== '') ?? claims.sub,
    groups: groups?.filter((group) => typeof group === 'string'),
  };
}
