import { hashText } from '../lib/content-hash.ts';
import type { Run } from '../schema/run.ts';
import type { SpanPlace } from './span.ts';

/** More trials than this are a trace each: no tool shows a trace of a million spans. */
const mostInOneTrace = 1000;

/** Where the spans of one part of a run stand. The same record has the same ids, by whatever process and however often it is sent. */
export interface RunPlace extends SpanPlace {
  readonly runId: string;
  /** Whether its trials are traces of their own, linked to it. */
  readonly isApart: boolean;
}

/** The place of a run, or of a part of it that was begun at a time. */
export function placeOfRun({ id, dataset, targets, attempts }: Run, startMs: number): RunPlace {
  return {
    runId: id,
    traceId: hashText(`trace ${id}`),
    spanId: spanIdOf(`run ${id} ${startMs}`),
    isApart: dataset.cases * targets.length * attempts > mostInOneTrace,
  };
}

/** Where the span of a trial stands, and what it belongs to. */
export function placeOfTrial(run: RunPlace, key: string) {
  const spanId = spanIdOf(`trial ${run.runId} ${key}`);
  if (!run.isApart) return { traceId: run.traceId, spanId, parentSpanId: run.spanId };
  return {
    traceId: hashText(`trace ${run.runId} ${key}`),
    spanId,
    link: { traceId: run.traceId, spanId: run.spanId },
  };
}

/** The place of a span within another one, by what nothing else in there is called. */
export function placeWithin({ traceId, spanId }: SpanPlace, name: string) {
  return { traceId, spanId: spanIdOf(`${spanId} ${name}`), parentSpanId: spanId };
}

function spanIdOf(text: string): string {
  return hashText(text).slice(0, 16);
}
