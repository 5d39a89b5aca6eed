import type { Json } from '../../schema/json.ts';
import type { Message, ToolCall } from '../../schema/message.ts';

/** How a use of a tool ended: with a result, with the tool's own error, or with an error that holds more than words. */
export type Outcome = Pick<ToolCall, 'result' | 'error'>;

/** One piece of what a message holds. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'result'; readonly result: ToolResult };

/** What a tool gave back, before it is put to the call that asked for it. */
export interface ToolResult {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly outcome: Outcome;
}

/** A message of the wild in our shape, a tool's message with its outcome beside the words. */
export type ReadMessage = Message & { readonly outcome?: Outcome };

/** An object of unknown origin. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text as it is kept, half characters made whole; undefined for anything else and for an empty one. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
}

/** A JSON value as a text: a text as it is. */
export function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
