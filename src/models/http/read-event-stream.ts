/** One event of a server-sent event stream. */
export interface ServerEvent {
  /** `message` unless the server named it. */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events, however the bytes are cut up (WHATWG HTML §9.2). The last event counts even when the server
 * forgot the blank line after it. Throws `TypeError` for bytes that are not UTF-8.
 */
export async function* readEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = '';
  let data: string[] = [];
  const take = (): ServerEvent[] => {
    const taken = data.length === 0 ? [] : [{ event: event || 'message', data: data.join('\n') }];
    event = '';
    data = [];
    return taken;
  };
  for await (const line of readLines(chunks)) {
    if (line === '') yield* take();
    else if (!line.startsWith(':')) {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      else if (field === 'event') event = value;
    }
  }
  yield* take();
}

/** Lines that end in LF, CRLF or CR; the decoder takes a byte order mark away. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** The pieces of the line that has begun: only what is new is searched for its end. */
  let begun: string[] = [];
  let hasReturn = false;
  for await (const chunk of chunks) {
    const text: string = `${hasReturn ? '\r' : ''}${decoder.decode(chunk, { stream: true })}`;
    // A CR at the very end may be the first half of a CRLF.
    hasReturn = text.endsWith('\r');
    const [piece = '', ...lines] = splitLines(hasReturn ? text.slice(0, -1) : text);
    begun.push(piece);
    const next = lines.pop();
    if (next === undefined) continue;
    yield begun.join('');
    begun = [next];
    yield* lines;
  }
  yield* splitLines(`${begun.join('')}${hasReturn ? '\r' : ''}${decoder.decode()}`);
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
