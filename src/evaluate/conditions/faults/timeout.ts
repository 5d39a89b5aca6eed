import type { Fault } from './fault.ts';

/** A call that ends in a time-out error, without taking the time. */
export const timeout: Fault = {
  kind: 'timeout',
  version: 1,
  summary: 'No reply: the call ends with a time-out error, at once.',
  fail: ({ name }) => ({
    error: `${name}: timed out, no response within 30 seconds.`,
    details: { code: 'ETIMEDOUT' },
  }),
};
