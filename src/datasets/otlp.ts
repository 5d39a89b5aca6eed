import type { DatasetReader } from './dataset.ts';
import { groupSpans } from './otlp/group-spans.ts';
import { readSpans } from './otlp/read-spans.ts';
import { looksLikeTraces } from './otlp/recognize.ts';

/**
 * Traces of OpenTelemetry as JSON: a row is a trace, or a conversation that several traces are of. Known by what is in the
 * file, whatever its name; read twice, so that only the traces that are not over yet are kept in memory.
 */
export const otlp: DatasetReader = {
  name: 'otlp',
  extensions: [],
  recognizes: looksLikeTraces,
  async *read(source) {
    const items = source.isReadOnce === true ? await Array.fromAsync(readSpans(source)) : undefined;
    for await (const trace of groupSpans(() => items ?? readSpans(source))) {
      const place = trace.spans[0]?.place ?? { file: source.name };
      yield { value: trace, place, locate: () => place };
    }
  },
};
