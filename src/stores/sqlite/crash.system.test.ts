import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../stats/random.ts';
import { type Acknowledgement, casesOfRun, plannedAt, resultAt } from '../../../test/support/store-writer.ts';
import type { Store } from '../store.ts';
import { openSqliteStore } from './sqlite.ts';

const writer = path.resolve(import.meta.dirname, '../../../test/support/store-writer.ts');
/** The number of kills; set `TOUCHSTONE_KILLS=300` for more. */
const kills = Number(process.env['TOUCHSTONE_KILLS'] ?? 10);

/** Starts the writer, kills it a moment after its first acknowledgement, and returns all acknowledgements. */
async function writeAndKill(file: string, seed: number, afterMs: number): Promise<Acknowledgement[]> {
  const child = spawn(process.execPath, [writer, file, `${seed}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: Acknowledgement[] = [];
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    if (said.length === 0) setTimeout(() => child.kill('SIGKILL'), afterMs);
    said.push(JSON.parse(line));
  }
  expect((await closed)[1]).toBe('SIGKILL');
  return said;
}

/** Returns the newest acknowledged version of the trials, or of the scores, of a run, by ordinal. */
function newest(
  said: readonly Acknowledgement[],
  run: string,
  done: 'trials' | 'scores',
): Map<number, number> {
  const versions = new Map<number, number>();
  for (const each of said) {
    if (each.run !== run || each.done !== done) continue;
    for (const ordinal of each.ordinals) versions.set(ordinal, each.version);
  }
  return versions;
}

function versionOf(answer: string | null): number {
  return Number(/version (\d+)/.exec(answer ?? '')?.[1]);
}

/** Checks that every record is as it was written and that every acknowledged record exists. Returns the number of results. */
async function checkRun(store: Store, run: string, said: readonly Acknowledgement[]): Promise<number> {
  const [trials, scores] = [newest(said, run, 'trials'), newest(said, run, 'scores')];
  const cases = await Array.fromAsync(store.readCases(run));
  if (said.some((each) => each.run === run)) expect(cases).toHaveLength(casesOfRun);
  expect(cases).toEqual(cases.map((_, position) => plannedAt(position)));
  const results = await Array.fromAsync(store.readResults(run));
  const kept = new Map(results.map(({ trial }) => [trial.ordinal, versionOf(trial.answer)]));
  expect(Array.from(trials).filter(([ordinal, version]) => !((kept.get(ordinal) ?? 0) >= version))).toEqual(
    [],
  );
  const wrong = results.filter((result) => {
    const { ordinal } = result.trial;
    const version = kept.get(ordinal) as number;
    const whole = resultAt(ordinal, version);
    const isScored = result.scorecard !== null;
    if (scores.get(ordinal) === version && !isScored) return true;
    return !isDeepStrictEqual(result, isScored ? whole : { ...whole, verdicts: {}, scorecard: null });
  });
  expect(wrong).toEqual([]);
  return results.length;
}

test(`a killed writer loses no acknowledged record and leaves no partial one (${kills} kills)`, {
  timeout: kills * 10_000,
}, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'touchstone.db');
  const random = createRandom('kills');
  const everything: Acknowledgement[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const said = await writeAndKill(file, kill, random.next() * 150);
    everything.push(...said);
    const store = openSqliteStore(file);
    for (const run of new Set(said.map((each) => each.run))) await checkRun(store, run, said);
    await store.close();
  }
  const store = openSqliteStore(file);
  const runs = await store.listRuns();
  const counts = await Promise.all(runs.map(({ id }) => checkRun(store, id, everything)));
  expect(counts.reduce((a, b) => a + b, 0)).toBeGreaterThan(0);
  await store.close();
  const database = new DatabaseSync(file);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
});
