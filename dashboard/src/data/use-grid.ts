import { runGridsSchema } from '../../../src/core/schema/api/comparison/grid.ts';
import { useAnswer, withParameters } from './use-answer.ts';

/**
 * Asks for the grids of settings of a run.
 * @param within - The loss in points up to which a cheaper combination is as good.
 */
export function useGrids(run: string, within: number | undefined) {
  return useAnswer(withParameters(`/runs/${encodeURIComponent(run)}/grid`, { within }), runGridsSchema);
}
