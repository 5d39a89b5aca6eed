import { runViewSchema } from '../../../src/core/schema/api/run-view.ts';
import { useAnswer } from './use-answer.ts';
import { activeStates } from './use-runs.ts';

/** Asks for a run with its numbers, again every second while it is under way. */
export function useRun(id: string) {
  return useAnswer(`/runs/${encodeURIComponent(id)}`, runViewSchema, {
    refetchMs: (view) => (view !== undefined && activeStates.has(view.state) ? 1_000 : false),
  });
}
