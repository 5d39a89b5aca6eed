import { connect } from 'node:net';
import { TouchstoneError } from '../../errors.ts';
import { describeConnectionError } from './connection-failure.ts';

const timeLimitMs = 5000;

/** Connects to where a URL points and hangs up again. Throws `target-unreachable` naming host, port and reason. */
export async function checkReachable(url: URL): Promise<void> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port, timeout: timeLimitMs });
  socket.once('connect', resolve).once('error', reject);
  socket.once('timeout', () => reject(new Error(`no answer within ${timeLimitMs / 1000} s`)));
  try {
    await promise;
  } catch (error) {
    throw new TouchstoneError(
      'target-unreachable',
      `Nothing can be reached at ${host}:${port}: ${describeConnectionError(error)}.`,
      { cause: error },
    );
  } finally {
    socket.destroy();
  }
}
