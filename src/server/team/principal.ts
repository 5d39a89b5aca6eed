import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Principal } from '../../privacy/accounts/permissions.ts';
import { findSession } from '../../privacy/accounts/sessions.ts';
import { findToken } from '../../privacy/accounts/tokens.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { AccountStore } from '../../stores/accounts/account-store.ts';

/** The cookie of a session. Its prefix has browsers refuse one of another host, or one that is sent without TLS. */
export const sessionCookie = '__Host-touchstone';

/** Returns who has sent the request that is handled, as the server in front of the routes has found out. */
export function principalOf(env: unknown): Principal {
  const { principal } = Object(env) as { readonly principal?: Principal };
  if (principal === undefined) throw new Error('A request came to a route without its sender.');
  return principal;
}

/** Refuses a request whose address names another project than the one of its sender. Throws `access-denied`. */
export function requireOwnProject(env: unknown, project: string): void {
  if (project === principalOf(env).project) return;
  throw new TouchstoneError('access-denied', 'This token is not one of the project.', {
    remedy: 'Name the project that the token was made for in the address.',
  });
}

/**
 * Finds out who has sent a request: by its token, else by its cookie. Returns undefined when it has neither, or one that is not
 * valid any more. Throws `access-denied` for a token that a page has sent, which everybody would know.
 */
export async function authenticate(context: Context, store: AccountStore): Promise<Principal | undefined> {
  const { req } = context;
  const authorization = req.header('authorization');
  if (authorization !== undefined) {
    if (req.header('origin') !== undefined || req.header('sec-fetch-site') !== undefined)
      throw refusal('The request comes from a page; only programs have tokens.');
    const text = /^Bearer (\S+)$/i.exec(authorization)?.[1];
    return text === undefined ? undefined : await findToken(store, text);
  }
  const secret = getCookie(context, sessionCookie);
  return secret === undefined ? undefined : await findSession(store, secret);
}

/** Refuses a write that the browser does not mark as coming from a page of this server. Throws `access-denied`. */
export function refuseOtherSites({ req }: Context, origin: string): void {
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  const [from, site] = [req.header('origin'), req.header('sec-fetch-site')];
  // A page without referrers has its forms sent from the origin `null`, as has any page in a frame without rights.
  const isNull = from === 'null' && site === 'same-origin';
  const isOther =
    (from !== undefined && from !== origin && !isNull) ||
    (site !== undefined && site !== 'same-origin' && !isRead);
  const isUnmarked = !isRead && from === undefined && site === undefined;
  if (isOther || isUnmarked) throw refusal('The request comes from another site.');
}

function refusal(message: string): TouchstoneError {
  return new TouchstoneError('access-denied', message, { remedy: 'Use the pages of this server.' });
}

/**
 * Returns the network address that a request comes from: the address of the connection, or, behind a proxy, the one that the proxy has
 * added last.
 */
export function addressOfClient({ req, env }: Context, isBehindProxy: boolean): string {
  const forwarded = isBehindProxy ? req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  const { incoming } = Object(env) as Partial<HttpBindings>;
  return forwarded ?? incoming?.socket.remoteAddress ?? 'unknown';
}
