import { sizePlanSchema } from '../../../src/core/schema/api/comparison/size-plan.ts';
import { gateViewSchema } from '../../../src/core/schema/api/gate-view.ts';
import { useAnswer, withParameters } from './use-answer.ts';
import { activeStates } from './use-runs.ts';

/** Asks for the decision of a run's gate, again every two seconds while the run is under way. */
export function useGate(run: string) {
  return useAnswer(`/runs/${encodeURIComponent(run)}/gate`, gateViewSchema, {
    refetchMs: (view) => (view !== undefined && activeStates.has(view.state) ? 2_000 : false),
  });
}

/**
 * Asks how many questions it takes to see a difference between a target of a run and another version of it.
 * @param difference - In percentage points.
 */
export function usePlan(run: string, target: string, difference: number) {
  return useAnswer(
    withParameters(`/runs/${encodeURIComponent(run)}/plan`, { target, difference }),
    sizePlanSchema,
  );
}
