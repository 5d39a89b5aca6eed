import { type Fields, isFields } from '../traces/attribute-values.ts';
import { isMessage } from './conversation-row.ts';

/** Columns that say which conversation a message is of, in files that hold one message a row. */
const conversations = [
  'conversation_id',
  'conversationId',
  'session_id',
  'sessionId',
  'thread_id',
  'threadId',
  'chat_id',
];

/** Whether a row is a message, and not an answer with its question or an item of a list of cases. */
export function isMessageRow(value: unknown): value is Fields {
  return (
    isFields(value) &&
    isMessage(value) &&
    !('question' in value) &&
    !('answer' in value) &&
    !('messages' in value)
  );
}

/** The conversation that a message is of; the empty text in a file that is one conversation. */
export function conversationOfMessage(value: Fields): string {
  const id = conversations.map((name) => value[name]).find((name) => name !== undefined && name !== null);
  return id === undefined ? '' : String(id);
}
