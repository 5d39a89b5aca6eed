import type { HonoRequest, MiddlewareHandler } from 'hono';
import { TouchstoneError } from '../core/errors.ts';
import { createSecret, isSameSecret } from '../privacy/accounts/secrets.ts';

/** The longest body of a request that brings records, in bytes. */
const longestBody = 4_000_000;

/** The requests per second that are answered, and the most at once after a pause. */
const rate = { perSecond: 200, burst: 400 };

/** Creates the token of programs that send records to a server: 256 random bits. */
export function createIngestToken(): string {
  return `ts_${createSecret()}`;
}

/**
 * Lets only programs with the token through, at a limited rate. Refuses every request of a browser: a token in a page would be
 * known to everybody. Throws `access-denied` and `rate-limited`.
 */
export function guardIngest(
  { token, port }: { readonly token: string; readonly port: number },
  now: () => number = () => performance.now(),
): MiddlewareHandler {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const take = createBucket(now);
  return async ({ req }, next) => {
    if (!hosts.includes(req.header('host') ?? ''))
      throw refusal('This address is not the one that the server was opened with.');
    if (req.header('origin') !== undefined || req.header('sec-fetch-site') !== undefined)
      throw refusal('The request comes from a page; only programs can send records.');
    const sent = /^Bearer (\S+)$/i.exec(req.header('authorization') ?? '')?.[1];
    if (sent === undefined || !isSameSecret(sent, token)) throw refusal('The token is missing or wrong.');
    if (!take()) {
      throw new TouchstoneError('rate-limited', `More than ${rate.perSecond} requests came in a second.`);
    }
    await next();
  };
}

/**
 * Reads the body of a request up to the limit, also when it comes in pieces without a length, as exporters send it. Throws
 * `request-too-large`.
 */
export async function readLimitedBody({ raw }: Pick<HonoRequest, 'raw'>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = Number(raw.headers.get('content-length') ?? 0);
  const refuseLong = () => {
    if (length > longestBody)
      throw new TouchstoneError('request-too-large', `The request has more than ${longestBody} bytes.`);
  };
  refuseLong();
  length = 0;
  for await (const piece of (raw.body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length;
    refuseLong();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Creates a token bucket. The function that it returns takes one token, and returns false when there is none. */
export function createBucket(
  now: () => number,
  { perSecond, burst }: { readonly perSecond: number; readonly burst: number } = rate,
): () => boolean {
  let [tokens, since] = [burst, now()];
  return () => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - since) / 1000) * perSecond);
    since = time;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

function refusal(message: string): TouchstoneError {
  return new TouchstoneError('access-denied', message, {
    remedy: 'Send the token that `touchstone view --ingest` prints: `Authorization: Bearer ts_…`.',
  });
}
