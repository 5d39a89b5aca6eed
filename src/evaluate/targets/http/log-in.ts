import type { Agent } from 'undici';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import { explainConnectionFault } from '../../../core/lib/network/connection-error.ts';
import { type IncomingReply, sendRequest } from '../../../core/lib/network/send-request.ts';
import { openSecretCommand } from '../../../core/lib/programs/secret-command.ts';
import { addArrivedSecret } from '../../../core/lib/redact-secrets.ts';
import { listKeys } from '../../../core/lib/text/describe-value.ts';
import { raceWithAbort } from '../../../core/lib/waiting.ts';
import { callWithRetries, type Tried } from '../../models/account/call-with-retries.ts';
import type { RateLimitedAccount } from '../../models/account/rate-limiter.ts';
import { ModelFailure } from '../../models/model-failure.ts';
import { replyPath } from '../reply/reply-path.ts';
import { type TargetNeeds, TargetFailure, type TargetRequest } from '../target.ts';
import type { LogInSettings } from './log-in-option.ts';
import type { Redactor } from './read-http-reply.ts';
import { readBody, statusFailure } from './receive-body.ts';
import type { RequestPlan } from './request-plan.ts';

/** The values and the cookies that a log-in gave. */
export interface LoggedIn {
  /** The values for `{{before.NAME}}`, by name. */
  readonly values: ReadonlyMap<string, string>;
  /** The cookies that it set, as headers, and the address that they came from. */
  readonly cookies: readonly string[];
  readonly from?: URL;
  /** The time on the monotonic clock from which it is done again; Infinity where that is unknown. */
  readonly until: number;
}

/** A log-in that is done when it is first needed, and again when what it gave ends or is refused. */
export interface LogIn {
  /** Returns what it gave, as long as that may be used; undefined when it has to be done. */
  kept(): LoggedIn | undefined;
  /** Returns what it gave; it is done once for all who ask meanwhile. Throws `login-failed`; rejects once the signal is aborted. */
  read(request: TargetRequest, signal: AbortSignal): Promise<LoggedIn>;
  /** Forgets what it gave: a server has refused it. */
  refuse(given: LoggedIn): void;
}

/** Returns the values of a log-in that are secret, by name. */
export function secretsOf({ values }: LoggedIn): [name: string, value: string][] {
  return [...values].filter(([name]) => name !== 'expiresIn');
}

/** The settings and the connections with which a log-in is done. */
export interface LogInMeans {
  readonly settings: LogInSettings;
  readonly plan: RequestPlan;
  readonly agent: Agent;
  readonly redactor: Redactor;
  readonly account: RateLimitedAccount;
}

/** Prepares a log-in over HTTP. Nothing is sent before it is needed. */
export function openLogIn(means: LogInMeans): LogIn {
  return keepLogIn(async (request) => {
    const given = await logIn(means, request);
    const isShared = means.settings.per !== 'conversation';
    if (isShared) for (const [name, value] of secretsOf(given)) addArrivedSecret(`before.${name}`, value);
    return given;
  });
}

/** Prepares a log-in by a command that prints a token. Throws `target-invalid`. */
export function openTokenCommand(
  token: NonNullable<LogInSettings['token']>,
  { folder, environment }: Pick<TargetNeeds, 'folder' | 'environment'>,
): LogIn {
  const settings = { ...token, setting: 'before.token', folder, environment };
  const command = openSecretCommand(settings, 'target-invalid');
  const run = async () => {
    const values = new Map([['token', await command.read()]]);
    return { values, cookies: [], until: performance.now() + token.forMs };
  };
  return keepLogIn(run, ({ values }) => command.refuse(values.get('token') ?? ''));
}

/** The time for which a log-in that failed is not tried again, in milliseconds. */
const failureMs = 2000;

function keepLogIn(
  run: (request: TargetRequest) => Promise<LoggedIn>,
  onRefused: (given: LoggedIn) => void = () => {},
): LogIn {
  let given: LoggedIn | undefined;
  let running: Promise<LoggedIn> | undefined;
  let failed: { readonly error: unknown; readonly at: number } | undefined;
  const kept = () => (given !== undefined && performance.now() < given.until ? given : undefined);
  const runOnce = async (request: TargetRequest) => {
    try {
      given = await run(request);
      return given;
    } catch (error) {
      failed = { error, at: performance.now() };
      throw error;
    } finally {
      running = undefined;
    }
  };
  return {
    kept,
    read: async (request, signal) => {
      const known = kept();
      if (known !== undefined) return known;
      // The calls in flight learn of a failure one after the other: they need no log-in each.
      if (failed !== undefined && performance.now() - failed.at < failureMs) throw failed.error;
      running ??= runOnce(request);
      return await raceWithAbort(running, signal);
    },
    refuse: (refused) => {
      onRefused(refused);
      if (given === refused) given = undefined;
    },
  };
}

const timeLimitMs = 30_000;
const mostBytes = 1024 * 1024;
const rules = { maxRetries: 3, maxWaitMs: 60_000, tokens: 0 };

/** Does a log-in, and again after transient failures. Throws `login-failed`, without secrets. */
async function logIn(means: LogInMeans, request: TargetRequest): Promise<LoggedIn> {
  const { plan, account, redactor } = means;
  const sent = plan.build(request);
  try {
    const signal = new AbortController().signal;
    const { value } = await callWithRetries(account, async () => await tryOnce(means, sent), {
      ...rules,
      signal,
    });
    return value;
  } catch (error) {
    if (error instanceof TouchstoneError) throw error;
    const where = redactor.text(`${sent.url.origin}${sent.url.pathname}`);
    throw new TouchstoneError(
      'login-failed',
      `The log-in at ${where} failed: ${redactor.text(messageOf(error)).replace(/^The server/, 'the server')}`,
      {
        remedy: remedyFor(plan),
      },
    );
  }
}

function remedyFor({ variables }: RequestPlan): string {
  const names = [...variables.keys()].join(', ');
  return `Check \`before\`${names === '' ? '' : `, and the value of ${names}`}; no question is asked without it.`;
}

async function tryOnce(
  { agent, redactor, settings }: LogInMeans,
  sent: ReturnType<RequestPlan['build']>,
): Promise<Tried<LoggedIn>> {
  const signal = AbortSignal.timeout(timeLimitMs);
  const sentAt = performance.now();
  let head: Pick<IncomingReply, 'status' | 'headers'> | undefined;
  try {
    const headers = { accept: 'application/json', ...sent.headers };
    const { body, ...rest } = await sendRequest(agent, { ...sent, headers, signal }, mostBytes);
    head = rest;
    const { text } = await readBody(body, rest.headers);
    return { ...head, value: readLogIn({ ...head, text, from: sent.url, sentAt }, settings, redactor) };
  } catch (error) {
    return { ...head, failure: toFailure(error, sent.url, signal) };
  }
}

function toFailure(error: unknown, to: URL, signal: AbortSignal): ModelFailure {
  if (signal.aborted)
    return new ModelFailure('timeout', `it did not answer within ${timeLimitMs / 1000} s.`, {
      retryable: true,
    });
  if (error instanceof TargetFailure) {
    const { code, message, retryable, retryAfterMs } = error;
    return new ModelFailure(code, message, { retryable, retryAfterMs });
  }
  const { code, message, isPermanent } = explainConnectionFault(error, to);
  return new ModelFailure(code, message, { retryable: !isPermanent });
}

/** A reply to a log-in that was read. */
interface LogInReply extends Pick<IncomingReply, 'status' | 'headers'> {
  readonly text: string;
  readonly from: URL;
  readonly sentAt: number;
}

/** Reads what a log-in gave. Throws `TargetFailure` without secrets: of a reply that gave something, only its keys are shown. */
function readLogIn(reply: LogInReply, settings: LogInSettings, redactor: Redactor): LoggedIn {
  const { status, headers, text, from, sentAt } = reply;
  const cookies = [headers['set-cookie'] ?? []].flat();
  // A form that was accepted is often answered with a redirect, which is not followed: it has set the session by then.
  const isRedirect = status >= 300 && status < 400 && cookies.length > 0;
  if (!isRedirect && (status < 200 || status >= 300)) {
    throw statusFailure({ status, headers, text: redactor.text(text) });
  }
  const keep = Object.entries(settings.keep ?? {});
  if (keep.length === 0 && cookies.length === 0) {
    throw invalid(
      `The server answered ${status}, but set no cookie, and \`keep\` names nothing of its reply.`,
    );
  }
  const body = tryParseJson(text);
  const values = new Map(keep.map(([name, at]) => [name, readValue({ name, at }, headers, body)]));
  const seconds = Number(values.get('expiresIn') ?? Infinity);
  if (Number.isNaN(seconds)) throw invalid('The server gave an `expiresIn` that is not a number of seconds.');
  return { values, cookies, from, until: sentAt + Math.max(seconds - marginSeconds, seconds / 2) * 1000 };
}

/** The time before the end of a token at which a new one is asked for, in seconds. */
const marginSeconds = 30;

/** A value to keep of the reply to a log-in. */
interface KeptValue {
  readonly name: string;
  /** A path, or `header:NAME`. */
  readonly at: string;
}

function readValue({ name, at }: KeptValue, headers: IncomingReply['headers'], body: unknown): string {
  const [, header] = /^header:(.+)$/i.exec(at) ?? [];
  const found = header === undefined ? replyPath(at).find(body) : headers[header.toLowerCase()];
  if ((typeof found === 'string' && found !== '') || typeof found === 'number') return String(found);
  const isJson = typeof body === 'object' && body !== null;
  const there = isJson ? `it has the keys ${listKeys(Object.keys(body))}` : 'it is not JSON';
  const where =
    header === undefined
      ? `the reply has no text at \`${at}\` (${there})`
      : `there is no header \`${header}\``;
  throw invalid(`The server accepted it, but ${where}, which \`keep\` names as \`${name}\`.`);
}

function invalid(message: string): TargetFailure {
  return new TargetFailure('invalid-reply', message);
}
