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
  const code = connectionErrorCode(error);
  const known = code === undefined ? undefined : reasons[code];
  if (known !== undefined) return `${known} (${code})`;
  // That it failed is all that `fetch` says itself: a certificate that has expired, say, is the cause.
  if (error instanceof TypeError && error.cause instanceof Error) return describeConnectionError(error.cause);
  return error instanceof Error ? error.message || error.name : String(error);
}

/** The system's or undici's code of a connection error. Of several addresses that were tried, the first one's. */
export function connectionErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return connectionErrorCode(error instanceof AggregateError ? error.errors[0] : error.cause);
}
