import { readRetryAfter, timeOfReply } from '../../../core/lib/time.ts';

/** Response headers in Node's form. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The remainder of an allowance, as a provider reports it. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the allowance is full again. */
  readonly resetMs: number;
}

/**
 * The allowances of an account in a reply's headers, as OpenAI, Azure, Anthropic and OpenRouter write them, or in the
 * plain spelling.
 */
export interface Allowances {
  readonly requests?: Allowance;
  readonly tokens?: Allowance;
}

const spellings: Readonly<Record<keyof Allowances, readonly ((part: string) => string)[]>> = {
  requests: [
    (part) => `x-ratelimit-${part}-requests`,
    (part) => `anthropic-ratelimit-requests-${part}`,
    (part) => `x-ratelimit-${part}`,
    (part) => `ratelimit-${part}`,
  ],
  tokens: [(part) => `x-ratelimit-${part}-tokens`, (part) => `anthropic-ratelimit-tokens-${part}`],
};

/** Reads the remaining allowances of an account from a reply's headers. */
export function readAllowances(headers: Headers, now: number = timeOfReply(headers)): Allowances {
  // Most servers report no limits, so the spellings need not be tried.
  if (!Object.keys(headers).some((name) => name.includes('ratelimit'))) return {};
  const requests = firstAllowance('requests', headers, now);
  const tokens = firstAllowance('tokens', headers, now);
  return { ...(requests && { requests }), ...(tokens && { tokens }) };
}

function firstAllowance(kind: keyof Allowances, headers: Headers, now: number): Allowance | undefined {
  for (const spell of spellings[kind]) {
    const limit = readCount(headers[spell('limit')]);
    const remaining = readCount(headers[spell('remaining')]);
    const resetMs = readReset(headers[spell('reset')]?.toString(), now);
    if (limit !== undefined && remaining !== undefined && resetMs !== undefined) {
      return { limit, remaining, resetMs };
    }
  }
  return undefined;
}

function readCount(header: string | string[] | undefined): number | undefined {
  const text = header?.toString().trim() ?? '';
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/**
 * Reads a reset time in milliseconds from now: `6m0s`, `120ms`, seconds, seconds or milliseconds since 1970, or a date.
 */
function readReset(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  if (/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) {
    const parts = text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g);
    return Array.from(parts, ([, count, unit]) => Number(count) * (unitMs[unit ?? ''] ?? 0)).reduce(
      (sum, part) => sum + part,
      0,
    );
  }
  const count = readCount(text);
  if (count === undefined) return readRetryAfter(text, now);
  if (count > 1e11) return Math.max(0, count - now);
  return count > 1e8 ? Math.max(0, count * 1000 - now) : count * 1000;
}
