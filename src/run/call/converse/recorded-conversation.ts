import type { Case } from '../../../schema/case.ts';
import type { Conversation, Turn } from '../../../schema/conversation.ts';
import type { Message } from '../../../schema/message.ts';
import { historyOf } from './opening.ts';

/**
 * How a conversation went that was had before: a turn begins wherever the user spoke, but for what the case itself tells of
 * an earlier conversation. A turn of the script is known again by its words.
 */
export function recordedConversation(
  transcript: readonly Message[],
  testCase: Pick<Case, 'input' | 'user'>,
): Conversation {
  const earlier = historyOf(testCase).filter(isOfUser).length;
  const places = [...transcript.keys()].filter((place) => isOfUser(transcript[place] as Message));
  const script = testCase.user?.script ?? [];
  let next = 0;
  const turns = places.slice(earlier).map((from): Turn => {
    const said = transcript[from]?.content?.trim();
    const found = script.findIndex(({ say }, index) => index >= next && say.trim() === said);
    if (found === -1) return { from };
    next = found + 1;
    return { from, script: found };
  });
  return { turns, ended: 'recorded' };
}

function isOfUser({ role }: Message): boolean {
  return role === 'user';
}
