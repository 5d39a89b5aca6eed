import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Report } from '../src/core/schema/api/report.ts';
import type { Run } from '../src/core/schema/run.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { rowOf, rubricOf, writePaidProject } from './paid-project.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

const name = 'Zebulon Quixley';
const day = new Date().toISOString().slice(0, 10);

/** Runs a project in which one of three questions names a person. */
async function runProject() {
  const project = await writePaidProject({ cases: 3 });
  const golden = [rowOf(0), { ...rowOf(1), question: `I am ${name}.` }, rowOf(2)];
  await project.writeRows(golden);
  const { folder: cwd, bot, judge } = project;
  const command = async (...args: string[]) => await touchstone(args, { cwd });
  const report = async (...args: string[]) => JSON.parse((await command(...args, '--json')).stdout) as Report;
  const first = await report('run');
  return {
    ...project,
    cwd,
    first,
    command,
    report,
    calls: () => [bot.requests.length, judge.requests.length],
  };
}

test('the dry run of an erasure changes nothing, and without a terminal only --yes erases', async () => {
  const { cwd, command, first } = await runProject();
  const file = path.join(cwd, '.touchstone', 'touchstone.db');
  const dry = await command('erase', '--text', name, '--dry-run');
  expect(dry).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/1 {2}question\n {2}1 {2}answer\n[^]*1 {2}judgement/),
  });
  expect(dry.stdout).toContain(first.run.id);
  expect(await command('erase', '--text', name)).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/1 {2}answer[^]*cannot be undone[^]*--yes/),
  });
  expect(await command('erase', '--yes')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('--text TEXT'),
  });
  expect((await command('export')).stdout).toContain(name);
  const erased = await touchstone(['erase', '--text', '-', '--yes', '--json'], { cwd, input: `${name}\n` });
  expect(JSON.parse(erased.stdout)).toMatchObject({ counts: { case: 1, trial: 1 }, runs: [first.run.id] });
  expect(readFileSync(file).toString('latin1')).not.toContain(name);
  expect((await command('erase', '--text', name, '--yes')).stdout).toContain('No record contains it.');
});

test('after an erasure the numbers stay, the run says so, and nothing of it is asked again', async () => {
  const { cwd, command, report, first, calls, writeConfig } = await runProject();
  expect(calls()).toEqual([3, 3]);
  expect(await command('erase', '--text', name, '--yes')).toMatchObject({ code: 0 });
  const after = await report('show');
  expect(after.summary).toEqual(first.summary);
  expect(after.run.erasures).toEqual([{ day, records: 3 }]);
  const shown = await command('show', '--case', 'q1');
  expect(shown.stdout).toContain(`[erased ${day}]`);
  expect((await command('show')).stdout).toMatch(/Erased\s+the texts of 3 records on/);
  expect(await command('check')).toMatchObject({ code: 0 });
  expect((await command('run', '--resume', first.run.id)).stderr).toContain('all of its attempts are done');
  expect(calls()).toEqual([3, 3]);

  await writeConfig({ metrics: [rubricOf('It is short.')] });
  const rescored = await report('rescore');
  expect(calls()).toEqual([3, 5]);
  expect(rescored.summary.targets[0]?.counts).toMatchObject({ planned: 3, measured: 2, errors: 0 });
  const told = await command('show', '--case', 'q1');
  expect(told.stdout).toContain(`its texts were erased on ${day}`);

  const archive = path.join(cwd, 'run.jsonl');
  await writeFile(archive, (await command('export', first.run.id)).stdout);
  expect(readFileSync(archive, 'utf8')).not.toContain(name);
  const other = path.join(await temporaryFolder(), 'store');
  expect(await command('import', archive, '--store', other)).toMatchObject({ code: 0 });
  const imported = await report('show', '--store', other);
  expect(imported.run.erasures).toEqual([{ day, records: 3 }]);
  expect(imported.summary).toEqual(first.summary);
});

test('an answer that is missing to an erased question is not asked for, and counts as not recorded', async () => {
  const { cwd, command, report, first, calls } = await runProject();
  const file = path.join(cwd, '.touchstone', 'touchstone.db');
  const store = openSqliteStore(file);
  const { summary: _none, finishedAt: _then, ...run } = (await store.readRun(first.run.id)) as Run;
  await store.updateRun({ ...run, status: 'interrupted' });
  await store.close();
  const database = new DatabaseSync(file);
  database.exec('DELETE FROM scores WHERE ordinal = 1; DELETE FROM trials WHERE ordinal = 1');
  database.close();
  expect(await command('erase', '--text', name, '--yes')).toMatchObject({ code: 0 });
  const resumed = await report('run', '--resume', first.run.id);
  expect(calls()).toEqual([3, 3]);
  expect(resumed.summary.targets[0]?.counts).toMatchObject({ planned: 3, measured: 2, errors: 0 });
  expect((await command('show', '--case', 'q1')).stdout).toContain(`the question was erased on ${day}`);
});
