/** Yields a list in JSON whose items come one at a time, each on a line. */
export async function* streamList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : '\n]';
}

/** Yields a list as {@link streamList} does, and nothing at all when it has no item. */
export async function* streamItems(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const piece of streamList(items)) if (piece !== '[]') yield piece;
}

/** Yields an object in JSON. A member that is a stream is JSON itself; one that is undefined is skipped. */
export async function* streamObject(members: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',\n';
    if (isStream(member)) yield* member;
    else yield JSON.stringify(member);
  }
  yield before === '{' ? '{}' : '}';
}

/** Yields a value in JSON that is known only once the parts before it are written. */
export async function* streamLater(read: () => unknown): AsyncGenerator<string> {
  yield await Promise.resolve(JSON.stringify(read()));
}

/** Yields values as JSON Lines. */
export async function* streamLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

function isStream(value: unknown): value is AsyncIterable<string> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
