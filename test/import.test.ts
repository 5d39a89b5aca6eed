import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { createLocalExecutor } from '../src/evaluate/executors/local.ts';
import { exportRun } from '../src/evaluate/run/record/archive.ts';
import { run } from '../src/evaluate/run/run.ts';
import { neverStopped } from '../src/evaluate/run/run-needs.ts';
import type { Run } from '../src/core/schema/run.ts';
import { createRandom } from '../src/core/stats/random.ts';
import { createMemoryStore } from './support/memory-store.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { readRuns, type Store } from '../src/stores/store.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from './support/build-evaluation.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

/** `TOUCHSTONE_KILLS=100` kills more often; `TOUCHSTONE_KILL_SEED` draws the same moments again. */
const kills = Number(process.env['TOUCHSTONE_KILLS'] ?? 5);
const seed = process.env['TOUCHSTONE_KILL_SEED'] ?? String(Date.now());
/** Six batches of rows and more, so that most moments fall into the import. */
const cases = 1500;

let cwd = '';
let exported: { id: string; text: string };
beforeAll(async () => {
  cwd = await temporaryFolder();
  const store = createMemoryStore();
  const bot = buildTarget(({ caseId }) => `yes, ${caseId} ${'it is so. '.repeat(20)}`);
  const drafts = Array.from({ length: cases }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    expected: { keywords: ['yes', 'never'] },
  }));
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  const finished = await run(buildEvaluation(drafts, [resolvedTarget('bot', bot)]), needs);
  exported = { id: finished.id, text: (await Array.fromAsync(exportRun(finished, store))).join('') };
  await writeFile(path.join(cwd, 'run.jsonl'), exported.text);
}, 120_000);

/** Does something with the store in a folder, and closes it. */
async function withStore<Value>(folder: string, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = openSqliteStore(path.join(cwd, folder, 'touchstone.db'));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Returns the runs in a store: complete ones and remains of others. */
async function listed(folder: string): Promise<Run[]> {
  return await withStore(folder, async (store) => await Array.fromAsync(readRuns(store)));
}

/** Imports the file and ends the process after a number of milliseconds. */
async function importAndEnd(folder: string, afterMs: number, signal: NodeJS.Signals) {
  return await touchstone(['import', 'run.jsonl', '--store', folder], {
    cwd,
    onStarted: async (child) => {
      await wait(afterMs);
      child.kill(signal);
    },
  });
}

async function bytesIn(folder: string): Promise<string> {
  return await withStore(folder, async (store) => {
    const kept = (await store.readRun(exported.id)) as Run;
    return (await Array.fromAsync(exportRun(kept, store))).join('');
  });
}

/** Returns the size of all files in a folder; 0 when there is no folder. */
function bytesOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const sizes = readdirSync(folder).map(
    (file) => statSync(path.join(folder, file), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

test.skipIf(!isReleaseTested)(
  `an import killed at ${kills} random moments is complete or absent, and can be repeated (needs TOUCHSTONE_TEST_ALL=1)`,
  async () => {
    const random = createRandom(seed);
    const startedAt = performance.now();
    expect((await touchstone(['import', 'run.jsonl', '--store', 'whole'], { cwd })).code).toBe(0);
    const wholeMs = performance.now() - startedAt;
    const rounds: string[] = [];
    let killed = 0;
    for (let round = 0; round < kills; round += 1) {
      const folder = `store-${round % 3}`;
      const afterMs = random.next() * wholeMs * 1.1;
      const { code } = await importAndEnd(folder, afterMs, 'SIGKILL');
      const runs = await listed(folder);
      const words = `seed ${seed}, round ${round}, ${afterMs} ms: ${runs.map(({ status }) => status).join()}`;
      rounds.push(words);
      if (code === null) killed += 1;
      for (const kept of runs) {
        const isWhole = kept.status === 'completed';
        expect([words, kept.summary !== undefined, kept.isImporting === true]).toEqual([
          words,
          isWhole,
          !isWhole,
        ]);
      }
      const again = await touchstone(['import', 'run.jsonl', '--store', folder], { cwd });
      const wasWhole = runs.some(({ status }) => status === 'completed');
      expect([words, again.code]).toEqual([words, wasWhole ? 4 : 0]);
      expect((await bytesIn(folder)) === exported.text).toBe(true);
      expect((await listed(folder)).map(({ status }) => status)).toEqual(['completed']);
      await withStore(folder, async (store) => await store.deleteRun(exported.id));
    }
    expect([rounds, killed]).not.toEqual([rounds, 0]);
  },
  600_000,
);

test.each(['SIGINT', 'SIGTERM'] as const)(
  'an import stopped by %s leaves nothing and exits with 130',
  async (signal) => {
    const folder = `stopped-${signal}`;
    const { code, stderr } = await touchstone(['import', '-', '--store', folder], {
      cwd,
      input: exported.text.slice(0, exported.text.length / 2),
      isInputOpen: true,
      onStarted: async (child) => {
        // An empty store is half as large: by then the import writes, and it has listened to signals before that.
        while (bytesOf(path.join(cwd, folder)) < 950_000) await wait(10);
        child.kill(signal);
      },
    });
    expect(stderr).toContain('The import was stopped, and nothing of the run is stored.');
    expect(code).toBe(130);
    expect(await listed(folder)).toEqual([]);
    expect((await touchstone(['import', 'run.jsonl', '--store', folder], { cwd })).code).toBe(0);
  },
  60_000,
);

test('runs of another tool are listed, traced and exported by the time of their answers, whenever they were imported', async () => {
  const folder = await temporaryFolder();
  const logOf = (created: string, score: number) => ({
    version: 2,
    status: 'success',
    eval: { task: 'prices', model: 'bot', created, dataset: {}, config: {} },
    samples: Array.from({ length: 4 }, (_, index) => ({
      id: index,
      epoch: 1,
      input: `q${index}`,
      target: 'a',
      messages: [],
      output: { completion: 'a', choices: [] },
      scores: { match: { value: score } },
    })),
  });
  await writeFile(path.join(folder, 'late.json'), JSON.stringify(logOf('2026-03-04T10:00:00+00:00', 1)));
  await writeFile(path.join(folder, 'early.json'), JSON.stringify(logOf('2025-02-03T10:00:00+00:00', 0)));
  const inFolder = async (...args: string[]) =>
    await touchstone([...args, '--store', 'kept'], { cwd: folder });
  for (const name of ['late', 'early']) await inFolder('import', `${name}.json`, '--to', name);
  const heads = JSON.parse((await inFolder('runs', '--json')).stdout) as { id: string; createdAt: string }[];
  expect(heads.map(({ createdAt }) => createdAt)).toEqual([
    '2026-03-04T10:00:00.000Z',
    '2025-02-03T10:00:00.000Z',
  ]);
  const { stdout: report } = await inFolder('show', 'latest~1');
  expect(report).toMatch(/2025-02-03 10:00 UTC\s+(?:· )?imported \d{4}-/);
  const { stdout: trends } = await inFolder('trends', '--json');
  expect(trends.indexOf('2025-02-03T10:00')).toBeLessThan(trends.indexOf('2026-03-04T10:00'));
  expect(trends).toContain('2025-02-03T10:00');
  await inFolder('export', 'latest~1', '--to', 'promptfoo', '-o', 'out.json');
  expect(await readFile(path.join(folder, 'out.json'), 'utf8')).toContain(
    '"timestamp":"2025-02-03T10:00:00.000Z"',
  );
});
