import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';
import { readStoredRuns } from './stored-run.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const program = path.resolve(import.meta.dirname, '../bin/touchstone.js');
const python =
  spawnSync('python3', ['-c', 'import pty, sys; print(sys.executable)']).stdout?.toString().trim() ?? '';

/** Starts a program on a terminal of its own, and ends with its exit code. */
const onTerminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/** Returns the status of the page at an address; undefined where nothing is served. */
async function statusOf(address: string): Promise<number | undefined> {
  const answer = await fetch(address, { redirect: 'manual' }).catch(() => undefined);
  return answer?.status;
}

test.skipIf(!isReleaseTested)(
  'without a terminal the dashboard is served while the run lasts, and ends with it (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const { folder, readCalls } = await writeSlowProject({ cases: 20, concurrency: 2 });
    let address: string | undefined;
    let during: number | undefined;
    const { code, stderr } = await touchstone(['run', '--view', '--fail-under', '100'], {
      cwd: folder,
      env: { SLOW_MS: '400', CI: undefined },
      onStarted: async (child) => {
        let text = '';
        child.stderr?.on('data', (piece: string) => (text += piece));
        await expect.poll(() => text).toMatch(/http:\S+\n/);
        address = /http:\S+/.exec(text)?.[0];
        during = await statusOf(address ?? '');
      },
    });
    expect(during).toBe(303);
    expect(code).toBe(0);
    const [stored] = await readStoredRuns(folder);
    expect(stderr.match(/http:/g)).toHaveLength(1);
    expect(address).toContain(`/runs/${stored?.run.id}?access=`);
    expect(await statusOf(address ?? '')).toBe(undefined);
    expect(await readCalls()).toHaveLength(20);
  },
);

test.skipIf(python === '')(
  'on a terminal it stays until Ctrl-C, and the exit code is that of the run (needs python3)',
  async () => {
    const { folder } = await writeSlowProject({ cases: 2, concurrency: 2 });
    const args = ['-c', onTerminal, process.execPath, program, 'run', '--view', '--max-cost', '0.005'];
    const child = spawn(python, args, {
      cwd: folder,
      // No browser is found.
      env: { ...process.env, CI: '', NO_COLOR: '1', PATH: path.dirname(process.execPath) },
    });
    let text = '';
    child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
    await expect.poll(() => text).toContain('The dashboard stays open until Ctrl-C');
    const address = /http:\S+/.exec(text)?.[0] ?? '';
    expect(await statusOf(address)).toBe(303);
    const ended = once(child, 'exit');
    child.stdin.write('\u0003');
    expect((await ended)[0]).toBe(2);
    await expect.poll(() => statusOf(address)).toBe(undefined);
  },
);
