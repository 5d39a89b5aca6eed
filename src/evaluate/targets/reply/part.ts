import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Message, ReplyFile, ToolCall, WithFiles } from '../../../core/schema/message.ts';

/** The outcome of a tool: its result, or its own error. */
export type Outcome = Pick<ToolCall, 'result' | 'error'>;

/** A file as it was read, or a clause that says why it is not stored. */
export type FileReading =
  | { readonly file: Omit<ReplyFile, 'at'>; readonly problem?: never }
  | { readonly problem: string; readonly file?: never };

/** One piece of a message. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A picture or another file, with the words in its place where it is not stored. */
  | { readonly type: 'file'; readonly mark: string; readonly reading: FileReading }
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'result'; readonly result: ToolResult };

/** The outcome of a tool that is not yet matched with its call. */
export interface ToolResult {
  readonly id?: string;
  readonly name?: string;
  readonly outcome: Outcome;
}

/** A message in Touchstone's shape; a tool's message has its outcome next to its text. */
export type ReadMessage = Message & WithFiles & { readonly outcome?: Outcome };

/** An object of unknown origin. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object and not a list. */
export function isFields(value: unknown): value is Fields {
  return isContainer(value) && !Array.isArray(value);
}

/** Returns a text as it is stored, in well-formed Unicode; undefined for an empty text and for anything else. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
}

/** Returns a JSON value as a text. A text stays as it is. */
export function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
