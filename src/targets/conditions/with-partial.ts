import { messageOf } from '../../errors.ts';
import { type PartialReply, TargetFailure } from '../target.ts';

/** What a call threw, as a failure that tells of the condition it was made under; what the target itself tells stays. */
export function withPartial(error: unknown, partial: PartialReply): TargetFailure {
  const failure =
    error instanceof TargetFailure
      ? error
      : new TargetFailure('target-threw', messageOf(error), { cause: error });
  return failure.with({ partial: { ...partial, ...failure.partial } });
}
