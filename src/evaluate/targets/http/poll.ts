import { z } from 'zod';
import { TouchstoneError } from '../../../core/errors.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { readRetryAfter, timeOfReply } from '../../../core/lib/time.ts';
import { wait } from '../../../core/lib/waiting.ts';
import { isThere, replyPath, replyPathOption } from '../reply/reply-path.ts';
import { type TargetContext, TargetFailure } from '../target.ts';
import type { BotSession, SessionReply, SessionRequest } from './bot-session.ts';
import type { HttpRequest } from './request-plan.ts';
import { type HttpBody, readBody, statusFailure } from './receive-body.ts';

const path = replyPathOption.optional();

/** The option of a target that says how the answer is fetched from a bot that only accepts a question at first. */
export const pollOption = lazily(() =>
  z
    .strictObject({
      url: path.describe(
        'Path of the status address in the reply; by default it is in the header `Operation-Location` or `Location`.',
      ),
      done: path.describe(
        "Path that has something in a status once the answer is there, such as `$[?@=='succeeded']`; by default a status of 200 has it.",
      ),
      failed: path.describe('Path that has something in a status when the bot has failed.'),
      everyMs: z
        .number()
        .min(10)
        .max(600_000)
        .optional()
        .describe(
          'The first pause between two looks in milliseconds, 1000 by default, unless the bot sends `Retry-After`. ' +
            'Each is half as long again as the one before, up to 10 seconds.',
        ),
    })
    .optional()
    .describe(
      'For a bot that accepts a question (202) and names an address at which its status is asked until the answer is there.',
    ),
);

/** The way in which an answer is fetched. */
export type PollSettings = NonNullable<z.output<ReturnType<typeof pollOption>>>;

/** The conversation in which an answer is fetched. */
export interface Polling {
  readonly settings: PollSettings;
  readonly session: BotSession;
  readonly asked: SessionRequest;
  readonly context: TargetContext;
}

/** An answer that was read whole, be it fetched or sent at once. */
export interface FetchedAnswer {
  readonly body: HttpBody;
  /** The last pause before it came, in milliseconds; undefined when it came at once. */
  readonly polled?: number;
  /** The time that log-ins took meanwhile, in milliseconds. */
  readonly loggingInMs: number;
}

const mostLooks = 500;
const longestPauseMs = 10_000;
/** The number of looks in a row that may fail. */
const mostFaults = 5;

/**
 * Fetches the answer of a bot that has accepted a question. Returns undefined, with the body unread, for a reply that is the
 * answer itself. Throws `TargetFailure`; rejects once the signal is aborted.
 */
export async function fetchAnswer(reply: SessionReply, polling: Polling): Promise<FetchedAnswer | undefined> {
  const { settings } = polling;
  const { status, headers } = reply;
  const isAccepted = status === 202 || status === 303;
  const isJson = /[/+]json\b/i.test(String(headers['content-type'] ?? ''));
  const mayName = settings.url !== undefined && status >= 200 && status < 300 && isJson;
  if (!isAccepted && !mayName) return undefined;
  const first = await read(reply, polling);
  const address = findAddress(first, polling);
  if (address === undefined && !isAccepted) return { body: first.body, loggingInMs: 0 };
  if (address === undefined) throw noAddress(settings);
  if (status === 303) return await follow(address, { ...polling, loggingInMs: 0 });
  if (settings.done !== undefined && isDone(first, polling)) return { body: first.body, loggingInMs: 0 };
  return await look(address, first, polling);
}

/** A look at the status of an answer. */
interface Status extends Pick<SessionReply, 'status' | 'headers' | 'url'> {
  readonly body: HttpBody;
  /** The body, if it is JSON. */
  readonly value: unknown;
}

async function read({ body, ...head }: SessionReply, { session }: Polling): Promise<Status> {
  const received = await readBody(body, head.headers);
  const { status, headers } = head;
  const isReadable = (status >= 200 && status < 300) || status === 303;
  if (!isReadable) throw statusFailure({ status, headers, text: session.redactor().text(received.text) });
  return { ...head, body: received, value: tryParseJson(received.text) };
}

/** Asks for the status until the answer is there. */
async function look(address: URL, first: Status, polling: Polling): Promise<FetchedAnswer> {
  const { settings, context } = polling;
  let [faults, loggingInMs] = [0, 0];
  let ownPauseMs = settings.everyMs ?? 1000;
  let retryAfterMs = pauseAskedBy(first.headers);
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const pauseMs = retryAfterMs ?? ownPauseMs;
    await wait(pauseMs, context.signal);
    if (retryAfterMs === undefined)
      ownPauseMs = Math.max(ownPauseMs, Math.min(ownPauseMs * 1.5, longestPauseMs));
    try {
      const seen = await ask(address, polling);
      faults = 0;
      loggingInMs += seen.loggingInMs;
      retryAfterMs = pauseAskedBy(seen.headers);
      if (seen.status === 303) {
        const next = findAddress(seen, polling);
        if (next === undefined) throw noAddress(settings);
        return { ...(await follow(next, { ...polling, loggingInMs })), polled: pauseMs };
      }
      if (isDone(seen, polling)) return { body: seen.body, polled: pauseMs, loggingInMs };
    } catch (error) {
      faults += 1;
      // The question is not asked again for a look that failed: the bot is working on it.
      if (context.signal.aborted || !isPassing(error) || faults >= mostFaults) throw error;
      retryAfterMs = error instanceof TargetFailure ? error.retryAfterMs : undefined;
    }
  }
  throw new TargetFailure(
    'timeout',
    `The bot was asked ${mostLooks} times for its answer, which was not there yet.`,
  );
}

/** Returns whether a look that failed may succeed a moment later. */
function isPassing(error: unknown): boolean {
  if (error instanceof TargetFailure) return error.retryable;
  return !(error instanceof TouchstoneError);
}

/** Sends a request for the status, with the headers of the question, its cookies and its log-in. */
async function ask(address: URL, polling: Polling): Promise<Status & { readonly loggingInMs: number }> {
  const { session, asked, context } = polling;
  const begunAt = performance.now();
  const build = (given: ReadonlyMap<string, string> | undefined) => toGet(asked.build(given), address);
  const reply = await session.send({ request: asked.request, build }, context);
  return { ...(await read(reply, polling)), loggingInMs: reply.sentAt - begunAt };
}

function toGet({ headers, ...rest }: HttpRequest, url: URL): HttpRequest {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('content-'));
  return { ...rest, url, method: 'GET', headers: Object.fromEntries(kept), body: null };
}

/** Reads the answer at the address that a 303 names; it is followed once. */
async function follow(
  address: URL,
  polling: Polling & { readonly loggingInMs: number },
): Promise<FetchedAnswer> {
  const { status, body, loggingInMs } = await ask(address, polling);
  if (status === 303 || status === 202) {
    throw new TargetFailure(
      'invalid-reply',
      `The address that a 303 named answered ${status}; one redirect is followed.`,
    );
  }
  return { body, loggingInMs: polling.loggingInMs + loggingInMs };
}

/** Returns whether the answer is there. Throws `target-reported-error` when the bot has failed, `invalid-reply` for no status. */
function isDone({ status, body, value }: Status, { settings: { done, failed }, session }: Polling): boolean {
  if (failed !== undefined && isThere(replyPath(failed).find(value))) {
    const shown = shorten(session.redactor().text(body.text).replaceAll(/\s+/g, ' ').trim(), 300);
    throw new TargetFailure('target-reported-error', `The bot reported that it failed: ${shown}`);
  }
  if (done === undefined) return status !== 202;
  if (value === undefined && status !== 202) {
    const shown = shorten(session.redactor().text(body.text).trim(), 300);
    throw new TargetFailure(
      'invalid-reply',
      `The status, in which \`${done}\` is looked for, is not JSON: ${shown}`,
    );
  }
  return isThere(replyPath(done).find(value));
}

/** Returns the address that a reply names; undefined when it names none. Throws `invalid-reply` for one elsewhere. */
function findAddress(
  { status, headers, value, url }: Status,
  { settings, session }: Polling,
): URL | undefined {
  const inBody =
    settings.url === undefined || status === 303 ? undefined : replyPath(settings.url).find(value);
  const inHeaders = [headers['operation-location'] ?? headers['location'] ?? []].flat();
  const named = typeof inBody === 'string' && inBody !== '' ? inBody : inHeaders[0];
  // A header of a reply that is no acceptance says where something was made.
  if (named === undefined || (inBody === undefined && status !== 202 && status !== 303)) return undefined;
  const address = URL.canParse(named, url.href) ? new URL(named, url) : undefined;
  if (address?.origin === url.origin) return address;
  const { text } = session.redactor();
  const where = text(address === undefined ? shorten(named, 100) : address.origin);
  throw new TargetFailure(
    'invalid-reply',
    `The bot names a status address at ${where}, and not at its own, ${text(url.origin)}: it was not asked, since keys, tokens and cookies would go there.`,
  );
}

function noAddress({ url }: PollSettings): TargetFailure {
  const inBody =
    url === undefined
      ? 'set `poll: { url: … }` to its path in the reply'
      : `nothing is at \`${url}\`, the path of \`poll.url\``;
  return new TargetFailure(
    'invalid-reply',
    `The bot accepted the question, but named no address for its status: there is no header \`Operation-Location\` or \`Location\`, and ${inBody}.`,
  );
}

function pauseAskedBy(headers: Status['headers']): number | undefined {
  return readRetryAfter(headers['retry-after']?.toString(), timeOfReply(headers));
}
