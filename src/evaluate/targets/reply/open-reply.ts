import { type Fields, isFields } from './part.ts';
import { readEnvelope } from './read-envelope.ts';
import { readMessages } from './read-messages.ts';
import { replyAliases } from './reply-aliases.ts';

/**
 * Returns the reply that a list is: its only item, a conversation, or several messages with a text each, as over Rasa's REST
 * channel, whose texts are one answer. Undefined for any other list.
 */
export function replyOfList(list: readonly unknown[]): Fields | undefined {
  const items = list.filter(isFields);
  const [only] = items;
  if (only === undefined || items.length < list.length) return undefined;
  if (areMessages(items)) return { messages: items };
  if (items.every((item) => typeof item['text'] === 'string' || item['recipient_id'] !== undefined)) {
    const texts = items.map(({ text }) => text).filter((text) => typeof text === 'string');
    return items.length === 1 ? only : { answer: texts.join('\n') };
  }
  return items.length === 1 && holdsAnswer(openReply(only)) ? only : undefined;
}

function areMessages(items: readonly Fields[]): boolean {
  try {
    return readMessages(items, 'messages').length > 0;
  } catch {
    return false;
  }
}

/** The members in which frameworks and servers put a reply as a whole. */
const holders = ['response', 'output', 'data', 'result', 'body', 'kwargs', 'message'];
const deepest = 4;

/**
 * Returns a reply out of the object that a framework or a server puts around it, with what comes with it:
 * `{ data: { answer } }`, `{ output: { messages } }`. The result of an agent on the command line or of a crew gets the usual name
 * of an answer. Any other reply is returned as it is.
 */
export function openReply(reply: Fields, depth = 0): Fields {
  const named = answerOfKind(reply);
  if (named !== undefined) return { ...reply, answer: named };
  if (depth === deepest || holdsAnswer(reply)) return reply;
  const name = holders.find((each) => isFields(reply[each]));
  const inner = name === undefined ? undefined : (reply[name] as Fields);
  const opened = inner && openReply(inner, depth + 1);
  if (name === undefined || opened === undefined || !holdsAnswer(opened)) return reply;
  const { [name]: _holder, ...beside } = reply;
  return { ...beside, ...opened };
}

function answerOfKind({
  type,
  is_error: isError,
  result,
  raw,
  tasks_output: tasks,
  responses,
}: Fields): string | undefined {
  if (type === 'result' && typeof result === 'string' && isError !== true) return result;
  if (Array.isArray(tasks) && typeof raw === 'string') return raw;
  if (!Array.isArray(responses) || responses.length === 0) return undefined;
  const texts = responses.map((each: unknown) => (isFields(each) ? each['text'] : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}

/** Returns whether a reply has an answer that can be read, an error in its place, or the form of a model's API. */
function holdsAnswer(reply: Fields): boolean {
  const answer = replyAliases.answer.map((name) => reply[name]).find((value) => value !== undefined);
  const isPlain = answer !== undefined && !isFields(answer) && !Array.isArray(answer);
  const hasTranscript = replyAliases.transcript.some((name) => Array.isArray(reply[name]));
  return isPlain || hasTranscript || readEnvelope(reply) !== undefined;
}
