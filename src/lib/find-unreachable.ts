import { connect } from 'node:net';
import { describeConnectionError } from './connection-error.ts';

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
