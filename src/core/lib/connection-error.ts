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

/** Describes why a connection failed. */
export function describeConnectionError(error: unknown): string {
  const code = connectionErrorCode(error);
  const known = code === undefined ? undefined : reasons[code];
  if (known !== undefined) return `${known} (${code})`;
  // `fetch` itself says only that it failed; its cause says why, such as an expired certificate.
  if (error instanceof TypeError && error.cause instanceof Error) return describeConnectionError(error.cause);
  return error instanceof Error ? error.message || error.name : String(error);
}

/**
 * Returns the code of a connection error, from the system or undici. When several addresses were tried, it is the first
 * one's.
 */
export function connectionErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return connectionErrorCode(error instanceof AggregateError ? error.errors[0] : error.cause);
}

const timeLimitMs = 5000;

/**
 * Connects to the host of a URL and closes the connection. Returns a sentence with host, port and reason when it cannot
 * connect.
 */
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
