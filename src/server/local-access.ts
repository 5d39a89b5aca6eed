import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { TouchstoneError } from '../errors.ts';
import { hashText } from '../lib/content-hash.ts';

/** The access of one browser user to a server on this machine. */
export interface LocalAccess {
  /** The port of the server. */
  readonly port: number;
  /** The secret that the opened address contains, and then the cookie. */
  readonly secret: string;
}

/** The parameter of the opened address that contains the secret. */
const parameter = 'access';

/** Creates the secret of a server: 256 random bits, different at every start. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the address that opens a page of the server, with the secret. */
export function addressOf({ port, secret }: LocalAccess, path = '/'): string {
  const address = new URL(path, `http://127.0.0.1:${port}`);
  address.searchParams.set(parameter, secret);
  return address.href;
}

/**
 * Lets only requests through that come from the server's own pages, or that open a page with the secret. Refuses all others
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
    const given = context.req.query(parameter);
    if (given !== undefined && method === 'GET') return exchangeSecret(context, given, access);
    if (!isSecret(getCookie(context, cookieName(access)), access)) throw refusal('The secret is missing.');
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

/** Stores the secret in a cookie, and redirects to the same address without it: an address is kept in histories. */
function exchangeSecret(context: Context, given: string, access: LocalAccess): Response {
  if (!isSecret(given, access)) throw refusal('The secret in the address is wrong or of an earlier start.');
  setCookie(context, cookieName(access), access.secret, { httpOnly: true, sameSite: 'Strict', path: '/' });
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

/** Compares without revealing, by the time it takes, how much of a guess is right. */
function isSecret(given: string | undefined, { secret }: LocalAccess): boolean {
  return given !== undefined && timingSafeEqual(Buffer.from(hashText(given)), Buffer.from(hashText(secret)));
}

function refusal(message: string): TouchstoneError {
  return new TouchstoneError('access-denied', message);
}
