import { describeConnectionError, connectionErrorCode } from '../../lib/connection-error.ts';
import { messageOf } from '../../errors.ts';
import { ModelFailure } from '../model.ts';

/** The failure for a request to which there was no complete reply. */
export function connectionFailure(error: unknown, host: string): ModelFailure {
  const code = connectionErrorCode(error) ?? '';
  if (/^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|ERR_INVALID)/.test(code)) {
    return new ModelFailure('bad-request', `The request cannot be sent: ${messageOf(error)}`);
  }
  const isGarbled = error instanceof Error && error.name === 'HTTPParserError';
  if (isGarbled || /^UND_ERR_(HEADERS_OVERFLOW|RES_|REQ_)/.test(code)) {
    const message = `${host} answered with something that is not HTTP: ${messageOf(error)}`;
    return new ModelFailure('invalid-reply', message, { retryable: true });
  }
  const isPermanent = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ENOTFOUND/.test(code);
  const message = `${host}: ${describeConnectionError(error)}`;
  return new ModelFailure('connection-failed', message, { retryable: !isPermanent });
}
