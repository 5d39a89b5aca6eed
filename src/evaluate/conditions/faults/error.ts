import type { ToolError } from '../../targets/target.ts';
import type { Fault } from './fault.ts';

const failures: readonly ToolError[] = [
  { error: 'Internal server error (HTTP 500).', details: { status: 500 } },
  { error: 'Bad gateway (HTTP 502).', details: { status: 502 } },
  { error: 'Service unavailable (HTTP 503).', details: { status: 503 } },
  { error: 'The connection was reset (ECONNRESET).', details: { code: 'ECONNRESET' } },
];

/** A tool whose server fails in one of the usual ways. */
export const error: Fault = {
  kind: 'error',
  version: 1,
  summary: 'The tool fails: HTTP 500, 502 or 503, or a connection that is reset.',
  fail: ({ name }, random) => {
    const failure = failures[random.integer(failures.length)] as ToolError;
    return { ...failure, error: `${name}: ${failure.error}` };
  },
};
