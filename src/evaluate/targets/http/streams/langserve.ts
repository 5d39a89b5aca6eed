import type { Json } from '../../../../core/schema/json.ts';
import { type Fields, isFields } from '../../reply/part.ts';
import { createMessageChunks, isMessageChunk, type MessageChunks } from './message-chunks.ts';
import type { BotAssembler, StreamForm } from './stream-form.ts';

/** The stream of LangServe, of `/stream` and of `/stream_events`. */
export const langserve: StreamForm = {
  name: 'langserve',
  is: ({ name, value }) => name === 'data' && value !== undefined,
  endMark: '`end`',
  kinds: { of: ({ name }) => name, known: /^(?:metadata|data|end)$/ },
  assemble: assembleLangserve,
};

/**
 * Creates an assembler of a stream of LangServe: the pieces of the output of `/stream`, or the messages of models in
 * the events of `/stream_events`. Its reply is the same as for `/invoke`.
 */
function assembleLangserve(): BotAssembler {
  const output = createSum();
  const models = createModelEvents();
  let metadata: unknown;
  let isComplete = false;
  const whole = (): Json =>
    ({
      output: models.whole() ?? output.whole() ?? null,
      ...(metadata !== undefined && { metadata }),
    }) as Json;
  return {
    add: (value, name) => {
      if (name === 'end') isComplete = true;
      if (name === 'metadata') metadata = value;
      if (name !== 'data') return false;
      return isRunEvent(value) ? models.add(value) : output.add(value);
    },
    isOver: () => isComplete,
    finish: () => (isComplete ? whole() : undefined),
    soFar: whole,
  };
}

function isRunEvent(value: unknown): value is Fields {
  return isFields(value) && typeof value['event'] === 'string' && /^on_\w+$/.test(value['event']);
}

/** Values added up as LangChain adds the pieces of an output. */
interface Sum {
  add(piece: unknown): boolean;
  whole(): unknown;
}

/** Creates a sum: texts and lists are put behind each other, pieces of messages joined, objects added by member. */
function createSum(): Sum {
  let texts: string[] | undefined;
  let message: MessageChunks | undefined;
  const members = new Map<string, Sum>();
  let items: unknown[] | undefined;
  let other: unknown;
  return {
    add: (piece) => {
      if (typeof piece === 'string') {
        (texts ??= []).push(piece);
        return piece !== '';
      }
      if (isMessageChunk(piece)) return (message ??= createMessageChunks()).add(piece);
      if (Array.isArray(piece)) {
        (items ??= []).push(...(piece as unknown[]));
        return piece.length > 0;
      }
      if (!isFields(piece)) {
        other = piece;
        return false;
      }
      let hasText = false;
      for (const [name, value] of Object.entries(piece)) {
        const sum = members.get(name) ?? createSum();
        members.set(name, sum);
        hasText = sum.add(value) || hasText;
      }
      return hasText;
    },
    whole: () => {
      if (message !== undefined) return message.whole();
      if (texts !== undefined) return texts.join('');
      if (items !== undefined) return items;
      if (members.size > 0)
        return Object.fromEntries(Array.from(members, ([name, sum]) => [name, sum.whole()]));
      return other;
    },
  };
}

/** The messages of models and the tools in the events of a run. */
interface ModelEvents {
  add(event: Fields): boolean;
  whole(): unknown;
}

function createModelEvents(): ModelEvents {
  const messages = new Map<string, MessageChunks | Fields>();
  const keyOf = ({ run_id: id }: Fields) => String(id);
  return {
    add: (event) => {
      const data = isFields(event['data']) ? event['data'] : {};
      if (event['event'] === 'on_tool_end') {
        messages.set(keyOf(event), toolMessage(event, data));
        return true;
      }
      const { chunk } = data;
      if (event['event'] !== 'on_chat_model_stream' || !isMessageChunk(chunk)) return false;
      const known = messages.get(keyOf(event));
      const message =
        known === undefined || !('whole' in known) ? createMessageChunks() : (known as MessageChunks);
      messages.set(keyOf(event), message);
      return message.add(chunk);
    },
    whole: () => {
      if (messages.size === 0) return undefined;
      const all = Array.from(messages.values(), (each) =>
        typeof each['whole'] === 'function' ? (each as MessageChunks).whole() : each,
      );
      return { messages: all };
    },
  };
}

function toolMessage(event: Fields, data: Fields): Fields {
  const { output } = data;
  if (isMessageChunk(output)) return output;
  return {
    type: 'tool',
    name: event['name'],
    content: typeof output === 'string' ? output : JSON.stringify(output ?? null),
  };
}
