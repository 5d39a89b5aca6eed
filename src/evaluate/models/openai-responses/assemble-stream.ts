import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { StreamAssembler } from '../http/protocol.ts';
import { reportedFailure } from '../http/status-failure.ts';

type Fields = Readonly<Record<string, unknown>>;
type Item = Record<string, unknown>;

/**
 * Creates an assembler of a stream of OpenAI's Responses interface, whose last event holds the whole response.
 * @param failureOf - Makes the failure of an error that the stream reports.
 */
export function assembleStream(
  failureOf: (error: Json) => Error = reportedFailure,
): Pick<Required<StreamAssembler>, 'add' | 'isOver' | 'finish' | 'soFar'> {
  const items = new Map<number, Item>();
  let response: Fields = {};
  let isComplete = false;

  const itemAt = (event: Fields, type: string): Item => {
    const index = typeof event['output_index'] === 'number' ? event['output_index'] : 0;
    const item = items.get(index) ?? { type };
    items.set(index, item);
    return item;
  };

  const readers: Readonly<Record<string, (event: Fields) => boolean>> = {
    'response.output_item.added': (event) => {
      const item = isFields(event['item']) ? event['item'] : {};
      Object.assign(itemAt(event, 'message'), item);
      return item['type'] !== 'message' && item['type'] !== 'reasoning';
    },
    'response.output_item.done': (event) => {
      if (isFields(event['item'])) Object.assign(itemAt(event, 'message'), event['item']);
      return false;
    },
    'response.output_text.delta': (event) =>
      addToPart(itemAt(event, 'message'), event, ['output_text', 'text']),
    'response.refusal.delta': (event) => addToPart(itemAt(event, 'message'), event, ['refusal', 'refusal']),
    'response.reasoning_text.delta': hasDelta,
    'response.reasoning_summary_text.delta': hasDelta,
    'response.function_call_arguments.delta': (event) => addArguments(itemAt(event, 'function_call'), event),
    'response.mcp_call_arguments.delta': (event) => addArguments(itemAt(event, 'mcp_call'), event),
    'response.custom_tool_call_input.delta': hasDelta,
    'response.completed': (event) => end(event),
    'response.incomplete': (event) => end(event),
    'response.failed': (event) => {
      const failed = isFields(event['response']) ? event['response'] : {};
      throw failureOf((failed['error'] ?? { message: 'the response failed' }) as Json);
    },
    // Some servers send errors as events of no name.
    error: (event) => {
      throw failureOf(event as Json);
    },
  };

  const end = (event: Fields): boolean => {
    if (isFields(event['response'])) response = event['response'];
    isComplete = true;
    return false;
  };

  const whole = (): Json => {
    const { output } = response;
    const assembled = [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
    const isGiven = Array.isArray(output) && output.length > 0;
    return { object: 'response', ...response, output: isGiven ? output : assembled };
  };

  return {
    add: (value) => (isFields(value) ? (readers[String(value['type'])]?.(value) ?? false) : false),
    isOver: () => isComplete,
    finish: () => (isComplete ? whole() : undefined),
    soFar: whole,
  };
}

function isFields(value: unknown): value is Fields {
  return isContainer(value) && !Array.isArray(value);
}

function hasDelta({ delta }: Fields): boolean {
  return typeof delta === 'string' && delta !== '';
}

/** Adds a piece to a part of a message. Returns true when it says something. */
function addToPart(
  item: Item,
  event: Fields,
  [type, member]: readonly [type: string, member: string],
): boolean {
  const index = typeof event['content_index'] === 'number' ? event['content_index'] : 0;
  const content = Array.isArray(item['content']) ? (item['content'] as Item[]) : [];
  item['content'] = content;
  while (content.length <= Math.min(index, mostParts)) content.push({ type, [member]: '' });
  const part = content[Math.min(index, mostParts)] as Item;
  part[member] = `${String(part[member] ?? '')}${String(event['delta'] ?? '')}`;
  return hasDelta(event);
}

/** The most parts of one message; a number in an event must not make a list of any length. */
const mostParts = 1000;

function addArguments(item: Item, event: Fields): boolean {
  item['arguments'] = `${String(item['arguments'] ?? '')}${String(event['delta'] ?? '')}`;
  return hasDelta(event);
}
