import { messageOf } from '../errors.ts';
import { type PartialReply, type Target, TargetFailure } from '../targets/target.ts';
import { abortedFailure } from '../targets/until-aborted.ts';

/**
 * A target that is the same as another but for how it is called. It is opened and closed with the other, which is always in
 * the same run.
 */
export function sameBut(target: Target, call: Target['call']): Target {
  const { maxConcurrency, hasToolsInReach, endSession } = target;
  return {
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    ...(hasToolsInReach !== undefined && { hasToolsInReach }),
    ...(endSession !== undefined && { endSession: endSession.bind(target) }),
    call,
  };
}

/**
 * What a call threw, as a failure that tells of the condition it was made under; what the target itself tells stays. That
 * it was stopped, in whatever words, is no failure of its own.
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
