import { timeNow } from '../../lib/time-now.ts';
import { dropMiddleSteps, type LimitReason, type LimitStep } from '../../schema/account-record.ts';
import type { LimitChange } from './adaptive-limit.ts';

/** The turns that a limit has taken, in bounded memory: while it grows, only how far is kept. */
export interface LimitHistory {
  readonly steps: readonly LimitStep[];
  /** Records the limit as it is now. `refusal` is what calls were last refused for. */
  note(limit: number, change: LimitChange, refusal: LimitReason): void;
}

/** Starts a history. Its times keep their order even when somebody sets the clock. */
export function createLimitHistory(limit: number): LimitHistory {
  const steps: LimitStep[] = [{ at: timeNow(), limit, reason: 'start' }];
  return {
    steps,
    note: (value, change, refusal) => {
      const last = steps.at(-1) as LimitStep;
      if (last.limit === value) return;
      const step = { at: timeNow(), limit: value, reason: change === 'lowered' ? refusal : change };
      const isMore = step.reason === last.reason && (change === 'growing' || change === 'start');
      if (isMore) steps[steps.length - 1] = step;
      else steps.push(step);
      dropMiddleSteps(steps);
    },
  };
}
