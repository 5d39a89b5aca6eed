import { readRetryAfter, timeOfReply } from '../../../core/lib/time.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { TargetFailure } from '../target.ts';

/** The parts of a reply that determine the failure of an error status. */
export interface HttpStatus {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body with all secrets removed, so that cutting it cannot leave half of one. */
  readonly text: string;
}

/**
 * Returns the failure for a status that is not a success. Redirects are not followed, because the secrets could reach
 * another server.
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

/** Returns the failure code of a status. A refusal means "not now"; a bad request is the question's fault, not the server's. */
function codeOf(status: number): string {
  if (status === 429) return 'rate-limited';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 503 || status === 529) return 'overloaded';
  return [400, 413, 414, 422, 451].includes(status) ? 'bad-request' : 'http-status';
}
