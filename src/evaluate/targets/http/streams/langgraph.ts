import type { Json } from '../../../../core/schema/json.ts';
import { type Fields, isFields } from '../../reply/part.ts';
import { createMessageChunks, isMessageChunk, type MessageChunks } from './message-chunks.ts';
import type { BotAssembler, StreamForm } from './stream-form.ts';

/** The names of the events of a LangGraph server; events of a subgraph have its name behind a `|`. */
const langgraphEvents =
  /^(?:values|updates|messages(?:\/\w+)?|custom|debug|tasks|checkpoints|events)(?:\|.*)?$/;

/** The stream of a LangGraph server. */
export const langgraph: StreamForm = {
  name: 'langgraph',
  is: ({ name, value }) => langgraphEvents.test(name) && value !== undefined,
  kinds: { of: ({ name }) => name, known: new RegExp(`^(?:metadata|end)$|${langgraphEvents.source}`) },
  assemble: assembleLanggraph,
};

/**
 * Creates an assembler of a stream of a LangGraph server. The last state of the whole graph is its reply; without one,
 * the messages put together from their pieces, or the messages of the updates.
 */
function assembleLanggraph(): BotAssembler {
  const pieces = new Map<string, MessageChunks>();
  const complete = new Map<string, Fields>();
  const updated: unknown[] = [];
  let values: Fields | undefined;
  let isOver = false;

  const addPiece = (chunk: Fields): boolean => {
    const id = String(chunk['id'] ?? '');
    const message = pieces.get(id) ?? createMessageChunks();
    pieces.set(id, message);
    return message.add(chunk) && chunk['type'] !== 'human';
  };

  const addMessages = (value: unknown): boolean => {
    const list = [value].flat();
    // A pair of a piece and where it comes from; `messages/partial` and `messages/complete` hold whole messages.
    const [chunk] = list;
    return isMessageChunk(chunk) && addPiece(chunk);
  };

  const keepWhole = (value: unknown): boolean => {
    for (const message of [value].flat()) {
      if (isMessageChunk(message)) complete.set(String(message['id'] ?? complete.size), message);
    }
    return true;
  };

  const whole = (): Json => {
    if (values !== undefined && Array.isArray(values['messages'])) return values as Json;
    const joined = new Map<string, Fields>(Array.from(pieces, ([id, message]) => [id, message.whole()]));
    for (const [id, message] of complete) joined.set(id, message);
    const messages = joined.size > 0 ? [...joined.values()] : updated;
    return { ...values, ...(messages.length > 0 && { messages }) } as Json;
  };

  return {
    add: (value, name) => {
      if (name === 'end') isOver = true;
      if (name === 'values' && isFields(value)) values = value;
      if (name === 'updates' && isFields(value)) updated.push(...messagesIn(value));
      if (/^messages\/(?:partial|complete)$/.test(name)) return keepWhole(value);
      return /^messages(?:\||$)/.test(name) && addMessages(value);
    },
    isOver: () => isOver,
    finish: () => whole(),
    soFar: whole,
  };
}

/** Returns the messages of an update: `{ agent: { messages: [ … ] } }`. */
function messagesIn(update: Fields): unknown[] {
  return Object.values(update).flatMap((node) =>
    isFields(node) && Array.isArray(node['messages']) ? (node['messages'] as unknown[]) : [],
  );
}
