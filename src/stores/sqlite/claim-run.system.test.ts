import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const module = pathToFileURL(path.join(import.meta.dirname, 'claim-run.ts')).href;

/** Claims and releases a run many times; while it has it, no other may. Tells how often it had it, and what went wrong. */
const program = (store: string) => `
  const { claimRun } = await import(${JSON.stringify(module)});
  const { closeSync, openSync, rmSync } = await import('node:fs');
  const [store, marker] = [${JSON.stringify(store)}, ${JSON.stringify(`${store}.inside`)}];
  const end = performance.now() + 1500;
  let had = 0;
  while (performance.now() < end) {
    let giveBack;
    try {
      giveBack = claimRun(store, 'run');
    } catch (error) {
      if (error.code !== 'run-in-progress') throw error;
      continue;
    }
    closeSync(openSync(marker, 'wx'));
    had += 1;
    rmSync(marker);
    giveBack();
  }
  console.log(had);`;

test('of several processes that take a run and give it back all the time, one has it at a time', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-claim-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const said = await Promise.all(
    [1, 2, 3].map(async () => {
      const args = ['--input-type=module', '-e', program(path.join(folder, 'store.db'))];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ]);
      return { had: Number(stdout), stderr };
    }),
  );
  expect(said.map(({ stderr }) => stderr)).toEqual(['', '', '']);
  expect(Math.max(...said.map(({ had }) => had))).toBeGreaterThan(10);
  expect(await readdir(folder)).toEqual([]);
});
