import { summarizeRun } from '../../src/evaluate/run/summarize.ts';
import { toRunHead } from '../../src/core/schema/api/to-run-head.ts';
import type { GitState } from '../../src/core/schema/git-state.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { type AskedCase, buildKeptRun } from './build-kept-run.ts';

/** The part of a store that trends read. */
export type History = Pick<Store, 'listRuns' | 'readRun' | 'readOutcomes' | 'documents'>;

/** One run of a history: its questions, and any other parts that matter. */
export interface PastRun {
  readonly cases: readonly AskedCase[];
  readonly parts?: Partial<Run>;
}

/**
 * Builds finished runs for tests, a day apart from 1 January 2026 on, each at a commit of its own unless given
 * otherwise.
 */
export async function buildHistory(past: readonly PastRun[]): Promise<History> {
  const runs: Run[] = [];
  const store = createMemoryStore();
  for (const [index, { cases, parts }] of past.entries()) {
    const id = `run-${String(index + 1).padStart(2, '0')}`;
    const createdAt = new Date(Date.UTC(2026, 0, index + 1)).toISOString();
    const { run } = await buildKeptRun(cases, { id, createdAt, git: gitAt(index + 1), ...parts }, store);
    runs.unshift({ ...run, summary: await summarizeRun(run, store) });
  }
  return {
    documents: store.documents,
    listRuns: async () => await Promise.resolve(runs.map(toRunHead)),
    readRun: async (runId) => await Promise.resolve(runs.find(({ id }) => id === runId)),
    readOutcomes: (runId) => store.readOutcomes(runId),
  };
}

/** Returns the git state of the nth commit of a branch `main`. */
export function gitAt(number: number, parts: Partial<GitState> = {}): GitState {
  return {
    commit: number.toString(16).padStart(7, '0').padEnd(40, 'f'),
    branch: 'main',
    dirty: false,
    ...parts,
  };
}
