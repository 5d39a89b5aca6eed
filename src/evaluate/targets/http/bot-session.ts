import type { Cookie, CookieJar } from 'tough-cookie';
import type { Agent } from 'undici';
import { messageOf } from '../../../core/errors.ts';
import { type IncomingReply, sendRequest } from '../../../core/lib/network/send-request.ts';
import { isSecretName } from '../../../core/lib/redact-secrets.ts';
import { maxReplyBytes } from '../reply/read-text.ts';
import type { TargetSession } from '../target.ts';
import { createRedactor, type Redactor } from './read-http-reply.ts';
import type { HttpRequest } from './request-plan.ts';

/** One conversation with a bot, as its requests see it. */
export interface BotSession {
  /** Sends a request with the cookies of the conversation, and keeps what the reply sets. */
  send(request: HttpRequest, signal: AbortSignal): Promise<SessionReply>;
}

/** A reply within a conversation. */
export interface SessionReply extends IncomingReply {
  /** Removes the secrets that are known by now: those of the config, and the cookies. */
  readonly redactor: Redactor;
  /** A note on it for the logs; empty for none. */
  readonly note: string;
}

/** The settings that all conversations with a bot share. */
export interface SessionSettings {
  readonly agent: Agent;
  /** The environment variables of the requests. */
  readonly variables: ReadonlyMap<string, string>;
  /** The redactor for them. */
  readonly redactor: Redactor;
  readonly keepsCookies: boolean;
}

/** Returns a function that finds the session of a conversation. It is forgotten with the conversation. */
export function createSessions(settings: SessionSettings): (session: TargetSession) => BotSession {
  const sessions = new WeakMap<object, BotSession>();
  return ({ memory }) => {
    const known = sessions.get(memory) ?? openSession(settings);
    sessions.set(memory, known);
    return known;
  };
}

function openSession({ agent, variables, redactor, keepsCookies }: SessionSettings): BotSession {
  const cookies = createCookies();
  let own = redactor;
  let ownSecrets = 0;
  return {
    send: async (request, signal) => {
      const cookie = cookies.headerFor(request.url, request.headers['cookie']);
      const headers = { ...request.headers, ...(cookie !== undefined && { cookie }) };
      const reply = await sendRequest(agent, { ...request, headers, signal }, maxReplyBytes);
      const note = keepsCookies ? await cookies.keep(reply.headers['set-cookie'], request.url) : '';
      if (cookies.secrets.size !== ownSecrets) own = createRedactor(variables, cookies.secrets);
      ownSecrets = cookies.secrets.size;
      return { ...reply, redactor: own, note };
    },
  };
}

/** The cookies of one conversation, in memory alone: what the bot set is sent back as a browser does (RFC 6265). */
interface Cookies {
  /** Keeps what a reply from an address sets. Returns a note on cookies that are not kept; empty when there are none. */
  keep(setCookie: string | string[] | undefined, from: URL): Promise<string>;
  /**
   * Returns the header for a request to an address; undefined when there is nothing to send.
   * @param written - The header that the config writes. A cookie that the bot set takes the place of one with its name.
   */
  headerFor(to: URL, written: string | undefined): string | undefined;
  /** The values that may grant access, old ones included, with their names in messages. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Bounds on what a bot can make us keep. */
const mostCookies = 50;
const mostBytes = 4096;

/** The fewest characters of a value that is a secret: a shorter one is a language or a number of items. */
const fewestCharacters = 8;
const fewestOfSecretName = 4;

/** Creates an empty jar. The package for cookies is loaded when the first one comes. */
export function createCookies(): Cookies {
  let jar: CookieJar | undefined;
  const secrets = new Map<string, string>();

  const add = (to: CookieJar, header: string, from: URL): string | undefined => {
    const name = nameOf(header);
    try {
      if (Buffer.byteLength(header) > mostBytes) return `${name} (over ${mostBytes} bytes)`;
      const there = to.serializeSync()?.cookies ?? [];
      if (there.length >= mostCookies && !there.some(({ key }) => key === name))
        return `${name} (over ${mostCookies} cookies)`;
      const kept = to.setCookieSync(header, from.href);
      if (kept !== undefined && isSecret(kept)) secrets.set(kept.value, `cookie ${name}`);
      return undefined;
    } catch (error) {
      return `${name} (${messageOf(error)})`;
    }
  };

  return {
    secrets,
    keep: async (setCookie, from) => {
      const headers = [setCookie ?? []].flat();
      if (headers.length === 0) return '';
      jar ??= await createJar();
      const to = jar;
      const refused = headers.flatMap((header) => add(to, header, from) ?? []);
      return refused.length === 0 ? '' : `Cookies that were not kept: ${refused.join(', ')}.`;
    },
    headerFor: (to, written) => {
      const set = jar?.getCookiesSync(to.href) ?? [];
      if (set.length === 0) return written;
      const names = new Set(set.map(({ key }) => key));
      const own = (written ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair !== '' && !names.has(nameOf(pair)));
      return [...own, ...set.map((cookie) => cookie.cookieString())].join('; ');
    },
  };
}

/** Cookies of a whole public suffix, such as `co.uk`, are refused; those marked `Secure` are kept from this machine over http, too. */
async function createJar(): Promise<CookieJar> {
  const { CookieJar: Jar } = await import('tough-cookie');
  return new Jar(undefined, { rejectPublicSuffixes: true, allowSecureOnLocal: true });
}

function isSecret({ key, value }: Cookie): boolean {
  return value.length >= (isSecretName(key) ? fewestOfSecretName : fewestCharacters);
}

function nameOf(header: string): string {
  return (/^[^=;]*/.exec(header)?.[0] ?? '').trim().slice(0, 100);
}
