import { type Reply, TargetFailure } from '../target.ts';

/** A reply that also holds what the target wrote beside it. */
export function addLogs(reply: Reply, logs: string): Reply {
  const all = [reply.logs, logs].filter(Boolean).join('\n');
  return all === '' ? reply : { ...reply, logs: all };
}

/** A failure that also holds what the target wrote beside the answer it did not give; anything else as it is. */
export function addLogsToFailure(thrown: unknown, logs: string): unknown {
  if (!(thrown instanceof TargetFailure) || logs === '') return thrown;
  return thrown.with({ logs: [thrown.logs, logs].filter(Boolean).join('\n') });
}
