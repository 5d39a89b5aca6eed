import { summarizeRun } from '../../src/evaluate/run/summarize.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { type AskedCase, buildKeptRun } from './build-kept-run.ts';

/** One run of a store for tests: its questions, and any other parts that matter. */
export interface AskedRun {
  readonly cases: readonly AskedCase[];
  readonly parts?: Partial<Run>;
}

/** Builds a store of completed runs, a day apart from 1 January 2026 on, with the ids `run-01`, `run-02`, and so on. */
export async function keepRuns(asked: readonly AskedRun[]): Promise<Store> {
  const kept = createMemoryStore();
  for (const [index, { cases, parts }] of asked.entries()) {
    const id = `run-${String(index + 1).padStart(2, '0')}`;
    const createdAt = new Date(Date.UTC(2026, 0, index + 1)).toISOString();
    const { run, store } = await buildKeptRun(cases, { id, createdAt, ...parts });
    await kept.createRun({ ...run, summary: await summarizeRun(run, store) });
    const results = await Array.fromAsync(store.readResults(run.id));
    await kept.addCases(run.id, await Array.fromAsync(store.readCases(run.id)));
    await kept.addTrials(run.id, results);
    await kept.addScores(run.id, results);
  }
  return kept;
}
