import { toolsViewSchema } from '../../../src/core/schema/api/tools-view.ts';
import { useAnswer } from './use-answer.ts';

/** Asks how the targets of a run used their tools. */
export function useTools(run: string) {
  return useAnswer(`/runs/${encodeURIComponent(run)}/tools`, toolsViewSchema);
}
