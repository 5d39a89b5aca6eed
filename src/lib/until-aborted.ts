/** The items of a source, up to those that come once the signal is aborted. */
export async function* untilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  for await (const item of source) {
    if (signal.aborted) return;
    yield item;
  }
}
