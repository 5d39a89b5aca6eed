import type { JudgeContext } from '../judges/judge.ts';
import { createJudgementCache } from '../run/scoring/judgement-cache.ts';
import type { Judgement } from '../schema/judgement.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { buildRun } from './build-records.ts';

/** For tests: a place for judgements, as a run has one, in memory. */
export interface JudgementMemory {
  /** A context like that of a new trial. */
  readonly context: (signal?: AbortSignal) => JudgeContext;
  /** All that was kept, in order. */
  readonly kept: Judgement[];
}

/** Makes a place for judgements that forgets with the process. */
export async function createJudgementMemory(reuses = true): Promise<JudgementMemory> {
  const store = createMemoryStore();
  const run = buildRun();
  await store.createRun(run);
  const kept: Judgement[] = [];
  const judgements = createJudgementCache(run.id, { store, reuses, onKept: (added) => kept.push(...added) });
  return { kept, context: (signal = new AbortController().signal) => ({ signal, judgements }) };
}
