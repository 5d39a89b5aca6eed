import { type Case, questionOf } from '../../../schema/case.ts';
import type { Message } from '../../../schema/message.ts';

type Opening = Pick<Case, 'input' | 'user'>;

/** What the case tells of the conversation before its first turn. */
export function historyOf({ input, user }: Opening): readonly Message[] {
  if (typeof input === 'string') return [];
  const asked = input.findLastIndex(({ role }) => role === 'user');
  return user?.opens === true || asked === -1 ? input : input.slice(0, asked);
}

/** What the user says first; undefined where the user finds their own words. */
export function openingOf(testCase: Opening): string | undefined {
  return testCase.user?.opens === true ? undefined : questionOf(testCase);
}
