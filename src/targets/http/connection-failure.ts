import { messageOf } from '../../errors.ts';
import { TargetFailure } from '../target.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name server does not answer',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed before the reply was complete',
};

/** Why a connection failed, in words. */
export function describeConnectionError(error: unknown): string {
  const code = codeOf(error);
  const known = code === undefined ? undefined : reasons[code];
  return known === undefined ? messageOf(error) : `${known} (${code})`;
}

/** The failure for a request to which there was no complete reply. */
export function toConnectionFailure(error: unknown, host: string): TargetFailure {
  const code = codeOf(error) ?? '';
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

/** Several addresses may have been tried; then the first one's code stands for all. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause);
}
