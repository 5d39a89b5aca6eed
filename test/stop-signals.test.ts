import { expect, test } from 'vitest';
import { writePaidProject } from './paid-project.ts';
import { touchstone } from './run-cli.ts';

const cases = 12;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  for (const server of ['bot', 'judge'] as const) {
    test(`${signal} while the ${server} is asked ends the run in good order, and nothing is asked twice`, async () => {
      const project = await writePaidProject({ cases, concurrency: 2, delayMs: 50 });
      const { folder: cwd, bot, judge } = project;
      const stopped = await touchstone(['run', '--json'], {
        cwd,
        onStarted: async (child) => {
          while (project[server].requests.length < 4) await new Promise((resolve) => setTimeout(resolve, 2));
          child.kill(signal);
        },
      });
      expect(stopped).toMatchObject({
        code: 130,
        stderr: expect.stringContaining('Finishing what is in flight'),
      });
      const { run, summary } = JSON.parse(stopped.stdout);
      expect(run.status).toBe('interrupted');
      const { counts } = summary.targets[0];
      expect(counts).toMatchObject({
        planned: cases,
        notRun: cases - bot.requests.length,
        cancelled: 0,
        errors: 0,
      });
      const resumed = await touchstone(['run', '--resume', '--json'], { cwd });
      expect(resumed.code).toBe(0);
      expect(JSON.parse(resumed.stdout).summary.targets[0].counts).toMatchObject({
        planned: cases,
        measured: cases,
      });
      expect([bot.requests.length, judge.requests.length]).toEqual([cases, cases]);
    });
  }
}
