import { describedTraceSchema, traceListSchema } from '../../../src/core/schema/trace/described-trace.ts';
import { useAnswer, withParameters } from './use-answer.ts';

/** Asks for the newest traces, or those that have a text. */
export function useTraces(text: string | undefined) {
  return useAnswer(withParameters('/traces', { text }), traceListSchema, { pollMs: 10_000 });
}

/** Asks for a stored trace, with the cases made of it. */
export function useTrace(id: string) {
  return useAnswer(`/traces/${encodeURIComponent(id)}`, describedTraceSchema);
}
