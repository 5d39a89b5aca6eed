import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { TouchstoneError } from '../src/core/errors.ts';
import { readDataFile } from '../src/library/config/load-config.ts';
import { exportRun, importRun } from '../src/evaluate/run/record/archive.ts';
import { checkStore, salvageRun } from '../src/evaluate/run/record/salvage.ts';
import type { Result } from '../src/core/schema/result.ts';
import { createRandom } from '../src/core/stats/random.ts';
import { createMemoryStore } from './support/memory-store.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { type PaidProject, writePaidProject } from './paid-project.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { readRuns } from '../src/stores/store.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

/** `TOUCHSTONE_FLIPS=1000` damages more often; `TOUCHSTONE_FLIP_SEED` draws the same places again. */
const flips = Number(process.env['TOUCHSTONE_FLIPS'] ?? 30);
const seed = process.env['TOUCHSTONE_FLIP_SEED'] ?? String(Date.now());
const cases = 12;

let project: PaidProject;
/** A store as it was when it was closed, and as it was when its process was killed. */
const stores = { closed: '', killed: '' };

beforeAll(async () => {
  project = await writePaidProject({ cases, concurrency: 8 });
  const cwd = project.folder;
  await touchstone(['run'], { cwd });
  await touchstone(['rescore'], { cwd });
  stores.closed = path.join(cwd, '.touchstone', 'touchstone.db');
  stores.killed = path.join(await temporaryFolder(), 'killed.db');
  const lines = readDataFile(await exportToFile(), cwd, 'jsonl');
  const file = path.join(cwd, 'other', 'touchstone.db');
  const writing = openSqliteStore(file);
  const run = await importRun(lines, writing);
  // One half stands in the database, the other in its log.
  using database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const results = await Array.fromAsync(writing.readResults(run.id));
  for (const result of results.slice(cases / 2)) {
    await writing.addTrials(run.id, [result]);
    await writing.addScores(run.id, [result]);
  }
  await writing.updateRun({ ...run, status: 'running' });
  await writing.updateRun(run);
  for (const end of ['', '-wal']) copyFileSync(file + end, stores.killed + end);
  await writing.close();
});

async function exportToFile(): Promise<string> {
  await touchstone(['export', 'latest~1', '--output', 'run.jsonl'], { cwd: project.folder });
  return path.join(project.folder, 'run.jsonl');
}

/** Everything that a store gives of its oldest run, or what it refuses with. Only what we throw on purpose is a refusal. */
async function exportAll(file: string): Promise<string[] | TouchstoneError> {
  return await refusable(async () => {
    const store = openSqliteStore(file);
    try {
      const run = (await Array.fromAsync(readRuns(store))).at(-1);
      return run === undefined ? [] : await Array.fromAsync(exportRun(run, store));
    } finally {
      await store.close();
    }
  });
}

async function refusable<Value>(work: () => Promise<Value>): Promise<Value | TouchstoneError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TouchstoneError) return error;
    throw error;
  }
}

/** Salvages every run of a store: each record must be one that was stored, and each archive must be importable. */
async function salvageAll(
  file: string,
  whole: readonly string[],
): Promise<readonly string[] | TouchstoneError> {
  return await refusable(async () => {
    const store = openSqliteStore(file);
    try {
      const run = (await Array.fromAsync(readRuns(store))).at(-1);
      if (run === undefined) return [];
      const { lost, lines } = await salvageRun(run, store);
      const saved = await Array.fromAsync(lines);
      const kept = new Map(whole.map((line) => [nameOf(line), contentOf(line)]));
      for (const line of saved.slice(1, -1)) {
        const content = contentOf(line);
        const before = kept.get(nameOf(line));
        if (JSON.stringify(content) !== JSON.stringify(before)) {
          expect(content).toEqual({ ...(before as Result), verdicts: {}, scorecard: null });
        }
      }
      const memory = createMemoryStore();
      await importRun(rowsOf(saved), memory);
      return lost;
    } finally {
      await store.close();
    }
  });
}

function contentOf(line: string): unknown {
  const { type, ...content } = JSON.parse(line);
  return content[type];
}

function nameOf(line: string): string {
  const { case: planned, result, judgement, type } = JSON.parse(line);
  return `${type} ${planned?.position ?? result?.trial.ordinal ?? judgement?.id}`;
}

async function* rowsOf(lines: readonly string[]) {
  for (const [index, line] of lines.entries())
    yield { value: JSON.parse(line), place: { file: 'run.jsonl', line: index + 1 } };
}

async function findDamages(file: string): Promise<number> {
  const found = await refusable(async () => {
    const store = openSqliteStore(file);
    try {
      return await Array.fromAsync(checkStore(store));
    } finally {
      await store.close();
    }
  });
  return found instanceof TouchstoneError ? 1 : found.length;
}

/** Puts a store into a folder of its own, with one of its files changed. */
async function damage(store: string, end: '' | '-wal', change: (bytes: Buffer) => Buffer): Promise<string> {
  const file = path.join(await temporaryFolder(), 'touchstone.db');
  for (const each of ['', '-wal']) if (existsSync(store + each)) copyFileSync(store + each, file + each);
  writeFileSync(file + end, change(readFileSync(store + end)));
  return file;
}

/** Returns true for a line as it was written, or as of a moment before: a run in progress, an answer without its scores. */
function isEarlier(line: string, whole: ReadonlyMap<string, string>): boolean {
  const before = whole.get(nameOf(line));
  if (before === undefined) return false;
  const [{ hash: _of, ...now }, { hash: _ofWhole, ...then }] = [JSON.parse(line), JSON.parse(before)];
  if (now.type === 'run') return now.run.id === then.run.id;
  if (now.type === 'result' && now.result.scorecard === null)
    Object.assign(then.result, { scorecard: null, verdicts: {} });
  return now.type === 'end' || JSON.stringify(now) === JSON.stringify(then);
}

const damages = [
  { name: 'a store that was closed', store: 'closed', end: '', times: flips },
  { name: 'a store whose process was killed', store: 'killed', end: '', times: flips / 2 },
  { name: 'the log of a store whose process was killed', store: 'killed', end: '-wal', times: flips / 2 },
] as const;

for (const { name, store, end, times } of damages) {
  const need = store === 'killed' ? ' (needs TOUCHSTONE_TEST_ALL=1)' : '';
  const isLeftOut = need !== '' && !isReleaseTested;
  test.skipIf(isLeftOut)(
    `a bit that is flipped in ${name} alters no answer in silence (${times} times)${need}`,
    async () => {
      const random = createRandom(`${seed} ${name}`);
      const whole = (await exportAll(await damage(stores[store], '', (bytes) => bytes))) as string[];
      expect(whole.length).toBeGreaterThan(2 * cases);
      const kept = new Map(whole.map((line) => [nameOf(line), line]));
      const ends = { same: 0, refused: 0, earlier: 0 };
      const isHarmed = () => (end === '-wal' ? ends.earlier : ends.refused) > 0;
      // Few flips may all meet pages that nothing uses: then it goes on until one does harm.
      for (let flip = 0; flip < times || (!isHarmed() && flip < 20 * times); flip += 1) {
        const bit = random.integer(8);
        let at = 0;
        const file = await damage(stores[store], end, (bytes) => {
          at = random.integer(bytes.length);
          bytes[at] = (bytes[at] as number) ^ (1 << bit);
          return bytes;
        });
        const place = `seed ${seed}: bit ${bit} of byte ${at} of ${name}`;
        const isFound = (await findDamages(file)) > 0;
        const saved = await salvageAll(file, whole);
        const exported = await exportAll(file);
        if (exported instanceof TouchstoneError) {
          ends.refused += 1;
          expect([place, isFound]).toEqual([place, true]);
          expect(exported.code).toMatch(/^store-/);
        } else if (end === '-wal' && exported.some((line, index) => line !== whole[index])) {
          // SQLite reads a log up to a damaged place: the store is as it was at a moment before.
          ends.earlier += 1;
          expect([place, exported.filter((line) => !isEarlier(line, kept))]).toEqual([place, []]);
        } else {
          ends.same += 1;
          expect([place, exported.findIndex((line, index) => line !== whole[index])]).toEqual([place, -1]);
          expect([place, exported.length]).toEqual([place, whole.length]);
        }
        if (!isFound && ends.earlier === 0) expect([place, saved]).toEqual([place, []]);
      }
      if (process.env['TOUCHSTONE_FLIPS'] !== undefined)
        process.stdout.write(`${name}: ${JSON.stringify(ends)}\n`);
      expect(isHarmed()).toBe(true);
    },
  );
}

for (const { name, store, end, times } of damages) {
  test(`${name} that is cut short is refused, or is as it was at a moment before`, async () => {
    const random = createRandom(`${seed} cut ${name}`);
    const lines = (await exportAll(await damage(stores[store], '', (bytes) => bytes))) as string[];
    const whole = new Map(lines.map((line) => [nameOf(line), line]));
    let refused = 0;
    for (let cut = 0; cut < times / 3; cut += 1) {
      let length = 0;
      const file = await damage(stores[store], end, (bytes) => {
        length = random.integer(bytes.length);
        return bytes.subarray(0, length);
      });
      const place = `seed ${seed}: ${name}, cut to ${length} bytes`;
      const exported = await exportAll(file);
      if (exported instanceof TouchstoneError) refused += 1;
      else if (length > 0)
        expect([place, exported.filter((line) => !isEarlier(line, whole))]).toEqual([place, []]);
    }
    // An empty log is none, and one that is cut is one that was being written.
    expect(refused > 0).toBe(end === '');
  });
}

/** Changes the store of a project by hand. */
function change(cwd: string, sql: string): void {
  using database = new DatabaseSync(path.join(cwd, '.touchstone', 'touchstone.db'));
  database.exec(sql);
}

test('of a damaged run what is whole is saved, imported elsewhere and resumed: only what is lost is asked again', async () => {
  const { folder: cwd, bot, judge } = await writePaidProject({ cases: 6 });
  await touchstone(['run'], { cwd });
  const whole = await touchstone(['export'], { cwd });
  expect(await touchstone(['check'], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is intact'),
  });
  expect(await touchstone(['export', '--salvage'], { cwd })).toEqual(whole);

  change(cwd, `UPDATE trials SET record = replace(record, '"yes, call', '"no, call') WHERE ordinal = 2`);
  change(cwd, `UPDATE scores SET passed = 0 WHERE ordinal = 4`);
  const [id] = /\d{8}-\d{6}-\w{4}/.exec(whole.stdout) ?? [];
  const checked = await touchstone(['check'], { cwd });
  expect(checked.code).toBe(2);
  expect(checked.stdout).toContain(
    `run ${id}: a row of the table trials has changed since it was written: ordinal 2`,
  );
  expect(checked.stdout).toContain('the table scores has changed since it was written: ordinal 4');
  const { isWhole, damages: found } = JSON.parse((await touchstone(['check', '--json'], { cwd })).stdout);
  expect([isWhole, found.map(({ runId }: { runId: string }) => runId)]).toEqual([false, [id, id]]);

  for (const args of [['export', '--output', 'run.jsonl'], ['show', '--verbose'], ['rescore']]) {
    const { code, stderr } = await touchstone(args, { cwd });
    expect([args, code, stderr]).toEqual([
      args,
      4,
      expect.stringMatching(/is damaged: [^]*→ .*check.*--salvage/),
    ]);
  }
  expect(existsSync(path.join(cwd, 'run.jsonl'))).toBe(false);
  const saved = await touchstone(['export', id ?? '', '--salvage', '--output', 'run.jsonl'], { cwd });
  expect(saved).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/the answer of \S+ to q2\n {2}the scores of the answer of \S+ to q4/),
  });
  const elsewhere = ['--store', 'elsewhere'];
  expect(await touchstone(['import', 'run.jsonl', ...elsewhere], { cwd })).toMatchObject({ code: 0 });
  const asked = [bot.requests.length, judge.requests.length];
  const resumed = await touchstone(['run', '--resume', '--json', ...elsewhere], { cwd });
  expect(resumed.code).toBe(0);
  expect(JSON.parse(resumed.stdout).summary.targets[0].counts).toMatchObject({ planned: 6, measured: 6 });
  expect([bot.requests.length - (asked[0] ?? 0), judge.requests.length - (asked[1] ?? 0)]).toEqual([1, 1]);
});

test('where a case is lost, the run that is saved goes on with the dataset as a new one', async () => {
  const { folder: cwd, bot } = await writePaidProject({ cases: 6 });
  await touchstone(['run'], { cwd });
  change(cwd, `UPDATE cases SET hash = upper(hash) WHERE position = 3`);
  const saved = await touchstone(['export', '--salvage', '--output', 'run.jsonl'], { cwd });
  expect([saved.code, saved.stderr]).toEqual([
    2,
    expect.stringMatching(/question number 4\n {2}the answer of \S+ to question number 4/),
  ]);
  expect(await touchstone(['import', 'run.jsonl', '--store', 'elsewhere'], { cwd })).toMatchObject({
    code: 0,
  });
  const resumed = await touchstone(['run', '--resume', '--json', '--store', 'elsewhere'], { cwd });
  expect(JSON.parse(resumed.stdout).summary.targets[0].counts).toMatchObject({ planned: 6, measured: 6 });
  expect(bot.requests).toHaveLength(7);
});

test('rows that are lost, or that name what is not there, are found', async () => {
  const { folder: cwd } = await writePaidProject({ cases: 6 });
  await touchstone(['run'], { cwd });
  const lines = async () => (await touchstone(['check'], { cwd })).stdout;
  const lose = (table: string, where: string) =>
    change(cwd, `DROP TRIGGER ${table}_removed; DELETE FROM ${table} WHERE ${where}`);
  change(cwd, 'DELETE FROM scores WHERE ordinal = 5');
  expect(await lines()).toMatch(/its summary differs from its records: .* 6, .* 5/);
  expect(await touchstone(['export'], { cwd })).toMatchObject({ code: 0 });
  lose('trials', 'ordinal = 1');
  expect(await lines()).toMatch(/scores without their attempt: 1\n.*the table trials has 5 of 6 rows/);
  expect(await touchstone(['export'], { cwd })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('a run has lost 1 of its attempts'),
  });
  expect(await touchstone(['show'], { cwd })).toMatchObject({ code: 4 });
  change(cwd, 'DELETE FROM judgements WHERE id IN (SELECT judgement FROM judgement_uses LIMIT 1)');
  expect(await lines()).toContain('judgements that the run uses and that are missing: 1');
  const { code, stderr } = await touchstone(['export', '--salvage', '--output', 'run.jsonl'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/judgement [0-9a-f]{32}\n.*1 of 6 attempts/)]);
});
