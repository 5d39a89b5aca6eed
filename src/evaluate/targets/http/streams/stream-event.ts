import { isFields } from '../../reply/part.ts';

/** One event of a bot's stream. */
export interface StreamEvent {
  /** The name that the server gave it; `message` without one. */
  readonly name: string;
  readonly data: string;
  /** Its data as JSON; undefined where it is not JSON. */
  readonly value: unknown;
}

/** Returns a text member of an event, such as its `type`; an empty text when it has none. */
export function wordIn({ value }: StreamEvent, member: string): string {
  const word = isFields(value) ? value[member] : undefined;
  return typeof word === 'string' ? word : '';
}
