import { describedTraceSchema, traceListSchema } from '../../../src/core/schema/trace/described-trace.ts';
import { useAnswer } from './use-answer.ts';

/** Asks for the newest traces. */
export function useTraces() {
  return useAnswer('/traces', traceListSchema, { pollMs: 10_000 });
}

/** Asks for a stored trace, with the cases made of it. */
export function useTrace(id: string) {
  return useAnswer(`/traces/${encodeURIComponent(id)}`, describedTraceSchema);
}
