import type { Fault } from './fault.ts';

/** A tool that refuses the call because there were too many. */
export const rateLimit: Fault = {
  kind: 'rate-limit',
  version: 1,
  summary: 'The tool refuses the call: HTTP 429, too many requests.',
  fail: ({ name }) => ({
    error: `${name}: Too many requests (HTTP 429), try again later.`,
    details: { status: 429 },
  }),
};
