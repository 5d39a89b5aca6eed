import { timeNow } from '../../../core/lib/time.ts';
import type { Case } from '../../../core/schema/case.ts';
import {
  type Message,
  placeOf,
  type Taking,
  untakenKinds,
  wordsOfKinds,
} from '../../../core/schema/message.ts';
import { inputMessages, untakenCode } from '../../../core/schema/trial.ts';
import { TargetFailure } from '../../targets/target.ts';
import type { AskResult } from './ask-target.ts';

/** Returns the pictures and other files of the question of a case; undefined when it has none. */
export function attachmentsOf({ input }: Pick<Case, 'input'>): Message['attachments'] {
  return inputMessages(input).findLast(({ role }) => role === 'user')?.attachments;
}

/** Returns the outcome of a question with pictures or other files that the target does not take, which is not put to it; else undefined. */
export function refuseUntaken(
  messages: readonly Message[],
  name: string,
  target: Taking,
): AskResult | undefined {
  const kinds = untakenKinds(messages, target);
  if (kinds.length === 0) return undefined;
  const where = placeOf(kinds, target);
  const message = `the question has ${wordsOfKinds(kinds)}${where}, which \`${name}\` does not take${where && ' there'}; it was not asked`;
  const failure = new TargetFailure(untakenCode, message);
  return { startedAt: timeNow(), latency: undefined, retries: 0, failure };
}
