/** Yields the lines of an answer as they come, those of one piece together. Blank lines are left out. */
export async function* readLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let rest = '';
  try {
    for (let isEnd = reader === undefined; !isEnd; ) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      isEnd = done;
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      const whole = lines.filter((line) => line.trim() !== '');
      if (whole.length > 0) yield whole;
    }
  } finally {
    await reader?.cancel();
  }
}
