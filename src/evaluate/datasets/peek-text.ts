/** A text whose beginning has been read already. `all` still yields the whole text, once. */
export interface PeekedText {
  readonly head: string;
  readonly all: AsyncIterable<string>;
  /** Ends the reading of a text that is not used. */
  close(): Promise<void>;
}

/** Reads pieces of a text until `isEnough` is true for the latest piece, or the text ends. */
export async function peekText(
  pieces: AsyncIterable<string>,
  isEnough: (piece: string) => boolean,
): Promise<PeekedText> {
  const iterator = pieces[Symbol.asyncIterator]();
  const read: string[] = [];
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    read.push(next.value);
    if (isEnough(next.value)) break;
  }
  const head = read.join('');
  return {
    head,
    all: replay(head, iterator),
    close: async () => {
      await iterator.return?.();
    },
  };
}

async function* replay(head: string, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    if (head !== '') yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** Returns an `isEnough` for the first line that is not blank, or the first 64 Ki characters of a longer line. */
export function firstLine(limit: number = 65_536): (piece: string) => boolean {
  let isInLine = false;
  let length = 0;
  return (piece) => {
    length += piece.length;
    const start = isInLine ? 0 : piece.search(/\S/);
    isInLine ||= start >= 0;
    return length >= limit || (isInLine && piece.includes('\n', start));
  };
}
