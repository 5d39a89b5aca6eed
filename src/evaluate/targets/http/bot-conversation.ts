import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import { replyPath } from '../reply/reply-path.ts';
import type { TargetSession } from '../target.ts';
import type { Received } from './read-http-reply.ts';

/** The name of the placeholder, and of the stored id. */
const memoryName = 'http conversation';

/** Returns the id that the bot gave the conversation in an earlier turn; null before that. */
export function conversationOf({ memory }: TargetSession): string | number | null {
  const id = memory[memoryName];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Keeps the id that a bot gives the conversation in its reply, for its next turns. Returns a note when there is none. */
export function keepConversation(
  session: TargetSession,
  received: Received,
  path: string | undefined,
): string {
  if (path === undefined) return '';
  const id = 'value' in received ? received.conversation : replyPath(path).find(tryParseJson(received.text));
  if (typeof id !== 'string' && typeof id !== 'number')
    return `The reply has nothing at \`${path}\`, the path of \`conversation\`.`;
  session.memory[memoryName] = id;
  return '';
}
