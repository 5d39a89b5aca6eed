import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../src/core/schema/api/report.ts';
import type { Run } from '../src/core/schema/run.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

/**
 * Leaves out what summaries have since had in addition: pass@k and pass^k of each category, and what judges say; and the limits
 * of means and the words of reasons, which an import writes again as today.
 */
function withoutAdded<Kept extends Pick<Run, 'summary'>>(run: Kept): Kept {
  const text = JSON.stringify(run, (_, value: unknown) => {
    if (typeof value === 'string')
      return value.replace(' trials were not measured', ' attempts were not measured');
    if (typeof value !== 'object' || value === null) return value;
    if ('method' in value && ['t', 'gaffke'].includes(String(value.method)))
      return { ...value, method: undefined, lower: undefined, upper: undefined, reason: undefined };
    if ('category' in value && 'reliability' in value) return { ...value, reliability: undefined };
    return 'judged' in value && ('targets' in value || 'scored' in value)
      ? { ...value, judged: undefined }
      : value;
  });
  return JSON.parse(text) as Kept;
}

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
  expect(withoutAdded({ ...run, summary })).toEqual(withoutAdded(lines[0].run));
  expect(results).toEqual(lines.flatMap(({ type, result }) => (type === 'result' ? [result] : [])));
  expect(await touchstone(['export', '--output', 'again.jsonl'], { cwd })).toMatchObject({ code: 0 });
  const again = (await readFile(path.join(cwd, 'again.jsonl'), 'utf8')).trimEnd().split('\n');
  // A hash follows from all lines before it, and so from the summary.
  const withoutHash = ({ hash: _, ...line }: Readonly<Record<string, unknown>>) => line;
  const [head, ...rest] = again.map((line) => JSON.parse(line));
  expect(withoutAdded(head.run)).toEqual(withoutAdded(lines[0].run));
  expect(rest.map(withoutHash)).toEqual(lines.slice(1).map(withoutHash));
  expect(await touchstone(['check'], { cwd })).toMatchObject({ code: 0 });
});
