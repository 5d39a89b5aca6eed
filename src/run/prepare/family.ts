import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';

/** Runs that go on with each other over cases that changed: where one has paid for an answer, no other pays for it again. */
export interface Family {
  /** Goes on with none that is still there. */
  readonly first: Run;
  /** All but the run that was asked about, the newest first. */
  readonly others: readonly Run[];
  /** Those among them that go on with the run, or with one that does. */
  readonly later: readonly Run[];
}

/** Finds the family of a run. Runs whose plan is not complete have no answers and do not belong to it. */
export async function findFamily(run: Run, store: Store): Promise<Family> {
  const runs = (await store.listRuns()).filter(({ id, status }) => id === run.id || status !== 'planning');
  const byId = new Map([...runs, run].map((each) => [each.id, each]));
  const first = lineOf(run, byId).at(-1) as Run;
  const lines = runs.filter(({ id }) => id !== run.id).map((each) => lineOf(each, byId));
  const others = lines.filter((line) => line.at(-1)?.id === first.id);
  const later = others.filter((line) => line.some(({ id }) => id === run.id));
  return {
    first,
    others: others.map(([other]) => other as Run),
    later: later.map(([other]) => other as Run),
  };
}

/** A run, the one that it goes on with, and so on. */
function lineOf(run: Run, runs: ReadonlyMap<string, Run>): Run[] {
  const line = new Set<Run>();
  for (let next: Run | undefined = run; next !== undefined && !line.has(next); ) {
    line.add(next);
    next = runs.get(next.continues ?? '');
  }
  return [...line];
}
