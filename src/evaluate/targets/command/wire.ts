import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { maxReplyBytes } from '../reply/read-text.ts';
import { TargetFailure } from '../target.ts';

interface Written {
  readonly text: string;
  readonly isValidUtf8: boolean;
}

/** A parsed line of a bot's stdout. */
export type WireLine =
  | { readonly type: 'empty' }
  /** `{"ready": true}`: the bot reports that it has started. */
  | { readonly type: 'ready' }
  /** A reply to the question with this id. */
  | (Written & { readonly type: 'reply'; readonly id: string; readonly value: object })
  /** A line that looks like a reply, but cannot be read. `id` is the one found in its text, if any. */
  | (Written & { readonly type: 'broken'; readonly id: string | undefined; readonly reason: string })
  /** Any other line, such as the output of a forgotten `print`. */
  | { readonly type: 'stray'; readonly text: string; readonly reason: string };

/** Parses a line. Never throws. */
export function readWireLine(line: Buffer): WireLine {
  const isValidUtf8 = isUtf8(line);
  const text = line
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  if (text === '') return { type: 'empty' };
  if (!text.startsWith('{')) return { type: 'stray', text, reason: 'that is not a JSON object' };
  let value: { readonly id?: unknown; readonly ready?: unknown };
  try {
    value = parseJson(text);
  } catch (error) {
    return { type: 'broken', id: findId(text), reason: reasonOf(error as Error), text, isValidUtf8 };
  }
  if (typeof value.id === 'string' || typeof value.id === 'number') {
    return { type: 'reply', id: String(value.id), value, text, isValidUtf8 };
  }
  if (value.ready === true) return { type: 'ready' };
  return { type: 'stray', text, reason: 'without the `id` of the question' };
}

/**
 * Returns the message of a JSON error without the excerpt of the text that V8 includes, which may contain a part of a secret.
 */
function reasonOf({ message }: Error): string {
  return message.replace(/, (?:\.\.\.)?".*/s, '');
}

/** Returns the id in the text of a reply that is not JSON, such as one that contains NaN. */
export function findId(text: string): string | undefined {
  const [, quoted, bare] = /"id"\s*:\s*(?:"([^"\\]*)"|(\d+))/.exec(text) ?? [];
  return quoted ?? bare;
}

/** The functions that receive the lines of a stream. */
interface LineListener {
  /** Receives a line, without its line ending. */
  onLine(line: Buffer): void;
  /** Receives the beginning of a line that is too long to be stored. The rest of the line is skipped. */
  onLongLine(head: Buffer): void;
}

/** Creates a function that takes a stream's chunks and passes its lines on. It keeps no more than the longest reply. */
export function createLineSplitter(listener: LineListener): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let isSkipping = false;
  const keep = (part: Buffer) => {
    if (isSkipping || part.length === 0) return;
    parts.push(part);
    length += part.length;
    if (length <= maxReplyBytes) return;
    isSkipping = true;
    listener.onLongLine((parts[0] as Buffer).subarray(0, 1024));
    parts = [];
  };
  const endLine = () => {
    if (!isSkipping) listener.onLine(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
    parts = [];
    length = 0;
    isSkipping = false;
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      endLine();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  };
}

const shownCharacters = 300;

/** Returns the failure for text from a process that is not UTF-8. */
export function invalidUtf8(): TargetFailure {
  return new TargetFailure(
    'invalid-utf8',
    'The process wrote text that is not UTF-8. Make it write UTF-8; for Python, set PYTHONIOENCODING=utf-8.',
  );
}

/** Returns the failure for a reply that begins like JSON but is not valid. The text must be free of secrets. */
export function unreadableReply(text: string, reason: string): TargetFailure {
  return new TargetFailure(
    'invalid-reply',
    `The process wrote a line that is not valid JSON (${reason}): ${shorten(text, shownCharacters)}`,
  );
}

/** Returns the failure for a question whose only reaction was a line that is not a reply. The text must be free of secrets. */
export function strayLine(text: string, reason: string): TargetFailure {
  return new TargetFailure(
    'invalid-reply',
    `The process wrote no reply, only a line ${reason}: ${shorten(text, shownCharacters)}\n` +
      'Write one JSON object a line, such as {"id": …, "answer": …} with the id of the question; ' +
      'anything else belongs on stderr. A program that is started for each question needs `mode: once`.',
  );
}

const maxCharacters = 16 * 1024;

/**
 * The end of a growing text: its last 16 Ki characters, without secrets. Secrets are removed before anything is cut
 * off, as otherwise half of one could remain.
 */
export class RecentText {
  readonly #redact: (text: string) => string;
  #text = '';

  /** @param redact - Removes secrets from a text. */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  append(text: string): void {
    this.#text += text;
    if (this.#text.length > 2 * maxCharacters) this.#text = this.#lastPart();
  }

  get text(): string {
    return this.#lastPart().toWellFormed().trimEnd();
  }

  /** Returns the last lines, for the end of a message; empty when there is no text. */
  lastLines(count: number = 5): string {
    return this.text.split('\n').slice(-count).join('\n').slice(-500).toWellFormed();
  }

  #lastPart(): string {
    // Most processes write nothing, and preparing the search for secrets takes time.
    return this.#text === '' ? '' : this.#redact(this.#text).slice(-maxCharacters);
  }
}
