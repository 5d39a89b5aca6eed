import { randomUUID } from 'node:crypto';
import { messageOf } from '../../errors.ts';
import type { Message } from '../../schema/message.ts';
import type { TrialSpec } from '../../schema/trial-spec.ts';
import type { Target } from '../../targets/target.ts';
import { type Asked, askTarget } from './ask-target.ts';
import { type CallLimits, withinLimits } from './within-limits.ts';

/** One conversation with a target, from its first question to its end. */
export interface Session {
  /** Puts the next question; `messages` is the whole conversation up to and with it. Never throws. */
  ask(input: string, messages: readonly Message[]): Promise<Asked>;
  /** Tells the target that it is over. What goes wrong with that is for the trial's logs; undefined when nothing does. */
  end(): Promise<string | undefined>;
}

/** Begins a conversation with nothing of any other in it. */
export function openSession(spec: TrialSpec, target: Target, limits: CallLimits): Session {
  const { key, attempt, seed } = spec;
  const { id: caseId, metadata } = spec.case;
  const id = `${key}-${randomUUID().slice(0, 8)}`;
  const memory: Record<string, unknown> = {};
  let turn = 0;
  return {
    ask: (input, messages) => {
      turn += 1;
      const session = { id, turn, memory };
      const ownKey = turn === 1 ? key : `${key}-${turn}`;
      const request = { key: ownKey, caseId, input, messages, session, metadata, attempt, seed };
      return askTarget(request, target, limits);
    },
    end: async () => {
      if (target.endSession === undefined) return undefined;
      try {
        await withinLimits(limits, async () => await target.endSession?.(id));
        return undefined;
      } catch (error) {
        return `The session could not be ended: ${messageOf(error)}`;
      }
    },
  };
}
