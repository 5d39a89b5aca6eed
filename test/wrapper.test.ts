import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Ended, touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const built = path.resolve(import.meta.dirname, '..', 'bin', 'touchstone.js');

/** Runs under an old Node.js, which starts the repository's own; signals reach only the old one. */
async function runOnOldNode(signals: readonly NodeJS.Signals[], pauseMs = 0, slowMs = 150) {
  const project = await writeSlowProject({ cases: 40, concurrency: 2 });
  const program = path.join(project.folder, 'old-node.mjs');
  await writeFile(
    program,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.0.0' } });
await import('${pathToFileURL(built).href}');
`,
  );
  const ended: Ended = await touchstone(['run'], {
    cwd: project.folder,
    program,
    env: { SLOW_MS: String(slowMs) },
    onStarted: async (child) => {
      await project.untilCalled(3);
      for (const signal of signals) {
        child.kill(signal);
        if (pauseMs > 0) await wait(pauseMs);
      }
    },
  });
  const calls = (await project.readCalls()).length;
  await wait(400);
  return { ...ended, calls, callsLater: (await project.readCalls()).length };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s to the wrapper alone ends the run gracefully',
  async (signal) => {
    const { code, stderr, calls, callsLater } = await runOnOldNode([signal]);
    expect(code).toBe(130);
    expect(stderr).toContain('Finishing the calls in flight');
    expect(stderr).not.toContain('Cancelling');
    expect(callsLater).toBe(calls);
    expect(calls).toBeLessThan(10);
  },
);

test.skipIf(!isReleaseTested)(
  'two simultaneous signals count once, and a later one cancels (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    expect((await runOnOldNode(['SIGINT', 'SIGTERM'])).stderr).not.toContain('Cancelling');
    expect((await runOnOldNode(['SIGINT', 'SIGINT'], 300, 3000)).stderr).toContain('Cancelling');
  },
);

test.each(['SIGHUP', 'SIGKILL'] as const)('after %s to the wrapper no call is made', async (signal) => {
  const { calls, callsLater } = await runOnOldNode([signal]);
  expect(callsLater).toBe(calls);
  expect(calls).toBeLessThan(10);
});
