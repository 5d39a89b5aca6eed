import { z } from 'zod';
import { toolsPreparationSchema, toolsViewSchema } from '../../../src/core/schema/api/tools-view.ts';
import { useAnswer } from './use-answer.ts';

const answerSchema = z.lazy(() => z.union([toolsPreparationSchema, toolsViewSchema]));

/** Asks how the targets of a run used their tools, again while that is being prepared. */
export function useTools(run: string) {
  return useAnswer(`/runs/${encodeURIComponent(run)}/tools`, answerSchema, {
    pollMs: (answer) => answer !== undefined && 'isBeingPrepared' in answer && 1000,
  });
}
