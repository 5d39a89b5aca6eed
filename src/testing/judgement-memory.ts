import type { JudgeContext } from '../judges/judge.ts';
import { createJudgementCache } from '../run/scoring/judgement-cache.ts';
import type { Judgement } from '../schema/judgement.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { buildRun } from './build-records.ts';

/** A judgement cache in memory, for tests of judged metrics. */
export interface JudgementMemory {
  /** Returns a context as a new trial gets it. */
  readonly context: (signal?: AbortSignal) => JudgeContext;
  /** The judgements kept so far, in order. */
  readonly kept: Judgement[];
}

/** Creates a judgement cache in a new memory store. */
export async function createJudgementMemory(reuses = true): Promise<JudgementMemory> {
  const store = createMemoryStore();
  const run = buildRun();
  await store.createRun(run);
  const kept: Judgement[] = [];
  const judgements = createJudgementCache(run.id, { store, reuses, onKept: (added) => kept.push(...added) });
  return { kept, context: (signal = new AbortController().signal) => ({ signal, judgements }) };
}
