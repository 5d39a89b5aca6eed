import { parseJson } from '../../../../core/lib/json/parse-json.ts';
import { type Fields, isFields } from '../../reply/part.ts';

type Message = Record<string, unknown>;

/** Returns whether a value is a piece of a message of LangChain. */
export function isMessageChunk(value: unknown): value is Fields {
  return isFields(value) && typeof value['type'] === 'string' && 'content' in value;
}

/** The pieces of one message of LangChain, put together. */
export interface MessageChunks {
  /** Adds a piece. Returns true when it says something. */
  add(chunk: Fields): boolean;
  whole(): Message;
}

/** Creates an empty message. */
export function createMessageChunks(): MessageChunks {
  let head: Message = {};
  let text = '';
  let listsCalls = false;
  const blocks: Message[] = [];
  const calls = new Map<number, { id?: unknown; name: string; args: string }>();

  const addBlock = (block: Fields) => {
    const last = blocks.at(-1);
    const isMore =
      last !== undefined &&
      typeof last['text'] === 'string' &&
      typeof block['text'] === 'string' &&
      last['index'] === block['index'];
    if (isMore) last['text'] = `${last['text'] as string}${block['text'] as string}`;
    else blocks.push({ ...block });
  };

  const addCall = ({ index, id, name, args }: Fields, position: number) => {
    const place = typeof index === 'number' ? index : position;
    const call = calls.get(place) ?? { name: '', args: '' };
    calls.set(place, call);
    call.id ??= id ?? undefined;
    call.name += typeof name === 'string' ? name : '';
    call.args += typeof args === 'string' ? args : '';
  };

  return {
    add: (chunk) => {
      const { content, tool_call_chunks: pieces } = chunk;
      head = { ...head, ...withoutEmpty(chunk) };
      listsCalls ||= Array.isArray(chunk['tool_calls']);
      if (typeof content === 'string') text += content;
      const list = Array.isArray(content) ? content.filter(isFields) : [];
      for (const block of list) addBlock(block);
      const called = Array.isArray(pieces) ? pieces.filter(isFields) : [];
      for (const [position, piece] of called.entries()) addCall(piece, position);
      const whole = Array.isArray(chunk['tool_calls']) ? chunk['tool_calls'].length : 0;
      return (typeof content === 'string' && content !== '') || list.length + called.length + whole > 0;
    },
    whole: () => {
      const { tool_call_chunks: _pieces, ...rest } = head;
      const content =
        blocks.length > 0 ? [...(text === '' ? [] : [{ type: 'text', text }]), ...blocks] : text;
      const made = [...calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => toCall(call));
      // An empty list says that there were none.
      const listed = rest['tool_calls'] ?? (listsCalls ? [] : undefined);
      const called = made.length > 0 ? made : listed;
      return { ...rest, content, ...(called !== undefined && { tool_calls: called }) };
    },
  };
}

/** Returns the members that say something: a later piece without usage must not hide the usage of an earlier one. */
function withoutEmpty(chunk: Fields): Message {
  return Object.fromEntries(
    Object.entries(chunk).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function toCall({
  id,
  name,
  args,
}: {
  readonly id?: unknown;
  readonly name: string;
  readonly args: string;
}): Message {
  return { ...(id !== undefined && { id }), name, args: readArguments(args) };
}

function readArguments(text: string): unknown {
  try {
    return text === '' ? {} : parseJson(text);
  } catch {
    return text; // Unreadable arguments stay a text.
  }
}
