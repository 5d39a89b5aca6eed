import type { Cookie, CookieJar } from 'tough-cookie';
import type { Agent } from 'undici';
import { messageOf } from '../../../core/errors.ts';
import { type IncomingReply, sendRequest } from '../../../core/lib/network/send-request.ts';
import { isSecretName } from '../../../core/lib/redact-secrets.ts';
import { maxReplyBytes } from '../reply/read-text.ts';
import type { TargetContext, TargetRequest, TargetSession } from '../target.ts';
import { type LoggedIn, type LogIn, secretsOf } from './log-in.ts';
import { createRedactor, type Redactor } from './read-http-reply.ts';
import type { HttpRequest } from './request-plan.ts';

/** One conversation with a bot, as its requests see it. */
export interface BotSession {
  /** Removes the secrets that are known by now: the secrets of the config and of the log-in, and the cookies. */
  redactor(): Redactor;
  /**
   * Sends a request with the cookies of the conversation and what the log-in gave, and keeps what the reply sets. After a 401
   * it logs in again and sends the request once more. Throws `login-failed`.
   */
  send(asked: SessionRequest, context: Pick<TargetContext, 'signal' | 'onWaiting'>): Promise<SessionReply>;
}

/** A request within a conversation. */
export interface SessionRequest {
  readonly request: TargetRequest;
  /** Builds it from what a log-in gave, by name; undefined without one. */
  build(given: ReadonlyMap<string, string> | undefined): HttpRequest;
}

/** A reply within a conversation. */
export interface SessionReply extends IncomingReply {
  /** The address that was asked. */
  readonly url: URL;
  /** The time on the monotonic clock at which the request was sent that has this reply, in milliseconds. */
  readonly sentAt: number;
  /** A note on it for the logs; empty for none. */
  readonly note: string;
}

/** The settings that all conversations with a bot share. */
export interface SessionSettings {
  readonly agent: Agent;
  /** The environment variables of the requests, other secrets in them by value, and the redactor for both. */
  readonly secrets: {
    readonly variables: ReadonlyMap<string, string>;
    readonly arrived: ReadonlyMap<string, string>;
    readonly redactor: Redactor;
  };
  readonly keepsCookies: boolean;
  /** True when all conversations have the same log-in. */
  readonly isShared: boolean;
  /** Returns the log-in of the next conversation; undefined where the bot needs none. */
  logInOfNext(): LogIn | undefined;
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

function openSession({ agent, secrets, keepsCookies, isShared, logInOfNext }: SessionSettings): BotSession {
  const arrived = new Map(secrets.arrived);
  const cookies = createCookies(arrived);
  const logIn = logInOfNext();
  let last: LoggedIn | undefined;
  let own = { redactor: secrets.redactor, secrets: arrived.size };

  const keep = async (setCookie: string | string[] | undefined, from: URL) =>
    keepsCookies ? await cookies.keep(setCookie, from) : '';

  /** Takes over what the log-in gave, where that is new. */
  const takeOver = async (given: LoggedIn | undefined): Promise<string> => {
    if (given === undefined || given === last) return '';
    last = given;
    // What all conversations have is known to every redactor.
    if (!isShared) for (const [name, value] of secretsOf(given)) arrived.set(value, `before.${name}`);
    return given.from === undefined ? '' : await keep([...given.cookies], given.from);
  };

  const sendOnce = async (
    { request, build }: SessionRequest,
    { signal, onWaiting }: Pick<TargetContext, 'signal' | 'onWaiting'>,
  ) => {
    const given = logIn && (logIn.kept() ?? (await waitFor(logIn.read(request, signal), onWaiting)));
    const noteOnLogIn = await takeOver(given);
    const built = build(given?.values);
    const cookie = cookies.headerFor(built.url, built.headers['cookie']);
    const headers = { ...built.headers, ...(cookie !== undefined && { cookie }) };
    const sentAt = performance.now();
    const reply = await sendRequest(agent, { ...built, headers, signal }, maxReplyBytes);
    const note = await keep(reply.headers['set-cookie'], built.url);
    const notes = [noteOnLogIn, note].filter((each) => each !== '').join('\n');
    return { given, reply: { ...reply, url: built.url, sentAt, note: notes } };
  };

  return {
    redactor: () => {
      if (own.secrets !== arrived.size)
        own = { redactor: createRedactor(secrets.variables, arrived), secrets: arrived.size };
      return own.redactor;
    },
    send: async (asked, context) => {
      const { given, reply } = await sendOnce(asked, context);
      if (reply.status !== 401 || given === undefined) return reply;
      reply.body.destroy();
      logIn?.refuse(given);
      return (await sendOnce(asked, context)).reply;
    },
  };
}

/** Waits for a log-in, which is no time of the bot. */
async function waitFor(logIn: Promise<LoggedIn>, onWaiting: TargetContext['onWaiting']): Promise<LoggedIn> {
  onWaiting?.(true, true);
  try {
    return await logIn;
  } finally {
    onWaiting?.(false);
  }
}

/** The cookies of one conversation, in memory alone: what the bot set is sent back as a browser does (RFC 6265). */
interface Cookies {
  /** Keeps what a reply from an address sets. Returns a note on cookies that are refused; empty when there are none. */
  keep(setCookie: string | string[] | undefined, from: URL): Promise<string>;
  /**
   * Returns the header for a request to an address; undefined when there is nothing to send.
   * @param written - The header that the config writes. A cookie that the bot set takes the place of one with its name.
   */
  headerFor(to: URL, written: string | undefined): string | undefined;
}

/** Bounds on what a bot can make us keep. */
const mostCookies = 50;
const mostBytes = 4096;

/** The fewest characters of a value that is a secret: a shorter one is a language or a number of items. */
const fewestCharacters = 8;
const fewestOfSecretName = 4;

/**
 * Creates an empty jar. The package for cookies is loaded when the first one comes.
 * @param secrets - The values that may grant access are added to it, each with its name in messages.
 */
export function createCookies(secrets: Map<string, string>): Cookies {
  let jar: CookieJar | undefined;

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
    keep: async (setCookie, from) => {
      const headers = [setCookie ?? []].flat();
      if (headers.length === 0) return '';
      jar ??= await createJar();
      const to = jar;
      const refused = headers.flatMap((header) => add(to, header, from) ?? []);
      return refused.length === 0 ? '' : `Cookies that were refused: ${refused.join(', ')}.`;
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

/** Cookies of a whole public suffix, such as `co.uk`, are refused; cookies marked `Secure` are accepted from this machine over http, too. */
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
