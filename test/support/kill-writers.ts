import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { createRandom } from '../../src/core/stats/random.ts';
import type { Store } from '../../src/stores/store.ts';
import { bundleProgram } from './bundle-program.ts';
import { type Acknowledgement, casesOfRun, plannedAt, resultAt } from './store-writer.ts';

/** A store that a writer writes to. */
export interface WrittenStore {
  /** The file or the address, as the writer takes it. */
  readonly address: string;
  open(): Store;
}

/** Starts the writer, kills it a moment after its first acknowledgement, and returns all acknowledgements. */
async function writeAndKill(
  writer: string,
  store: WrittenStore,
  { seed, afterMs }: { readonly seed: number; readonly afterMs: number },
): Promise<Acknowledgement[]> {
  const child = spawn(process.execPath, [writer, store.address, `${seed}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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

/**
 * Kills a writer again and again, and checks after each kill that every acknowledged record is there, and nothing partial.
 * Returns the number of results that are there in the end.
 */
export async function killWriters(written: WrittenStore, kills: number): Promise<number> {
  const writer = await bundleProgram(path.join(import.meta.dirname, 'store-writer.ts'));
  const random = createRandom('kills');
  const everything: Acknowledgement[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const said = await writeAndKill(writer, written, { seed: kill, afterMs: random.next() * 150 });
    everything.push(...said);
    const store = written.open();
    for (const run of new Set(said.map((each) => each.run))) await checkRun(store, run, said);
    await store.close();
  }
  const store = written.open();
  const runs = await store.listRuns();
  const counts = await Promise.all(runs.map(({ id }) => checkRun(store, id, everything)));
  await store.close();
  return counts.reduce((one, other) => one + other, 0);
}
