import type { Json } from '../../../../core/schema/json.ts';
import { type Fields, isFields } from '../../reply/part.ts';
import { reportedInStream } from './stream-faults.ts';
import { wordIn } from './stream-event.ts';
import type { BotAssembler, StreamForm } from './stream-form.ts';

/** The events of Dify that are read, and those that say what the workflow does meanwhile. */
const difyEvents =
  /^(?:message|agent_message|message_replace|message_end|message_file|agent_thought|agent_log|text_chunk|text_replace|tts_message|tts_message_end|(?:workflow|node|iteration|loop|parallel_branch)_\w+|human_input_\w+)$/;

/** The stream of Dify: of chat apps, agents, chatflows and workflows. */
export const dify: StreamForm = {
  name: 'dify',
  is: (event) => wordIn(event, 'event') !== '' && wordIn(event, 'task_id') !== '',
  endMark: '`message_end` or `workflow_finished`',
  kinds: { of: (event) => wordIn(event, 'event'), known: difyEvents },
  assemble: assembleDify,
};

/** Creates an assembler of a stream of Dify: of chat apps, agents, chatflows and workflows. */
function assembleDify(): BotAssembler {
  const state: State = {
    pieces: [],
    length: 0,
    thoughts: new Map(),
    last: {},
    metadata: undefined,
    end: undefined,
  };
  return {
    add: (value) => (isFields(value) ? addEvent(state, value) : false),
    // After `workflow_finished` a chatflow sends `message_end` with the usage; a workflow sends nothing more.
    isOver: () => state.end === 'message',
    finish: () => (state.end === undefined ? undefined : wholeOf(state)),
    soFar: () => wholeOf(state),
  };
}

interface State {
  pieces: string[];
  length: number;
  /** The last state of each thought of an agent, by its id. */
  readonly thoughts: Map<string, Fields>;
  /** The members that each event repeats: the ids of task, message and conversation. */
  last: Record<string, unknown>;
  metadata: unknown;
  outputs?: unknown;
  end: 'message' | 'workflow' | undefined;
}

const repeated = ['task_id', 'id', 'message_id', 'conversation_id', 'mode', 'created_at', 'workflow_run_id'];

function addEvent(state: State, event: Fields): boolean {
  for (const name of repeated) if (event[name] !== undefined) state.last[name] = event[name];
  return readers[String(event['event'])]?.(state, event) ?? false;
}

/**
 * Adds a piece of the answer. Apps with an agent repeat the whole answer in a closing one; two equal pieces at the
 * beginning of any other answer are more likely its words.
 */
function addText(state: State, text: unknown, fewestBefore = 2): boolean {
  if (typeof text !== 'string' || text === '') return false;
  const mayRepeat = text.length === state.length && state.pieces.length >= fewestBefore;
  if (mayRepeat && state.pieces.join('') === text) return false;
  state.pieces.push(text);
  state.length += text.length;
  return true;
}

function replaceText(state: State, text: unknown): boolean {
  state.pieces = [];
  state.length = 0;
  return addText(state, text);
}

const readers: Readonly<Record<string, (state: State, event: Fields) => boolean>> = {
  message: (state, { answer }) => addText(state, answer),
  agent_message: (state, { answer }) => addText(state, answer, 1),
  message_replace: (state, { answer }) => replaceText(state, answer),
  text_chunk: (state, { data }) => addText(state, isFields(data) ? data['text'] : undefined),
  text_replace: (state, { data }) => replaceText(state, isFields(data) ? data['text'] : undefined),
  agent_thought: (state, { id, position, thought, tool, tool_input: input, observation }) => {
    state.thoughts.set(String(id), { id, position, thought, tool, tool_input: input, observation });
    return typeof tool === 'string' && tool !== '';
  },
  message_end: (state, { metadata }) => {
    state.metadata = metadata ?? state.metadata;
    state.end = 'message';
    return false;
  },
  workflow_finished: (state, { data }) => {
    const { status, error, outputs } = isFields(data) ? data : ({} as Fields);
    if (status === 'failed' || status === 'stopped') {
      throw reportedInStream({ message: error ?? `the workflow was ${status}` });
    }
    state.outputs = outputs;
    state.end = 'workflow';
    return false;
  },
  workflow_paused: () => {
    throw reportedInStream({ message: 'the workflow was paused: it waits for a person' });
  },
};

/** Returns the reply that Dify sends with `response_mode: blocking`, with the thoughts of an agent. */
function wholeOf({ pieces, thoughts, last, metadata, outputs }: State): Json {
  const used = [...thoughts.values()].filter(({ tool }) => typeof tool === 'string' && tool !== '');
  const answer = pieces.length === 0 ? textIn(outputs) : pieces.join('');
  return {
    event: 'message',
    ...last,
    answer,
    ...(metadata !== undefined && { metadata }),
    ...(used.length > 0 && { agent_thoughts: used }),
  } as Json;
}

/** Returns the answer in the outputs of a workflow that streamed no text: the only one, or the one with a usual name. */
function textIn(outputs: unknown): string | null {
  if (!isFields(outputs)) return null;
  const texts = Object.entries(outputs).filter(([, value]) => typeof value === 'string');
  const named = texts.find(([name]) => ['answer', 'text', 'output', 'result'].includes(name));
  const [only] = texts.length === 1 ? texts : [];
  return ((named ?? only)?.[1] as string | undefined) ?? null;
}
