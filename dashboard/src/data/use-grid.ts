import { runGridsSchema } from '../../../src/core/schema/api/comparison/grid.ts';
import { useAnswer } from './use-answer.ts';

/** Asks for the grids of settings of a run. */
export function useGrids(run: string) {
  return useAnswer(`/runs/${encodeURIComponent(run)}/grid`, runGridsSchema);
}
