import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { checkTotals } from '../src/decide/analysis/summary/check-totals.ts';
import { judgementSchema } from '../src/core/schema/judgement.ts';
import { resultSchema } from '../src/core/schema/result.ts';
import { type Run, runSchema } from '../src/core/schema/run.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { readRuns, type Store } from '../src/stores/store.ts';

/** The content of a store that was read completely and found intact. */
export interface Audit {
  /** Newest first. */
  readonly runs: readonly Run[];
  /** The answers by run and key of the trial. */
  readonly answers: ReadonlyMap<string, string>;
  /** The ids of all judgements. */
  readonly judgements: ReadonlySet<string>;
}

/**
 * Reads everything in a store as a crash left it, and checks that nothing is broken or partial: no run without its cases, no
 * result that breaks its schema, no totals that differ from the plan.
 */
export async function auditStore(file: string): Promise<Audit> {
  const answers = new Map<string, string>();
  const judgements = new Set<string>();
  if (!existsSync(file)) return { runs: [], answers, judgements };
  const database = new DatabaseSync(file);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
  const store = openSqliteStore(file);
  const runs = await Array.fromAsync(readRuns(store));
  for (const run of runs) {
    expect(runSchema().parse(run)).toEqual(run);
    if (run.status === 'planning') continue;
    for await (const { trial } of readSoundResults(run, store)) {
      answers.set(`${run.id} ${trial.key}`, trial.answer ?? '');
    }
    for await (const judgement of store.readJudgements(run.id))
      judgements.add(judgementSchema.parse(judgement).id);
    checkSums(run);
  }
  await store.close();
  return { runs, answers, judgements };
}

async function* readSoundResults(run: Run, store: Store) {
  expect(await Array.fromAsync(store.readCases(run.id))).toHaveLength(run.dataset.cases);
  const metrics = run.metrics.map(({ name }) => name).toSorted();
  for await (const result of store.readResults(run.id)) {
    expect(resultSchema.parse(result)).toEqual(result);
    expect(result.trial).toMatchObject({
      status: 'completed',
      answer: expect.stringMatching(/^yes, call \d+$/),
    });
    const scored = Object.keys(result.verdicts).toSorted();
    if (scored.length > 0) expect(scored).toEqual(metrics);
    yield result;
  }
}

function checkSums({ summary, status, dataset }: Run): void {
  expect(status).toMatch(summary === undefined ? /^running$/ : /^(completed|interrupted)$/);
  for (const { counts } of summary?.targets ?? []) expect(counts.planned).toBe(dataset.cases);
  expect(checkTotals(summary?.targets ?? [])).toEqual([]);
}
