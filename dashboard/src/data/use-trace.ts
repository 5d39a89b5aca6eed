import { describedTraceSchema } from '../../../src/schema/trace/described-trace.ts';
import { useAnswer } from './use-answer.ts';

/** Asks for a stored trace, with the cases made of it. */
export function useTrace(id: string) {
  return useAnswer(`/traces/${encodeURIComponent(id)}`, describedTraceSchema);
}
