import path from 'node:path';
import { expect, test } from 'vitest';
import { program, touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';
import { readStoredRuns } from './stored-run.ts';
import { isReleaseTested } from './support/is-release-tested.ts';
import { keys, openTerminal, python } from './support/terminal.ts';

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
      env: { SLOW_MS: '400' },
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
    const args = [process.execPath, program, 'run', '--view', '--max-cost', '0.005'];
    // No browser is found.
    const terminal = openTerminal(args, { cwd: folder, env: { PATH: path.dirname(process.execPath) } });
    await terminal.waitFor('The dashboard stays open until Ctrl-C');
    const address = /http:\S+/.exec(terminal.read())?.[0] ?? '';
    expect(await statusOf(address)).toBe(303);
    terminal.press(keys.stop);
    expect(await terminal.ended).toBe(2);
    await expect.poll(() => statusOf(address)).toBe(undefined);
  },
);
