import { shorten } from '../../lib/terminal-text.ts';
import { TargetFailure } from '../target.ts';
import { readRetryAfter, timeOfReply } from '../../lib/retry-after.ts';

/** What a status that is not a success is judged by. */
export interface HttpStatus {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body with all secrets removed, so that cutting it cannot leave half of one. */
  readonly text: string;
}

/**
 * The failure for a status that is not a success. Redirects are not followed: another server might be given the
 * secrets.
 */
export function statusFailure({ status, headers, text }: HttpStatus): TargetFailure {
  const location =
    headers['location'] === undefined ? '' : ` to ${String(headers['location'])}; correct \`url\``;
  const excerpt = shorten(text.replaceAll(/\s+/g, ' ').trim(), 300);
  const retryAfterMs = readRetryAfter(headers['retry-after']?.toString(), timeOfReply(headers));
  return new TargetFailure(
    codeOf(status),
    `The server answered ${status}${location}${excerpt === '' ? '' : `: ${excerpt}`}`,
    {
      retryable: status >= 500 || [408, 425, 429].includes(status),
      retryAfterMs,
    },
  );
}

/** A refusal says "not now"; a request that is no good is the question's own fault, and not the server's. */
function codeOf(status: number): string {
  if (status === 429) return 'rate-limited';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 503 || status === 529) return 'overloaded';
  return [400, 413, 414, 422, 451].includes(status) ? 'bad-request' : 'http-status';
}
