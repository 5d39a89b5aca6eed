import type { Json } from '../../../../core/schema/json.ts';
import { tryParseJson } from '../../../../core/lib/json/parse-json.ts';
import { getOrCreate } from '../../../../core/lib/objects.ts';

type Part = Record<string, unknown>;

/** A message of the AI SDK's chat interface that is put together from its pieces. */
export interface UiMessage {
  /** Adds a piece of a text or of a thought. Pieces with one id are one part. */
  addText(type: 'text' | 'reasoning', id: string, piece: string): void;
  /** Returns the part of a tool call, which is created where there is none. */
  tool(id: string): Part;
  addPart(part: Part): void;
  /** Adds a piece of the arguments of a call, which are JSON once they are whole. */
  addInput(id: string, piece: string): void;
  /** Adds members of the message besides its parts. */
  set(members: Part): void;
  whole(): Json;
}

/** Creates an empty message. */
export function createUiMessage(): UiMessage {
  const parts: Part[] = [];
  const texts = new Map<string, Part>();
  const tools = new Map<string, Part>();
  const inputs = new Map<string, string>();
  let beside: Part = {};

  const added = (part: Part): Part => {
    parts.push(part);
    return part;
  };

  return {
    addText: (type, id, piece) => {
      const part = getOrCreate(texts, `${type} ${id}`, () => added({ type, text: '' }));
      part['text'] = `${part['text'] as string}${piece}`;
    },
    tool: (id) =>
      getOrCreate(tools, id, () => added({ type: 'dynamic-tool', toolCallId: id, state: 'input-streaming' })),
    addPart: (part) => void added(part),
    addInput: (id, piece) => void inputs.set(id, `${inputs.get(id) ?? ''}${piece}`),
    set: (members) => {
      beside = { ...beside, ...members };
    },
    whole: () => {
      for (const [id, text] of inputs) {
        const part = tools.get(id);
        if (part !== undefined && part['input'] === undefined) part['input'] = readInput(text);
      }
      return { role: 'assistant', parts, ...beside } as Json;
    },
  };
}

/** Parses the arguments of a call; unreadable ones stay a text. */
function readInput(text: string): unknown {
  return tryParseJson(text, text);
}
