import { writeSync } from 'node:fs';
import type { PlannedCase, Result } from '../../src/core/schema/result.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { exchange } from '../../src/core/schema/trial.ts';
import { createRandom, type Random } from '../../src/core/stats/random.ts';
import { openPostgresStore } from '../../src/stores/postgres/postgres.ts';
import { isPostgresUrl } from '../../src/stores/postgres/url.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.ts';
import { readRuns, type Store } from '../../src/stores/store.ts';
import { buildCase, buildRun, buildTrial } from '../../src/library/testing/build-records.ts';

/** The number of cases in each run of the writer: two full pages and a part of one. */
export const casesOfRun = 450;

/** Returns the case at a position of every run. */
export function plannedAt(position: number): PlannedCase {
  const testCase = buildCase({ id: `case ${position}`, input: `question ${position}` });
  return { position, hash: position.toString(16).padStart(32, '0'), place: `x:${position}`, case: testCase };
}

/** Returns the result that the writer stores for a trial on its first, second, … attempt. */
export function resultAt(ordinal: number, version: number): Result {
  const planned = plannedAt(ordinal);
  const answer = `answer ${ordinal}, version ${version}, ${'and so on '.repeat(ordinal % 40)}`;
  const trial = buildTrial(answer, {
    key: planned.hash,
    ordinal,
    caseId: planned.case.id,
    caseHash: planned.hash,
    transcript: exchange(planned.case.input, answer, []),
  });
  const value = (ordinal % 7) / 7;
  const explanation = `of version ${version}`;
  const verdicts = { keywords: { status: 'scored', value, explanation } } as const;
  const scorecard = { total: value, lower: value, upper: value, grade: 'C', passed: null, explanation };
  return { case: planned.case, trial, verdicts: { ...verdicts }, scorecard };
}

/** The message of the writer once a promise of the store has resolved. */
export type Acknowledgement =
  | { readonly done: 'cases' | 'finish'; readonly run: string; readonly count: number }
  | {
      readonly done: 'trials' | 'scores';
      readonly run: string;
      readonly ordinals: number[];
      readonly version: number;
    };

/** Writes runs to a store until the process is killed, and reports what is stored as soon as it is. */
async function writeForEver(address: string, seed: number): Promise<void> {
  const store = isPostgresUrl(address) ? openPostgresStore(address) : openSqliteStore(address);
  const random = createRandom(seed);
  const left = (await Array.fromAsync(readRuns(store))).filter(({ status }) => status !== 'completed');
  for (const run of left) await store.updateRun({ ...run, status: 'completed' });
  for (let number = 1; ; number += 1) {
    const run = buildRun({ id: `${seed}-${number}`, attempts: 1 });
    await store.createRun(run);
    await writeRun(run, store, random);
  }
}

async function writeRun(run: Run, store: Store, random: Random): Promise<void> {
  const positions = Array.from({ length: casesOfRun }, (_, position) => position);
  await store.addCases(run.id, positions.map(plannedAt));
  acknowledge({ done: 'cases', run: run.id, count: casesOfRun });
  const versions = new Map<number, number>();
  for (let step = 0; step < 60; step += 1) {
    const first = random.integer(casesOfRun);
    const ordinals = positions.slice(first, first + 1 + random.integer(40)).filter(() => random.next() < 0.7);
    const version = Math.max(0, ...ordinals.map((ordinal) => versions.get(ordinal) ?? 0)) + 1;
    for (const ordinal of ordinals) versions.set(ordinal, version);
    const results = ordinals.map((ordinal) => resultAt(ordinal, version)).reverse();
    await store.addTrials(run.id, results);
    acknowledge({ done: 'trials', run: run.id, ordinals, version });
    if (random.next() < 0.2) continue;
    await store.addScores(run.id, results);
    acknowledge({ done: 'scores', run: run.id, ordinals, version });
  }
  await store.updateRun({ ...run, status: 'completed' });
  acknowledge({ done: 'finish', run: run.id, count: versions.size });
}

function acknowledge(acknowledgement: Acknowledgement): void {
  // Not through a stream: the message must have left the process when this returns.
  writeSync(1, `${JSON.stringify(acknowledgement)}\n`);
}

if (import.meta.main) await writeForEver(process.argv[2] ?? '', Number(process.argv[3]));
