import { isFields } from '../../reply/part.ts';
import { parseJson } from '../../../../core/lib/json/parse-json.ts';
import { codedLine, codedLinesHeader } from './framing.ts';
import { reportedInStream, unreadableEvent } from './stream-faults.ts';
import type { BotAssembler, StreamForm } from './stream-form.ts';
import { createUiMessage, type UiMessage } from './ui-message.ts';

/** The stream of the AI SDK's fourth version: lines of a code, a colon and JSON. */
export const aiSdkV4: StreamForm = {
  name: 'ai-sdk-v4',
  is: ({ data }, headers) => headers[codedLinesHeader] !== undefined || codedLine.test(data),
  endMark: 'a line that begins with `d:`',
  isText: true,
  kinds: { of: ({ data }) => data.slice(0, data.indexOf(':')), known: /^[0-9a-k]$/ },
  assemble: assembleCodedLines,
};

/**
 * Creates an assembler of a stream of the AI SDK's fourth version: lines of a code, a colon and JSON. Texts and thoughts
 * are one part up to the next call of a tool.
 */
function assembleCodedLines(): BotAssembler {
  const message = createUiMessage();
  const state: State = { message, step: 0, isComplete: false };
  return {
    add: (_value, _name, line) => {
      const code = line.slice(0, line.indexOf(':'));
      return readers[code]?.(state, parse(line)) ?? false;
    },
    isOver: () => state.isComplete,
    finish: () => (state.isComplete ? message.whole() : undefined),
    soFar: message.whole,
  };
}

interface State {
  readonly message: UiMessage;
  /** Counts the calls of tools, between which a text is one part. */
  step: number;
  isComplete: boolean;
}

type Reader = (state: State, value: unknown) => boolean;

const addText =
  (type: 'text' | 'reasoning'): Reader =>
  ({ message, step }, value) => {
    message.addText(type, String(step), String(value));
    return value !== '';
  };

const readers: Readonly<Record<string, Reader>> = {
  0: addText('text'),
  g: addText('reasoning'),
  3: (_state, value) => {
    throw reportedInStream(value);
  },
  9: (state, value) => setTool(state, value, (call) => ({ input: call['args'], state: 'input-available' })),
  a: (state, value) =>
    setTool(state, value, (call) => ({ output: call['result'], state: 'output-available' })),
  b: (state, value) => setTool(state, value, () => ({})),
  c: ({ message }, value) => {
    if (isFields(value)) message.addInput(String(value['toolCallId']), String(value['argsTextDelta'] ?? ''));
    return true;
  },
  d: (state, value) => {
    state.isComplete = true;
    if (isFields(value)) state.message.set({ finishReason: value['finishReason'], usage: value['usage'] });
    return false;
  },
  f: ({ message }, value) => {
    if (isFields(value) && value['messageId'] !== undefined) message.set({ id: value['messageId'] });
    return false;
  },
  h: ({ message }, value) => {
    if (isFields(value)) message.addPart({ type: 'source-url', ...value });
    return false;
  },
};

function setTool(
  state: State,
  value: unknown,
  members: (call: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): boolean {
  if (!isFields(value)) return false;
  state.step += 1;
  const { toolCallId, toolName } = value;
  const part = state.message.tool(String(toolCallId));
  Object.assign(part, toolName === undefined ? {} : { toolName }, members(value));
  return true;
}

function parse(line: string): unknown {
  try {
    return parseJson(line.slice(line.indexOf(':') + 1));
  } catch {
    throw unreadableEvent(line, 'ai-sdk-v4');
  }
}
