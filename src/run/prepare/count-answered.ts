import { createHashSet } from '../../lib/hash-set.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { PlannedCase } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';
import type { Evaluation } from '../evaluation.ts';
import { findFamily } from './family.ts';
import { tellApart, trialsOfCase } from './plan.ts';
import { selectCases } from './select-cases.ts';
import { placesOfCases } from './take-over.ts';

const batchSize = 100;

/** How many trials of an evaluation are answered already when a run is gone on with, in whichever run their answers stand. */
export async function countAnswered(evaluation: Evaluation, run: Run, store: Store): Promise<number> {
  const { others } = await findFamily(run, store);
  const sources = await Promise.all(
    [run, ...others].map(async (source) => ({
      source,
      places: await placesOfCases(source, store),
    })),
  );
  let answered = 0;
  for await (const cases of inBatches(plannedCases(evaluation), batchSize)) {
    const keys = new Set<string>();
    for (const { source, places } of sources) {
      const specs = cases.flatMap((planned) => {
        const position = places.get(planned.hash);
        return position === undefined ? [] : trialsOfCase(source, { ...planned, position });
      });
      for (const key of await store.findDone(source.id, specs)) keys.add(key);
    }
    answered += keys.size;
  }
  return answered;
}

/** The cases of an evaluation as a plan would have them, each by the hash that it would have there. */
async function* plannedCases(evaluation: Evaluation): AsyncGenerator<PlannedCase> {
  const contents = createHashSet();
  for await (const { case: testCase, hash } of selectCases(evaluation, () => {})) {
    yield { case: testCase, hash: tellApart(hash, contents), position: 0, place: '' };
  }
}
