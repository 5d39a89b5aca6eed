import {
  connectionErrorCode,
  describeConnectionError,
} from '../../../../core/lib/network/connection-error.ts';
import {
  readEventStream,
  readJsonLines,
  type ServerEvent,
} from '../../../../core/lib/network/event-stream.ts';
import { InflateFault } from '../../../../core/lib/network/inflate.ts';
import { tryParseJson } from '../../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../../core/schema/json.ts';
import { ModelFailure } from '../../../models/model-failure.ts';
import { isFields } from '../../reply/part.ts';
import { answerTooLarge } from '../../reply/read-text.ts';
import { replyPath } from '../../reply/reply-path.ts';
import { abortedFailure, TargetFailure } from '../../target.ts';
import { findForm, isUndecided } from './forms.ts';
import type { FramedBody, ReplyHeaders } from './framing.ts';
import type { StreamEvent } from './stream-event.ts';
import { errorIn, reportedInStream, unreadableEvent } from './stream-faults.ts';
import type { StreamForm } from './stream-form.ts';
import { endNames } from './text.ts';

/** A reply that was streamed, put together. */
export interface StreamedReply {
  /** The whole reply, as the server would have sent it in one piece; a text where the stream was one. */
  readonly value: Json;
  /** The member of the value that is the answer, where the form has no name of its own for it. */
  readonly answerAt?: string;
  /** Milliseconds from sending the request to the first thing that the bot wrote. */
  readonly firstTokenMs?: number;
  readonly notes: readonly string[];
  /** True when the value has the names of Touchstone itself. */
  readonly isOwn?: true;
  /** The id of the conversation that the bot gave. */
  readonly conversation?: unknown;
  /** Why this is no answer: the stream was broken off, or reported an error. The value is then what came before. */
  readonly failure?: TargetFailure;
}

/** The settings with which a stream is read. */
export interface StreamSettings {
  readonly headers: ReplyHeaders;
  /** The form that the target's option names; undefined to recognise it. */
  readonly form: StreamForm | undefined;
  /** The time on the monotonic clock at which the request was sent, in milliseconds. */
  readonly sentAt: number;
  /** The path of the id of the conversation in an event. */
  readonly conversation?: string;
  readonly signal: AbortSignal;
  /** Removes secrets from the data of an event, before anything is quoted. */
  readonly redact: (text: string) => string;
}

/** Reads a stream up to the event that ends it, or to its end. Never throws: a failure is part of the result. */
export async function readStream(body: FramedBody, settings: StreamSettings): Promise<StreamedReply> {
  const reader = createReader(settings);
  try {
    const read = body.framing === 'events' ? readEventStream : readJsonLines;
    for await (const event of read(body.chunks)) {
      reader.add(event);
      if (reader.isOver()) break;
    }
    return reader.finish();
  } catch (error) {
    return reader.failWith(toFailure(error, reader.describe(), settings.signal));
  }
}

/** Returns why a stream is no answer. */
function toFailure(error: unknown, form: string, signal: AbortSignal): TargetFailure {
  if (signal.aborted) return abortedFailure(signal);
  if (error instanceof TargetFailure) return error;
  if (error instanceof InflateFault && error.isTooLarge) return answerTooLarge();
  if (error instanceof ModelFailure) return fromModel(error);
  if (error instanceof RangeError) {
    return new TargetFailure('invalid-reply', `${form} has an event that is nested too deeply.`);
  }
  if (connectionErrorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new TargetFailure('invalid-utf8', 'The stream is not valid UTF-8 text.');
  }
  const message = `${form} was broken off: ${describeConnectionError(error)}.`;
  return new TargetFailure('stream-broken', message, { retryable: true, cause: error });
}

function fromModel({ code, message, retryable }: ModelFailure): TargetFailure {
  const isInvalid = code === 'invalid-reply';
  return new TargetFailure(isInvalid ? code : 'target-reported-error', message, { retryable });
}

/** A reader of the events of one stream. */
interface Reader {
  add(event: ServerEvent): void;
  isOver(): boolean;
  /** Returns the reply at the clean end of the stream. */
  finish(): StreamedReply;
  failWith(failure: TargetFailure): StreamedReply;
  /** Returns how the stream is called in a message. */
  describe(): string;
}

const endOfStream = '[DONE]';

function createReader(settings: StreamSettings): Reader {
  const { headers, form: chosen, sentAt, redact } = settings;
  /** Events before the one that shows the form. */
  const undecided: StreamEvent[] = [];
  const ignored = new Map<string, number>();
  let form = chosen;
  let assembler = chosen?.assemble();
  let firstTokenMs: number | undefined;
  let isEnded = false;
  let conversation: unknown;

  const addTo = (event: StreamEvent) => {
    if (form === undefined || assembler === undefined) return;
    const isUnreadable = event.value === undefined && event.data !== '' && form.isText !== true;
    if (isUnreadable) throw unreadableEvent(event.data, form.name);
    const kind = form.kinds?.of(event);
    if (kind !== undefined && form.kinds?.known.test(kind) === false) {
      ignored.set(kind, (ignored.get(kind) ?? 0) + 1);
    }
    if (assembler.add(event.value, event.name, event.data)) {
      firstTokenMs ??= Math.round((performance.now() - sentAt) * 1000) / 1000;
    }
  };

  const decide = (event: StreamEvent) => {
    form = findForm(event, headers);
    assembler = form.assemble();
    // What comes before the pieces of a plain text is no part of it.
    for (const each of undecided.splice(0)) if (isFields(event.value) && each.data !== '') addTo(each);
  };

  const result = (value: Json): StreamedReply => ({
    value,
    answerAt: assembler?.answerAt?.(),
    firstTokenMs,
    notes: [...(assembler?.notes?.() ?? []), ...noteOn(ignored)],
    ...(form?.isOwn === true && { isOwn: true }),
    conversation,
  });

  const reader: Reader = {
    add: ({ event: name, data: received }) => {
      const data = redact(received);
      if (data.trim() === endOfStream) {
        isEnded = true;
        return;
      }
      const event: StreamEvent = { name, data, value: parse(data, form) };
      if (settings.conversation !== undefined) {
        // The id may also be a secret, such as the value of a cookie: what is sent back must not be redacted.
        const whole = data === received ? event.value : parse(received, form);
        conversation = replyPath(settings.conversation).find(whole) ?? conversation;
      }
      if (isPing(event)) return;
      const error = errorIn(event);
      if (error !== undefined) throw reportedInStream(error);
      if (assembler === undefined) {
        if (data === '' || isUndecided(event, headers)) return void undecided.push(event);
        decide(event);
      }
      addTo(event);
    },
    isOver: () => isEnded || assembler?.isOver?.() === true,
    finish: () => {
      if (assembler === undefined) {
        const isProper = isEnded || undecided.some(({ name }) => endNames.has(name));
        const failure = broken('The stream ended before the bot wrote anything.');
        return { ...result(null), ...(!isProper && { failure }) };
      }
      const reply = assembler.finish() ?? (isEnded ? assembler.soFar() : undefined);
      if (reply !== undefined) return result(reply);
      const message = `${reader.describe()} ended before the answer was complete: ${form?.endMark} never came.`;
      return reader.failWith(broken(message));
    },
    failWith: (failure) => {
      // A form's own mark of its end came before the connection was lost.
      const reply = failure.code === 'stream-broken' && form?.endMark ? assembler?.finish() : undefined;
      if (reply !== undefined) return result(reply);
      return { ...result(assembler?.soFar() ?? null), failure };
    },
    describe: () => (form === undefined ? 'The stream' : `The stream (form \`${form.name}\`)`),
  };
  return reader;
}

function broken(message: string): TargetFailure {
  return new TargetFailure('stream-broken', message, { retryable: true });
}

/** Returns whether an event only keeps the connection open. */
function isPing({ name, value }: StreamEvent): boolean {
  if (name === 'ping' || name === 'heartbeat' || name === 'keepalive') return true;
  const { type, event } = Object(value) as { readonly type?: unknown; readonly event?: unknown };
  return type === 'ping' || event === 'ping';
}

function noteOn(ignored: ReadonlyMap<string, number>): string[] {
  const shown = [...ignored].slice(0, 10).map(([kind, count]) => `${kind || 'without a type'} (${count})`);
  return shown.length === 0 ? [] : [`Events of the stream that nothing reads: ${shown.join(', ')}.`];
}

/** Parses the data of an event. Most pieces of a plain text are no JSON, and an exception for each would take long. */
function parse(data: string, form: StreamForm | undefined): unknown {
  if (form?.isText === true && !/^\s*[{[]/.test(data)) return undefined;
  return tryParseJson(data);
}
