import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { TouchstoneError } from '../core/errors.ts';
import { hashText } from '../core/lib/content-hash.ts';
import { createSecret, isSameSecret } from '../privacy/accounts/secrets.ts';

/** The access of one browser user to a server on this machine. */
export interface LocalAccess {
  /** The port of the server. */
  readonly port: number;
  /** The secret of the cookie. It is in no address, since histories and lists of processes show addresses. */
  readonly secret: string;
  /** The hashes of the tokens in addresses that were not opened yet. */
  readonly tokens: Set<string>;
}

/** The parameter of an opened address that contains its token. */
const parameter = 'access';

/** Creates the access to a server on a port, with a secret that is different at every start unless one is given. */
export function createAccess(port: number, secret: string = createSecret()): LocalAccess {
  return { port, secret, tokens: new Set() };
}

/** Returns a new address that opens a page of the server in one browser: its token is exchanged for the cookie once. */
export function addressOf({ port, tokens }: LocalAccess, path = '/'): string {
  const token = createSecret();
  tokens.add(hashText(token));
  const address = new URL(path, `http://127.0.0.1:${port}`);
  address.searchParams.set(parameter, token);
  return address.href;
}

/**
 * Lets only requests through that come from the server's own pages, or that open a page with a token. Refuses all others
 * with `access-denied`:
 * - a request under another host name: a site whose name resolves to this machine (DNS rebinding);
 * - a request from another origin, and a write that the browser does not mark as coming from this one;
 * - a request without the cookie: another user or program of this machine.
 */
export function guardAccess(access: LocalAccess): MiddlewareHandler {
  const hosts = [`127.0.0.1:${access.port}`, `localhost:${access.port}`];
  return async (context, next) => {
    const { method } = context.req;
    const host = context.req.header('host') ?? '';
    if (!hosts.includes(host)) throw refusal('This address is not the one that the server was opened with.');
    refuseOtherOrigins(context, host);
    const sent = context.req.query(parameter);
    const isOpen = isSameSecret(getCookie(context, cookieName(access)) ?? '', access.secret);
    if (sent !== undefined && method === 'GET') {
      // The browser that has the cookie may open its address again, in another window.
      if (!isOpen) exchangeToken(context, sent, access);
      return redirectWithout(context);
    }
    if (!isOpen) throw refusal('The page is not open in this browser.');
    await next();
  };
}

function refuseOtherOrigins(context: Context, host: string): void {
  const { method } = context.req;
  const [origin, site] = [context.req.header('origin'), context.req.header('sec-fetch-site')];
  if (origin !== undefined && origin !== `http://${host}`)
    throw refusal('The request comes from another site.');
  const isRead = method === 'GET' || method === 'HEAD';
  const isOwn = site === 'same-origin' || (isRead && (site === undefined || site === 'none'));
  if (!isOwn) throw refusal('The request comes from another site.');
}

/** Stores the secret in a cookie in exchange for a token, which is used up. */
function exchangeToken(context: Context, token: string, access: LocalAccess): void {
  if (!access.tokens.delete(hashText(token))) {
    throw refusal('The address was opened before, or is of an earlier start. An address works once.');
  }
  setCookie(context, cookieName(access), access.secret, { httpOnly: true, sameSite: 'Strict', path: '/' });
}

/** Redirects to the same address without the token, so that pages can be shared and reloaded. */
function redirectWithout(context: Context): Response {
  const { pathname, searchParams } = new URL(context.req.url);
  searchParams.delete(parameter);
  context.header('Cache-Control', 'no-store');
  // A path that begins with two slashes would name another host.
  const path = `/${pathname.replace(/^[/\\]+/, '')}`;
  return context.redirect(searchParams.size === 0 ? path : `${path}?${searchParams.toString()}`, 303);
}

/** Names the cookie by the port, since the cookies of a host are shared by the servers on all of its ports. */
function cookieName({ port }: LocalAccess): string {
  return `touchstone-${port}`;
}

function refusal(message: string): TouchstoneError {
  return new TouchstoneError('access-denied', message);
}
