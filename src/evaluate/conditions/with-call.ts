import { messageOf } from '../../core/errors.ts';
import { abortedFailure, type PartialReply, type Target, TargetFailure } from '../targets/target.ts';

/**
 * Wraps a target with a different `call`. It is opened and closed with the original target, which is always in the same run.
 */
export function withCall(target: Target, call: Target['call']): Target {
  const { maxConcurrency, takes, takesFrom, takesHint, hasToolsInReach, prepare, beginSession, endSession } =
    target;
  return {
    maxConcurrency,
    takes,
    takesFrom,
    takesHint,
    ...(prepare !== undefined && { prepare: prepare.bind(target) }),
    hasToolsInReach,
    ...(beginSession !== undefined && { beginSession: beginSession.bind(target) }),
    ...(endSession !== undefined && { endSession: endSession.bind(target) }),
    call,
  };
}

/**
 * Converts an error of a call to a failure that records the condition; parts that the target itself reported stay. An
 * aborted call is not a failure of the target, whatever error it throws.
 */
export function withPartial(error: unknown, partial: PartialReply, signal: AbortSignal): TargetFailure {
  const failure = toFailure(error, signal);
  return failure.with({ partial: { ...partial, ...failure.partial } });
}

function toFailure(error: unknown, signal: AbortSignal): TargetFailure {
  if (error instanceof TargetFailure) return error;
  if (signal.aborted) return abortedFailure(signal);
  return new TargetFailure('target-threw', messageOf(error), { cause: error });
}
