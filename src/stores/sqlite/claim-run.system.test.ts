import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';
import { claimRun, isClaimed, release } from './claim-run.ts';

const module = pathToFileURL(path.join(import.meta.dirname, 'claim-run.ts')).href;

/** Returns a program that claims and releases a run many times, checks that it is alone, and prints the number of claims. */
const program = (store: string) => `
  const { claimRun, isClaimed } = await import(${JSON.stringify(module)});
  const { closeSync, openSync, rmSync } = await import('node:fs');
  const [store, marker] = [${JSON.stringify(store)}, ${JSON.stringify(`${store}.inside`)}];
  const end = performance.now() + 1500;
  let had = 0;
  while (performance.now() < end) {
    let claim;
    try {
      claim = claimRun(store, 'run');
    } catch (error) {
      if (error.code !== 'run-in-progress') throw error;
      continue;
    }
    closeSync(openSync(marker, 'wx'));
    had += 1;
    if (!isClaimed(store, 'run')) throw new Error('isClaimed does not see the claim');
    rmSync(marker);
    await claim[Symbol.asyncDispose]();
  }
  console.log(had);`;

test.skipIf(!isReleaseTested)(
  'when several processes claim and release a run in a loop, only one has it at a time (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
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
  },
);

/** Returns a program that repeats a statement for one second and prints the number of repetitions. */
const lookProgram = (store: string, work: string) => `
  const { claimRun, isClaimed } = await import(${JSON.stringify(module)});
  const store = ${JSON.stringify(store)};
  const end = performance.now() + 1000;
  let times = 0;
  for (; performance.now() < end; times += 1) ${work};
  console.log(times);`;

test('checking whether a run is claimed never prevents another process from claiming it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-claim-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = path.join(folder, 'store.db');
  const claim = "await claimRun(store, 'run')[Symbol.asyncDispose]()";
  const said = await Promise.all(
    [claim, "isClaimed(store, 'run')", "isClaimed(store, 'run')"].map(async (work) => {
      const args = ['--input-type=module', '-e', lookProgram(store, work)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      return await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    }),
  );
  expect(said.map(([, stderr]) => stderr)).toEqual(['', '', '']);
  for (const [stdout] of said) expect(Number(stdout)).toBeGreaterThan(10);
});

test('a claim is released in a folder that can no longer be written to', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-claim-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const other = process.getuid?.() === 0 ? 65_534 : undefined;
  if (other !== undefined) await chown(folder, other, other);
  const store = path.join(folder, 'touchstone.db');
  // Root may write everywhere.
  if (other !== undefined) process.seteuid?.(other);
  try {
    const claim = claimRun(store, 'run');
    await chmod(folder, 0o555);
    await claim[Symbol.asyncDispose]();
    expect(await readdir(folder)).toHaveLength(1);
    expect(isClaimed(store, 'run')).toBe(false);
    await chmod(folder, 0o755);
    await claimRun(store, 'run')[Symbol.asyncDispose]();
    expect(await readdir(folder)).toEqual([]);
  } finally {
    if (other !== undefined) process.seteuid?.(0);
  }
});

test('a lock is closed before its file is removed on Windows, and after it elsewhere', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-claim-'));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  const file = path.join(folder, 'run.lock');
  const isThereAtClose: boolean[] = [];
  for (const platform of ['linux', 'win32'] as const) {
    writeFileSync(file, '');
    release(file, () => isThereAtClose.push(existsSync(file)), platform);
    expect(existsSync(file)).toBe(false);
  }
  expect(isThereAtClose).toEqual([false, true]);
});
