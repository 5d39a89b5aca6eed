import { TouchstoneError } from '../../errors.ts';
import { findUnreachable } from '../../lib/find-unreachable.ts';

/** Throws `model-unreachable` naming host, port and reason when nothing listens where a URL points. */
export async function checkReachable(url: URL): Promise<void> {
  const reason = await findUnreachable(url);
  if (reason !== undefined) throw new TouchstoneError('model-unreachable', reason);
}
