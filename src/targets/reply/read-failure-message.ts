import { readError } from './read-tool-calls.ts';

const statusNames = ['code', 'status', 'statusCode'] as const;

/**
 * The `message` of an object that says beside it that something failed: `error` holds anything, `ok` or `success` is false,
 * `status` is `error`, or a code is that of an HTTP error. Undefined where nothing of that is so.
 */
export function readFailureMessage(value: object): string | undefined {
  const record = value as Readonly<Record<string, unknown>>;
  return saysThatItFailed(record) ? readError(record['message']) : undefined;
}

function saysThatItFailed(record: Readonly<Record<string, unknown>>): boolean {
  const { error, ok, success, status } = record;
  if (Boolean(error) && readError(error) !== undefined) return true;
  if (ok === false || success === false) return true;
  if (typeof status === 'string' && status.toLowerCase() === 'error') return true;
  return statusNames.some((name) => isErrorCode(record[name]));
}

/** Other numbers mean what their server wants them to: 20000 is a success to some. */
function isErrorCode(code: unknown): boolean {
  return typeof code === 'number' && code >= 400 && code < 600;
}
