import { type Expected, isAnswerEmpty } from '../../../core/schema/expected.ts';
import type { Reply } from '../../targets/target.ts';
import type { AskResult } from './ask-target.ts';

/** Returns whether saying nothing is right: an empty answer is expected, or a refusal. */
export function isSilenceRight(expected: Expected): boolean {
  return isAnswerEmpty(expected) || expected.refusal === true;
}

/**
 * Returns the result of asking where silence is right as an empty answer, unless something is known that prevented the target from
 * saying more. Any other result is returned as it is.
 */
export function acceptSilence(asked: AskResult, isRight: boolean): AskResult {
  const { failure, ...others } = asked;
  if (!isRight || failure?.code !== 'no-answer') return asked;
  const { partial = {}, logs } = failure;
  const reply: Reply = { toolCalls: [], ...partial, ...(logs !== undefined && { logs }), answer: '' };
  return { ...others, reply };
}
