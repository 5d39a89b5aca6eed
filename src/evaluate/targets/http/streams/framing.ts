import { createLineSplitter } from '../../../../core/lib/network/event-stream.ts';
import { parseJson } from '../../../../core/lib/json/parse-json.ts';
import { type Fields, isFields } from '../../reply/part.ts';

/** The way in which the events of a body are separated; `whole` for a body that is no stream. */
export type Framing = 'events' | 'json-lines' | 'coded-lines' | 'whole';

/** Headers by their names in lower case. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A body of which the beginning was read to find out what it is. */
export interface FramedBody {
  readonly framing: Framing;
  /** All chunks of the body, from its beginning. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The header that the AI SDK sends with a stream of its fourth version. */
export const codedLinesHeader = 'x-vercel-ai-data-stream';

/**
 * Finds out how the events of a body are separated: by its headers, else by its beginning, since servers mislabel.
 * A body that is no stream of a known kind is `whole`.
 * @param knows - Returns whether a bot's JSON lines can be read; a text of such lines may also be an answer.
 */
export async function findFraming(
  chunks: AsyncIterable<Uint8Array>,
  headers: ReplyHeaders,
  knows: (first: Fields) => boolean,
): Promise<FramedBody> {
  const stated = statedFraming(headers);
  if (stated !== undefined) return { framing: stated, chunks };
  const iterator = chunks[Symbol.asyncIterator]();
  const kept: Uint8Array[] = [];
  const guess = createGuess(knows);
  let framing: Framing | undefined;
  while (framing === undefined) {
    const { done, value } = await iterator.next();
    if (done === true) {
      framing = guess.end();
      break;
    }
    kept.push(value);
    framing = guess.add(value);
  }
  return { framing, chunks: resume(kept, iterator) };
}

async function* resume(
  kept: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* kept;
  yield* { [Symbol.asyncIterator]: () => iterator };
}

function statedFraming(headers: ReplyHeaders): Framing | undefined {
  const type = String(headers['content-type'] ?? '');
  if (headers[codedLinesHeader] !== undefined) return 'coded-lines';
  if (/^text\/event-stream\b/i.test(type)) return 'events';
  return /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|stream\+json)\b/i.test(type)
    ? 'json-lines'
    : undefined;
}

/** The bytes with which a stream can begin: a byte order mark, the line endings, `:`, a digit, `a` to `k`, `r` and `{`. */
const beginnings = /^[\u00EF\r\n:0-9a-kr{]$/;

/** Fields of server-sent events, and their comments. */
const eventLine = /^(?:(?:data|event|id|retry)(?::|$)|:)/;
/** A line of the fourth version of the AI SDK, whose values are texts, lists and objects. */
export const codedLine = /^[0-9a-k]:(?=["[{])/;

interface Guess {
  /** Returns what the body is, as soon as that is clear. */
  add(chunk: Uint8Array): Framing | undefined;
  end(): Framing;
}

/** Creates a guess from the lines at the beginning of a body. Each line is looked at once. */
function createGuess(knows: (first: Fields) => boolean): Guess {
  const splitter = createLineSplitter();
  let isBegun = false;
  let hasData = false;
  let firstObject: Fields | undefined;

  const look = (line: string): Framing | undefined => {
    if (firstObject !== undefined) {
      if (line.trim() === '') return undefined;
      return line.startsWith('{') && parseObject(line) !== undefined ? 'json-lines' : 'whole';
    }
    if (line === '') return hasData ? 'events' : undefined;
    if (eventLine.test(line)) {
      hasData ||= line.startsWith('data');
      return undefined;
    }
    if (hasData) return 'whole';
    if (codedLine.test(line) && isJson(line.slice(2))) return 'coded-lines';
    firstObject = line.startsWith('{') ? parseObject(line) : undefined;
    return firstObject !== undefined && knows(firstObject) ? undefined : 'whole';
  };

  const lookAt = (chunk: Uint8Array): Framing | undefined => {
    for (const line of splitter.add(chunk)) {
      const found = look(line);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  return {
    add: (chunk) => {
      const [first] = chunk;
      if (!isBegun && first !== undefined && !beginnings.test(String.fromCharCode(first))) return 'whole';
      isBegun ||= first !== undefined;
      try {
        return lookAt(chunk);
      } catch {
        return 'whole'; // The bytes are in another charset.
      }
    },
    end: () => {
      try {
        const last = splitter.end();
        return (
          (last === '' ? undefined : look(last)) ??
          (hasData && firstObject === undefined ? 'events' : 'whole')
        );
      } catch {
        return 'whole';
      }
    },
  };
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

function parseObject(line: string): Fields | undefined {
  try {
    const value: unknown = parseJson(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
