import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../src/schema/api/report.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

test('a run that 0.1.0 exported is imported whole, with the same report', async () => {
  const cwd = await temporaryFolder();
  const file = path.resolve(import.meta.dirname, 'archives', '0.1.0.jsonl');
  await copyFile(file, path.join(cwd, 'run.jsonl'));
  const archive = await readFile(file, 'utf8');
  const lines = archive
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(await touchstone(['import', 'run.jsonl'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const shown = await touchstone(['show', '--json'], { cwd });
  const { run, summary, results } = JSON.parse(shown.stdout) as Report;
  expect({ ...run, summary }).toEqual(lines[0].run);
  expect(results).toEqual(lines.flatMap(({ type, result }) => (type === 'result' ? [result] : [])));
  expect(await touchstone(['export', '--output', 'again.jsonl'], { cwd })).toMatchObject({ code: 0 });
  expect(await readFile(path.join(cwd, 'again.jsonl'), 'utf8')).toBe(archive);
  expect(await touchstone(['check'], { cwd })).toMatchObject({ code: 0 });
});
