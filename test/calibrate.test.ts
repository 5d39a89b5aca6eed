import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { certificateSchema } from '../src/core/schema/review/certificate.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { judgedRun, labelRun, rightJudge } from './support/labelled-run.ts';

async function labelledFolder(pattern: string): Promise<string> {
  const cwd = await temporaryFolder();
  const store = openSqliteStore(path.join(cwd, '.touchstone', 'touchstone.db'));
  await judgedRun(store, cwd, pattern);
  await labelRun(store);
  await store.close();
  return cwd;
}

test('calibrate prints both rates and every condition, and writes the certificate', async () => {
  const cwd = await labelledFolder(rightJudge);
  const { code, stdout, stderr } = await touchstone(['calibrate', '--rubric', 'helps'], { cwd });
  expect(stdout).toMatch(
    /\njudge says \d\d\.\d % · corrected \d\d\.\d % \[\d\d\.\d, \d\d\.\d\] \(200 labels, PPI\+\+\)\n/,
  );
  expect(stdout).toMatch(
    /\nPeople agree with each other kappa 1\.00, AC1 1\.00.*judge with people kappa 0\.\d\d/,
  );
  expect(stdout).toContain('\nAll required conditions are met.\n');
  expect(code).toBe(0);
  const [file = ''] = await readdir(path.join(cwd, 'calibrations'));
  expect(file).toMatch(/^scripted@[\da-f]{32}\.json$/);
  expect(stderr).toBe(`Wrote the certificate to ${path.join('calibrations', file)}.\n`);
  const written = JSON.parse(await readFile(path.join(cwd, 'calibrations', file), 'utf8'));
  expect(certificateSchema.parse(written).calibration.answers).toBe(200);
});

test('a judge that says the opposite gets the reasons, exit code 2 and no file', async () => {
  const cwd = await labelledFolder('^bad');
  const { code, stdout } = await touchstone(['calibrate', '--rubric', 'helps', '--output', 'c.json'], {
    cwd,
  });
  expect(code).toBe(2);
  expect(stdout).toContain('NOT MET       TPR + TNR − 1 is -1.00');
  expect(stdout).toContain('No certificate: 1 required condition not met.');
  expect(await readdir(cwd)).not.toContain('c.json');
});

test('calibrate --history lists refused calibrations with who, when and why, each once', async () => {
  const cwd = await labelledFolder('^bad');
  const history = async () => await touchstone(['calibrate', '--rubric', 'helps', '--history'], { cwd });
  expect((await history()).stdout).toBe('No judge has been compared with labels by helps yet.\n');
  for (const by of ['Ann', 'Bob']) await touchstone(['calibrate', '--rubric', 'helps', '--by', by], { cwd });
  const { code, stdout } = await history();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d UTC by Ann: judge scripted \(helps the user\), run \S+: no certificate\n/,
  );
  expect(stdout).toMatch(/\n {2}judge says 40\.0 %.*\n {2}NOT MET {7}TPR \+ TNR − 1 is -1\.00/);
  expect(stdout).not.toContain('Bob');
});
