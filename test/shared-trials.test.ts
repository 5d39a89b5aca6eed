import { cp } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Report } from '../src/core/schema/api/report.ts';
import { rubricOf, writePaidProject } from './paid-project.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

const cases = 5;

/** A project with a run and a second one that scores the same answers by another rubric. */
const project = await writePaidProject({ cases });
const { bot } = project;
const first = await touchstone(['run', '--json'], { cwd: project.folder });
const source = JSON.parse(first.stdout) as Report;
await project.writeConfig({ metrics: [rubricOf('It is short.')] });
const second = await touchstone(['rescore', '--json'], { cwd: project.folder });
const rescored = JSON.parse(second.stdout) as Report;

/** Copies the project, for a test that changes its store. */
async function copyProject() {
  const cwd = await temporaryFolder();
  await cp(project.folder, cwd, { recursive: true });
  const asked = bot.requests.length;
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await touchstone(args, { cwd });
    return { code, stdout, stderr };
  };
  const report = async (...args: string[]) => JSON.parse((await command(...args, '--json')).stdout) as Report;
  const countRows = (table: string) => {
    const database = new DatabaseSync(path.join(cwd, '.touchstone', 'touchstone.db'));
    const row = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get();
    database.close();
    return row?.['rows'];
  };
  return { command, report, countRows, countAsked: () => bot.requests.length - asked };
}

test('deleting a run leaves the runs that share its answers complete', async () => {
  const { command, report, countRows, countAsked } = await copyProject();
  expect(bot.requests).toHaveLength(cases);
  const before = await command('export', rescored.run.id);
  expect(await command('delete', source.run.id, '--yes')).toMatchObject({ code: 0 });
  expect(await report('show', rescored.run.id)).toEqual(rescored);
  expect(await command('export', rescored.run.id)).toEqual(before);
  const again = await report('rescore', rescored.run.id);
  expect(again.summary).toMatchObject({ targets: [{ counts: { planned: cases, measured: cases } }] });
  expect(countAsked()).toBe(0);
  expect(await command('delete', rescored.run.id, again.run.id, '--yes')).toMatchObject({ code: 0 });
  expect([countRows('trials'), countRows('cases'), countRows('scores')]).toEqual([0, 0, 0]);
  expect((await report('run')).summary.targets[0]?.counts.measured).toBe(cases);
});

test('deleting a run that shares answers leaves their original run unchanged', async () => {
  const { command, report, countRows } = await copyProject();
  const [trials, scores] = [Number(countRows('trials')), Number(countRows('scores'))];
  expect(await command('delete', rescored.run.id, '--yes')).toMatchObject({ code: 0 });
  expect(await report('show', source.run.id)).toEqual(source);
  expect([countRows('trials'), countRows('scores')]).toEqual([trials, scores / 2]);
});

test('a run that shares answers is not resumed, and the message names rescore', async () => {
  const { command, countAsked } = await copyProject();
  const refused = await command('run', '--resume', rescored.run.id);
  expect(refused).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`touchstone rescore ${source.run.id}`),
  });
  expect((await command('run', '--resume')).stderr).toContain('no unfinished run');
  expect(countAsked()).toBe(0);
});
