import { connect } from 'node:net';

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

const timeLimitMs = 5000;

/** Connects to where a URL points and hangs up again. Gives host, port and reason in a sentence when it cannot. */
export async function findUnreachable(url: URL): Promise<string | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port, timeout: timeLimitMs });
  socket.once('connect', resolve).once('error', reject);
  socket.once('timeout', () => reject(new Error(`no answer within ${timeLimitMs / 1000} s`)));
  try {
    await promise;
    return undefined;
  } catch (error) {
    return `Nothing can be reached at ${host}:${port}: ${describeConnectionError(error)}.`;
  } finally {
    socket.destroy();
  }
}
