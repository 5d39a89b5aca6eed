import type { StreamAssembler } from '../../../models/http/protocol.ts';
import type { ReplyHeaders } from './framing.ts';
import type { StreamEvent } from './stream-event.ts';

/** An assembler of the stream of a bot. */
export interface BotAssembler extends Omit<StreamAssembler, 'add'> {
  /**
   * Adds one event. Returns true when it contains something that the bot wrote. Throws for a reported error.
   * @param value - Its data as JSON; undefined where it is not JSON.
   */
  add(value: unknown, name: string, data: string): boolean;
  /** Returns the member of the whole reply that is the answer, where the form has no name of its own for it. */
  answerAt?(): string | undefined;
  /** Returns what is to be known about the reading. */
  notes?(): string[];
}

/** A form in which bots stream their answers. */
export interface StreamForm {
  readonly name: string;
  /** Returns whether an event is of this form; missing for a form that is used where no other fits. */
  readonly is?: (event: StreamEvent, headers: ReplyHeaders) => boolean;
  /** The mark without which the stream was broken off, in words; missing where the clean end of the body is one. */
  readonly endMark?: string;
  /** True when its replies have the names of Touchstone itself, so that no path of the target is followed in them. */
  readonly isOwn?: true;
  /** True when events need not be JSON. */
  readonly isText?: true;
  /** The kind of an event, and the kinds that are read or say nothing; others are counted. */
  readonly kinds?: { readonly of: (event: StreamEvent) => string; readonly known: RegExp };
  assemble(): BotAssembler;
}
