import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readDataFile } from '../src/library/config/load-config.ts';
import { exportRun, importRun } from '../src/evaluate/run/record/archive.ts';
import type { Run } from '../src/core/schema/run.ts';
import { createRandom, type Random } from '../src/core/stats/random.ts';
import { createMemoryStore } from './support/memory-store.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { auditStore } from './audit-store.ts';
import { createMoments, type Moment } from './kill-moments.ts';
import { type KilledProject, watchPayments } from './killed-project.ts';
import { rowOf, rubricOf, writePaidProject } from './paid-project.ts';
import { touchstone } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

/** `TOUCHSTONE_KILLS=200` kills more often; `TOUCHSTONE_KILL_SEED` draws the same moments again. */
const kills = Number(process.env['TOUCHSTONE_KILLS'] ?? 8);
const seed = process.env['TOUCHSTONE_KILL_SEED'] ?? String(Date.now());
const cases = 40;

/** A log of all kills, and their number in each stage. */
interface Tally {
  readonly log: string[];
  readonly stages: Map<string, number>;
}

/** Creates a project with everything that the stages of its life need. */
async function beginLife(random: Random, tally: Tally) {
  const paid = await writePaidProject({ cases, concurrency: 4, delayMs: 2 });
  const project = watchPayments(paid);
  const kill = async (stage: string, args: readonly string[], moment: Moment): Promise<boolean> => {
    const words = `${stage}: \`${args.join(' ')}\` ${moment.words}`;
    tally.log.push(words);
    const wasKilled = await project.kill(args, moment);
    if (wasKilled) tally.stages.set(stage, (tally.stages.get(stage) ?? 0) + 1);
    else tally.log.push('… it had ended');
    return wasKilled;
  };
  return { paid, project, kill, moments: createMoments(random), random, cwd: paid.folder };
}
type Life = Awaited<ReturnType<typeof beginLife>>;

const latestOf = (project: KilledProject) => project.audit().runs.find(({ status }) => status !== 'planning');

/** Returns the command to repeat: resume when a run is unfinished, else run. */
function runAgain(project: KilledProject): string[] {
  const latest = latestOf(project);
  return latest === undefined || latest.status === 'completed' ? ['run'] : ['run', '--resume'];
}

/** Kills a run in every stage from start to report, and lets it finish at last. */
async function killRun({ project, paid, kill, moments, random }: Life): Promise<Run> {
  const { bot, judge } = paid;
  const answered = () => project.audit().answers.size;
  const judged = () => project.audit().judgements.size;
  await kill('start', runAgain(project), moments.afterStart(1000));
  await kill('planning', runAgain(project), moments.afterWriting(`${project.file}-wal`, 30));
  const some = () => 1 + random.integer(8);
  await kill('calling', runAgain(project), moments.afterCalls(bot, some(), 10));
  await kill('recording', runAgain(project), moments.afterCalls(bot, some(), 2));
  await kill('judging', runAgain(project), moments.afterCalls(judge, some(), 10));
  await kill('scoring', runAgain(project), moments.afterCalls(bot, cases - answered(), 20));
  await kill('aggregating', runAgain(project), moments.afterCalls(judge, cases - judged(), 10));
  if (latestOf(project)?.status !== 'completed') {
    await kill('reporting', runAgain(project), moments.afterWriting(`${project.file}-wal`, 200));
  }
  if (latestOf(project)?.status !== 'completed') await project.finish(runAgain(project));
  const run = latestOf(project) as Run;
  expect(run).toMatchObject({ status: 'completed', dataset: { cases } });
  expect(run.summary?.targets[0]?.counts).toMatchObject({ planned: cases, measured: cases });
  expect([...project.audit().answers.keys()].filter((key) => key.startsWith(run.id))).toHaveLength(cases);
  return run;
}

/** Kills a run of a changed dataset, which reuses the earlier answers and asks one question. */
async function killTakingOver({ project, paid, kill, moments }: Life, { id }: Run): Promise<void> {
  await paid.writeRows([...paid.golden.slice(1), rowOf(99)]);
  const again = ['run', '--resume', id];
  // The earlier run is claimed, and so is the one that takes its answers.
  const locks = { end: '.lock', count: 2 };
  await kill('taking over', again, moments.afterFiles(path.dirname(project.file), locks, 8));
  if (latestOf(project)?.continues === undefined || latestOf(project)?.status !== 'completed') {
    await project.finish(again);
  }
  expect(latestOf(project)).toMatchObject({ status: 'completed', continues: id });
  const kept = [...project.audit().answers].filter(([key]) => key.startsWith(id)).map(([, answer]) => answer);
  const taken = [...project.audit().answers.values()].filter((answer) => kept.includes(answer));
  expect(taken).toHaveLength(2 * cases - 1);
}

/** Kills an export and an import: neither a partial file nor a partial import counts as a run. */
async function killArchiving({ project, kill, moments, cwd }: Life, run: Run): Promise<void> {
  const [file, whole] = [path.join(cwd, 'run.jsonl'), path.join(cwd, 'whole.jsonl')];
  const store = openSqliteStore(project.file);
  const lines = (await Array.fromAsync(exportRun(run, store))).join('');
  await store.close();
  await writeFile(whole, lines);
  await kill('exporting', ['export', run.id, '--output', 'run.jsonl'], moments.afterWriting(file, 20));
  if ((await readFile(file, 'utf8').catch(() => '')) !== lines) {
    const memory = createMemoryStore();
    await expect(importRun(readDataFile(file, cwd, 'jsonl'), memory)).rejects.toThrow();
    expect(await memory.listRuns()).toEqual([]);
  }
  const other = path.join(cwd, 'other', 'touchstone.db');
  await kill(
    'importing',
    ['import', 'whole.jsonl', '--store', 'other'],
    moments.afterWriting(`${other}-wal`, 40),
  );
  const [imported] = (await auditStore(other)).runs;
  if (imported?.status === 'completed') return;
  const left = openSqliteStore(other);
  if (imported !== undefined) await left.deleteRun(imported.id);
  const again = await importRun(readDataFile(whole, cwd, 'jsonl'), left);
  expect((await Array.fromAsync(exportRun(again, left))).join('')).toBe(lines);
  await left.close();
}

/** Kills a rescore by another rubric, which calls only the judge and leaves the scored run unchanged. */
async function killRescoring({ project, paid, kill, moments, random }: Life): Promise<void> {
  await paid.writeConfig({ metrics: [rubricOf('It is short.')] }, 'other.yaml');
  const args = ['rescore', '--config', 'other.yaml'];
  const [called, judged] = [paid.bot.requests.length, project.audit().judgements.size];
  await kill('rescoring', args, moments.afterCalls(paid.judge, 1 + random.integer(cases - 8), 10));
  await project.finish(args);
  expect(project.audit().judgements.size).toBe(judged + cases);
  expect(latestOf(project)?.summary?.targets[0]?.counts).toMatchObject({ planned: cases, measured: cases });
  expect(paid.bot.requests).toHaveLength(called);
}

/** Kills a deletion: the run is complete or gone, and runs that share its trials are unchanged. */
async function killDeleting({ project, moments, cwd, kill }: Life, { id }: Run): Promise<void> {
  const copy = path.join(cwd, 'copy', 'touchstone.db');
  await cp(path.dirname(project.file), path.dirname(copy), { recursive: true });
  const before = await auditStore(copy);
  const lock = `${copy}-${id}.lock`;
  await kill('deleting', ['delete', id, '--yes', '--store', 'copy'], moments.afterWriting(lock, 8));
  const after = await auditStore(copy);
  const others = [...before.answers].filter(([key]) => !key.startsWith(id));
  const isThere = after.runs.some((run) => run.id === id);
  expect(after.answers).toEqual(isThere ? before.answers : new Map(others));
  if (isThere) await touchstone(['delete', id, '--yes', '--store', 'copy'], { cwd });
  expect((await auditStore(copy)).answers).toEqual(new Map(others));
}

test.skipIf(!isReleaseTested)(
  `a run killed at ${kills} random moments loses no answer, pays twice only for calls in flight, and ends with the right totals (needs TOUCHSTONE_TEST_ALL=1)`,
  async () => {
    const tally: Tally = { log: [], stages: new Map() };
    const killed = () => tally.stages.values().reduce((sum, count) => sum + count, 0);
    const random = createRandom(seed);
    try {
      for (let life = 0; killed() < kills; life += 1) {
        const project = await beginLife(random.fork(life), tally);
        const run = await killRun(project);
        await killArchiving(project, run);
        await killTakingOver(project, run);
        await killRescoring(project);
        await killDeleting(project, run);
      }
    } catch (error) {
      throw new Error(`With TOUCHSTONE_KILL_SEED=${seed}:\n${tally.log.join('\n')}`, { cause: error });
    }
    expect(killed()).toBeGreaterThanOrEqual(kills);
    if (process.env['TOUCHSTONE_KILLS'] !== undefined)
      process.stdout.write(`${JSON.stringify([killed(), ...tally.stages])}\n`);
  },
  3_600_000,
);
