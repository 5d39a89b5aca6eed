import { inBatches } from '../../lib/in-batches.ts';
import type { Run } from '../../schema/run.ts';
import { pageSize, type Store } from '../../stores/store.ts';
import { evaluateCard } from './evaluate-card.ts';
import type { LiveScorecard } from '../evaluation.ts';
import { beginRun } from '../prepare/begin-run.ts';
import { createClaimed } from '../prepare/create-claimed.ts';
import { finishRun } from '../summarize.ts';

/**
 * Keeps what another scorecard makes of the verdicts of a run, as a run of its own that shares its trials. Nothing is
 * measured anew: the scorecard rests on the run's own metrics.
 */
export async function keepReweighed(source: Run, scorecard: LiveScorecard, store: Store): Promise<Run> {
  const { metrics, gate } = source;
  const rules = { metrics: [], scorecard, reusesJudgements: true, gate };
  const begun = { ...beginRun({ ...source, rescoredFrom: source.id }, rules), metrics };
  const run: Run = { ...begun, status: 'running' };
  using claims = new DisposableStack();
  claims.defer(await createClaimed(run, store, { trialsOf: source.id }));
  for await (const results of inBatches(store.readResults(source.id), pageSize)) {
    const rescored = results.map((result) => ({
      ...result,
      scorecard: evaluateCard(scorecard, result.verdicts),
    }));
    await store.addScores(run.id, rescored);
  }
  return await finishRun(run, store);
}
