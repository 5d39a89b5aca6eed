import { shorten } from '../../../../core/lib/text/terminal-text.ts';
import { type Fields, isFields } from '../../reply/part.ts';
import { readError } from '../../reply/read-tool-calls.ts';
import { TargetFailure } from '../../target.ts';
import type { StreamEvent } from './stream-event.ts';

/** Returns what an event says went wrong: by its name, by its type, or as its `error`. Undefined for any other event. */
export function errorIn({ name, data, value }: StreamEvent): unknown {
  if (name === 'error') return isFields(value) && isFields(value['error']) ? value['error'] : (value ?? data);
  // The state of a graph may have a member of that name.
  if (!isFields(value) || name === 'values' || name === 'updates') return undefined;
  const { error, type, event, object } = value;
  if ([type, event, object].includes('error')) return isFields(error) ? error : value;
  return readError(error) === undefined ? undefined : withNumbers(error, value);
}

/** Adds the status next to an error to it. */
function withNumbers(error: unknown, { code, status, status_code: statusCode }: Fields): unknown {
  if (!isFields(error)) return { message: error, code, status, status_code: statusCode };
  return { code, status, status_code: statusCode, ...error };
}

/** Returns the failure for an error that came in a stream, after which nothing before it is an answer. */
export function reportedInStream(error: unknown): TargetFailure {
  const message = messageIn(error) ?? 'an error without a message';
  return new TargetFailure(
    'target-reported-error',
    `The target reported in its stream: ${shorten(message, 500)}`,
    {
      retryable: isPassing(error),
    },
  );
}

function messageIn(error: unknown): string | undefined {
  if (!isFields(error)) return readError(error);
  const { message, errorText, error_text: text, detail, reason, error: word } = error;
  const said = [message, errorText, text, detail, reason, word].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return readError(said ?? error);
}

/** Returns whether an error may be over a moment later: it has the status 429 or 5xx, or says that the server is overloaded. */
function isPassing(error: unknown): boolean {
  if (!isFields(error)) return false;
  const { code, status, status_code: statusCode, type } = error;
  const isNumber = [code, status, statusCode]
    .map(Number)
    .some((number) => number === 429 || (number >= 500 && number < 600));
  const words = [code, status, type].filter((word) => typeof word === 'string').join(' ');
  return (
    isNumber || /overloaded|rate_?limit|resource_exhausted|unavailable|server_error|api_error/i.test(words)
  );
}

/** Returns the failure for an event that its form does not allow; `data` is quoted. */
export function unreadableEvent(data: string, form: string): TargetFailure {
  return new TargetFailure(
    'invalid-reply',
    `The stream has the form \`${form}\`, but one of its events is not JSON: ${shorten(data, 300)}. ` +
      'If it is a stream of another form, write `stream: text`, or where its text is: `stream: { text: $.delta }`.',
    { retryable: true },
  );
}
