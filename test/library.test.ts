import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './run-cli.ts';

const root = path.resolve(import.meta.dirname, '..');
const execute = promisify(execFile);

test('an error from the library comes with one short line of the built file', async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, 'mistake.mjs');
  const stats = path.join(root, 'dist', 'stats.js');
  await writeFile(
    file,
    `import { quantile } from ${JSON.stringify(stats)};\nquantile({ values: [1], p: 2, method: 'linear' });\n`,
  );
  const { stderr } = await execute(process.execPath, [file]).catch((error: { stderr: string }) => error);
  expect(stderr.split('\n').slice(0, 6)).toContain('RangeError: p is 2; it must be from 0 to 1.');
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(250);
});
