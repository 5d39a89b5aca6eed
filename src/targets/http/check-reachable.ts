import { TouchstoneError } from '../../errors.ts';
import { findUnreachable } from '../../lib/find-unreachable.ts';

/** Throws `target-unreachable` naming host, port and reason when nothing listens where a URL points. */
export async function checkReachable(url: URL): Promise<void> {
  const reason = await findUnreachable(url);
  if (reason !== undefined) throw new TouchstoneError('target-unreachable', reason);
}
