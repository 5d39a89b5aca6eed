/** One event of a stream. */
export interface ServerEvent {
  /** The event's name; `message` unless the server gives one. */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events, however the bytes are split (WHATWG HTML §9.2). The last event counts even when the blank
 * line after it is missing, and so does one that is nothing but its name: servers mark an end so. Throws `TypeError` for
 * bytes that are not UTF-8.
 */
export async function* readEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = '';
  let data: string[] = [];
  const take = (): ServerEvent | undefined => {
    const isNothing = data.length === 0 && event === '';
    const taken = isNothing ? undefined : { event: event || 'message', data: data.join('\n') };
    event = '';
    data = [];
    return taken;
  };
  for await (const line of readLines(chunks)) {
    if (line === '') {
      const taken = take();
      if (taken !== undefined) yield taken;
    } else if (!line.startsWith(':')) {
      const [field, value] = splitField(line);
      if (field === 'data') data.push(value);
      else if (field === 'event') event = value;
    }
  }
  const last = take();
  if (last !== undefined) yield last;
}

function splitField(line: string): readonly [field: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)];
}

/** Reads one JSON value a line as an event each, without the empty lines. Throws `TypeError` for bytes that are not UTF-8. */
export async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  for await (const line of readLines(chunks)) {
    if (line.trim() !== '') yield { event: 'message', data: line };
  }
}

/** Yields lines that end in LF, CRLF or CR, without a byte order mark. Throws `TypeError` for bytes that are not UTF-8. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const splitter = createLineSplitter();
  for await (const chunk of chunks) {
    // A loop costs nothing where a chunk ends no line; `yield*` would wait.
    for (const line of splitter.add(chunk)) yield line;
  }
  const last = splitter.end();
  if (last !== '') yield last;
}

/** A splitter of bytes into lines as they come. */
export interface LineSplitter {
  /** Returns the lines that a chunk ends. */
  add(chunk: Uint8Array): string[];
  /** Returns the last line, which no line ending follows. */
  end(): string;
}

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Creates a splitter. No byte of a character of several bytes is a line ending, so what has arrived is decoded up to the
 * last one; a line in a million pieces takes no more memory than in one.
 */
export function createLineSplitter(): LineSplitter {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const begun = createByteList();
  let isFirst = true;
  let wasReturn = false;
  const decode = (bytes: Uint8Array): string => {
    const text = decoder.decode(begun.length === 0 ? bytes : begun.take(bytes));
    const isMarked = isFirst && text.startsWith('\uFEFF');
    isFirst = false;
    return isMarked ? text.slice(1) : text;
  };
  return {
    add: (chunk) => {
      // The LF of a CRLF ends no second line.
      const isHalf = wasReturn && begun.length === 0 && chunk[0] === lineFeed;
      const bytes = isHalf ? chunk.subarray(1) : chunk;
      const end = Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn));
      if (end === -1) {
        begun.add(bytes);
        wasReturn &&= chunk.length === 0;
        return [];
      }
      const lines = splitLines(decode(bytes.subarray(0, end + 1)));
      lines.pop(); // What follows the last line ending is no line yet.
      wasReturn = bytes[end] === carriageReturn;
      begun.add(bytes.subarray(end + 1));
      return lines;
    },
    end: () => decode(new Uint8Array()),
  };
}

function splitLines(text: string): string[] {
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
}

/** Bytes in one piece of memory that grows by doubling. */
function createByteList() {
  let held = new Uint8Array(256);
  const list = {
    length: 0,
    add: (bytes: Uint8Array): void => {
      if (bytes.length === 0) return;
      const length = list.length + bytes.length;
      if (length > held.length) {
        const grown = new Uint8Array(Math.max(length, held.length * 2));
        grown.set(held.subarray(0, list.length));
        held = grown;
      }
      held.set(bytes, list.length);
      list.length = length;
    },
    /** Returns the bytes with more at their end, valid until the next ones are added, and begins again with none. */
    take: (rest: Uint8Array): Uint8Array => {
      list.add(rest);
      const taken = held.subarray(0, list.length);
      list.length = 0;
      return taken;
    },
  };
  return list;
}
