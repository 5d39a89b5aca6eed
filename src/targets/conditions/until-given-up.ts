import { onAbort } from '../../lib/on-abort.ts';
import type { Reply, TargetContext } from '../target.ts';
import { abortedFailure } from '../until-aborted.ts';

/**
 * What a call comes to, or its failure once the signal is aborted, whether or not the target takes notice of it. One that
 * does goes first: it may tell what it had come to. A reply that comes all the same is dropped, and told of.
 */
export async function untilGivenUp(
  work: Promise<Reply>,
  { signal, onLate }: Pick<TargetContext, 'signal' | 'onLate'>,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const callOff = onAbort(signal, () => setImmediate(() => reject(abortedFailure(signal))));
  work.then((reply) => {
    if (signal.aborted) onLate?.();
    else resolve(reply);
  }, reject);
  try {
    return await promise;
  } finally {
    callOff();
  }
}
