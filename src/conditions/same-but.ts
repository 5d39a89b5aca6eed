import type { Target } from '../targets/target.ts';

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
