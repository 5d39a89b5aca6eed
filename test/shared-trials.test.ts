import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Report } from '../src/schema/report.ts';
import { rubricOf, writePaidProject } from './paid-project.ts';
import { touchstone } from './run-cli.ts';

const cases = 5;

/** Creates a project with a run and a second one that scores the same answers by another rubric. */
async function rescoredProject() {
  const project = await writePaidProject({ cases });
  const { folder: cwd, bot } = project;
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await touchstone(args, { cwd });
    return { code, stdout, stderr };
  };
  const report = async (...args: string[]) => JSON.parse((await command(...args, '--json')).stdout) as Report;
  const source = await report('run');
  await project.writeConfig({ metrics: [rubricOf('It is short.')] });
  const rescored = await report('rescore');
  const countRows = (table: string) => {
    const database = new DatabaseSync(path.join(cwd, '.touchstone', 'touchstone.db'));
    const row = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get();
    database.close();
    return row?.['rows'];
  };
  return { bot, command, report, source, rescored, countRows };
}

test('deleting a run leaves the runs that share its answers complete', async () => {
  const { bot, command, report, source, rescored, countRows } = await rescoredProject();
  const before = await command('export', rescored.run.id);
  expect(await command('delete', source.run.id, '--yes')).toMatchObject({ code: 0 });
  expect(await report('show', rescored.run.id)).toEqual(rescored);
  expect(await command('export', rescored.run.id)).toEqual(before);
  const again = await report('rescore', rescored.run.id);
  expect(again.summary).toMatchObject({ targets: [{ counts: { planned: cases, measured: cases } }] });
  expect(bot.requests).toHaveLength(cases);
  expect(await command('delete', rescored.run.id, again.run.id, '--yes')).toMatchObject({ code: 0 });
  expect([countRows('trials'), countRows('cases'), countRows('scores')]).toEqual([0, 0, 0]);
  expect((await report('run')).summary.targets[0]?.counts.measured).toBe(cases);
});

test('deleting a run that shares answers leaves their original run unchanged', async () => {
  const { command, report, source, rescored, countRows } = await rescoredProject();
  const [trials, scores] = [Number(countRows('trials')), Number(countRows('scores'))];
  expect(await command('delete', rescored.run.id, '--yes')).toMatchObject({ code: 0 });
  expect(await report('show', source.run.id)).toEqual(source);
  expect([countRows('trials'), countRows('scores')]).toEqual([trials, scores / 2]);
});

test('a run that shares answers is not resumed, and the message names rescore', async () => {
  const { bot, command, source, rescored } = await rescoredProject();
  const refused = await command('run', '--resume', rescored.run.id);
  expect(refused).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`touchstone rescore ${source.run.id}`),
  });
  expect((await command('run', '--resume')).stderr).toContain('no unfinished run');
  expect(bot.requests).toHaveLength(cases);
});
