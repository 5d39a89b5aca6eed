import { gridTargets, summarizeGrids } from '../../decide/analysis/grid/summarize-grids.ts';
import { weightAttempts } from '../../decide/analysis/attempts.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { RunGrids } from '../../core/schema/api/comparison/grid.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';

/**
 * Reads the grids of a run: cells, effects of the settings, and the cost–quality front. Throws `usage-invalid` for a run
 * without a grid, without a scorecard, or without a summary yet.
 * @param within - The loss in [0, 1] up to which a cheaper cell is as good.
 */
export async function readGrids(run: Run, store: Store, within?: number): Promise<RunGrids> {
  if (gridTargets(run).length === 0) {
    throw new TouchstoneError('usage-invalid', `Run ${run.id} has no grid of settings.`, {
      remedy: 'Give a target of the config a `grid`, such as `{ temperature: [0, 0.7] }` (docs/grid.md).',
    });
  }
  if (run.scorecard === null || run.summary === undefined) {
    const why = run.scorecard === null ? 'has no scorecard' : 'is not finished';
    throw new TouchstoneError('usage-invalid', `Run ${run.id} ${why}, and a grid compares scores.`, {
      remedy:
        run.scorecard === null
          ? 'Score it again with one: `touchstone rescore`.'
          : `Continue it: \`touchstone run --resume ${run.id}\`.`,
    });
  }
  const { targets } = run.summary;
  const outcomes = weightAttempts(run, store.readOutcomes(run.id));
  return await summarizeGrids(run, outcomes, { summaries: targets, within });
}
