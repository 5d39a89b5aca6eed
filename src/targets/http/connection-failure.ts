import { messageOf } from '../../errors.ts';
import { connectionErrorCode, describeConnectionError } from '../../lib/connection-error.ts';
import { TargetFailure } from '../target.ts';

/** The failure for a request to which there was no complete reply. */
export function toConnectionFailure(error: unknown, host: string): TargetFailure {
  const code = connectionErrorCode(error) ?? '';
  if (/^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|ERR_INVALID)/.test(code)) {
    return new TargetFailure('invalid-request', `The request cannot be sent: ${messageOf(error)}`);
  }
  if (isParserError(error) || /^UND_ERR_(HEADERS_OVERFLOW|RES_|REQ_)/.test(code)) {
    return new TargetFailure(
      'invalid-reply',
      `${host} answered with something that is not HTTP: ${messageOf(error)}`,
    );
  }
  return new TargetFailure('connection-failed', `${host}: ${describeConnectionError(error)}`, {
    retryable: !/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code),
  });
}

function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError';
}
