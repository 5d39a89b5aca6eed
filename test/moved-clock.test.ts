import path from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../src/core/schema/api/report.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { startTraceCollector } from './support/trace-collector.ts';
import { writeMovedClock } from './moved-clock.ts';
import { rowOf, writePaidProject } from './paid-project.ts';
import { touchstone } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const [cases, delayMs] = [9, 40];
const jumps = { hours: [0, 5, -3, 30, -48], everyMs: 23 };
const hourMs = 3_600_000;

/** Reads the judgements of a run. */
async function readJudgements(folder: string, runId: string) {
  const store = openSqliteStore(path.join(folder, '.touchstone', 'touchstone.db'));
  const judgements = await Array.fromAsync(store.readJudgements(runId));
  await store.close();
  return judgements;
}

test.skipIf(!isReleaseTested)(
  'durations and order stay right while the system clock jumps by hours (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    await using collector = await startTraceCollector();
    const project = await writePaidProject({ cases, delayMs });
    const { folder: cwd } = project;
    const env = await writeMovedClock(cwd, jumps);
    await project.writeConfig({ timeLimitMs: 60_000, trialTimeLimitMs: 60_000, maxDurationMs: hourMs });
    const began = performance.now();
    const { code, stdout } = await touchstone(['run', '--json', '--otel', collector.url], { cwd, env });
    const tookMs = performance.now() - began;
    expect(code).toBe(0);
    const { run, results } = JSON.parse(stdout) as Report;
    const [createdAt, finishedAt] = [Date.parse(run.createdAt), Date.parse(run.finishedAt ?? '')];
    expect(finishedAt - createdAt).toBeGreaterThanOrEqual(delayMs);
    expect(finishedAt - createdAt).toBeLessThanOrEqual(tookMs);
    const judgements = await readJudgements(cwd, run.id);
    expect([results?.length, judgements.length]).toEqual([cases, cases]);
    const within = (time: string, afterMs = 0) => {
      expect(Date.parse(time)).toBeGreaterThanOrEqual(createdAt + afterMs);
      expect(Date.parse(time)).toBeLessThanOrEqual(finishedAt);
    };
    for (const { trial } of results ?? []) {
      within(trial.startedAt);
      expect(trial.latency?.totalMs).toBeGreaterThanOrEqual(delayMs - 1);
      expect(trial.latency?.totalMs).toBeLessThanOrEqual(tookMs);
    }
    for (const { askedAt, calls } of judgements) {
      within(askedAt, delayMs - 1);
      for (const call of calls) expect(call.latencyMs).toBeLessThanOrEqual(tookMs);
    }
    const [whole] = collector.spans.filter(({ name }) => name === 'touchstone run');
    expect(collector.spans).toHaveLength(2 * cases + 1);
    for (const span of collector.spans) {
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(whole?.startTimeUnixNano ?? 0));
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(whole?.endTimeUnixNano ?? 0));
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    }
  },
);

test.skipIf(!isReleaseTested)(
  'time limits of calls and runs hold while the system clock jumps (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writePaidProject({ cases: 3 });
    const { folder: cwd, bot } = project;
    const env = await writeMovedClock(cwd, jumps);
    bot.play({ fault: 'hang' });
    await project.writeConfig({ timeLimitMs: 150, maxRetries: 0 });
    const timedOut = await touchstone(['run', '--json'], { cwd, env });
    expect(timedOut.code).toBe(2);
    const codes = (JSON.parse(timedOut.stdout) as Report).results?.map(({ trial }) => trial.error?.code);
    expect(codes).toEqual(['timeout', 'timeout', 'timeout']);
    bot.play({ text: 'yes, call 0', delayMs: 50 });
    await project.writeRows(Array.from({ length: 2000 }, (_, number) => rowOf(number)));
    await project.writeConfig({ maxDurationMs: 500 });
    const ended = await touchstone(['run', '--json'], { cwd, env });
    expect(ended.code).toBe(2);
    const { run } = JSON.parse(ended.stdout) as Report;
    expect(run.stops).toMatchObject([{ reason: 'time' }]);
  },
);

test.skipIf(!isReleaseTested)(
  "a Retry-After date is read by the server's clock, not by a wrong local one (needs TOUCHSTONE_TEST_ALL=1)",
  async () => {
    const runWithClock = async (hours: number) => {
      const project = await writePaidProject({ cases: 3 });
      const { folder: cwd, bot, judge } = project;
      const until = Date.now() + 2500;
      const busy = { 'retry-after': new Date(until).toUTCString() };
      // The header has whole seconds.
      const free = () => Date.now() >= Math.floor(until / 1000) * 1000;
      const early: number[] = [];
      const refuse = () => ({ fault: 'error' as const, status: 429, headers: busy });
      for (const [server, reply] of [
        [bot, { text: 'yes, call 0' }],
        [judge, { judgement: { reason: 'It does.', score: 0.75 } }],
      ] as const) {
        server.play(({ index }) => {
          if (index > 0 && !free()) early.push(index);
          return free() ? reply : refuse();
        });
      }
      await project.writeConfig({ concurrency: 1 });
      const env = await writeMovedClock(cwd, { hours: [hours], everyMs: 1000 });
      const { code, stdout } = await touchstone(['run', '--json'], { cwd, env });
      expect([hours, code]).toEqual([hours, 0]);
      const { summary } = JSON.parse(stdout) as Report;
      expect(summary?.targets[0]?.counts).toMatchObject({ measured: 3 });
      expect([hours, early]).toEqual([hours, []]);
    };
    await Promise.all([-7, 7].map(runWithClock));
  },
);

test.skipIf(!isReleaseTested)(
  'a process whose clock is days behind resumes a run and asks nothing twice (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writePaidProject({ cases, delayMs: 20, concurrency: 2 });
    const { folder: cwd, bot, judge } = project;
    const back = await writeMovedClock(cwd, { hours: [-72], everyMs: 1000 });
    await touchstone(['run'], {
      cwd,
      onStarted: async (child) => {
        await expect.poll(() => bot.requests.length).toBeGreaterThan(3);
        child.kill('SIGINT');
      },
    });
    expect(await touchstone(['run', '--resume'], { cwd, env: back })).toMatchObject({ code: 0 });
    expect([bot.requests.length, judge.requests.length]).toEqual([cases, cases]);
    // By the clock the next run begins before the first, but it is a new run.
    expect(await touchstone(['run', '--no-cache'], { cwd, env: back })).toMatchObject({ code: 0 });
    expect([bot.requests.length, judge.requests.length]).toEqual([2 * cases, 2 * cases]);
    const { stdout } = await touchstone(['runs', '--json'], { cwd });
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect(await touchstone(['compare', 'latest', 'latest~1'], { cwd })).toMatchObject({ code: 0 });
  },
);

test.skipIf(!isReleaseTested)(
  'after the clock was set back, the latest run is the last one made (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const { folder: cwd } = await writePaidProject({ cases: 1, delayMs: 0 });
    const setBack = await writeMovedClock(cwd, { hours: [-50], everyMs: hourMs });
    const runs: Report['run'][] = [];
    for (const env of [{}, setBack, setBack]) {
      const { stdout } = await touchstone(['run', '--json'], { cwd, env });
      runs.push((JSON.parse(stdout) as Report).run);
    }
    const [first, second, third] = runs;
    expect(Date.parse(first?.createdAt ?? '') - Date.parse(second?.createdAt ?? '')).toBeGreaterThan(
      49 * hourMs,
    );
    const { stdout } = await touchstone(['show', '--json'], { cwd });
    expect((JSON.parse(stdout) as Report).run.id).toBe(third?.id);
    const listed = await touchstone(['runs', '--json'], { cwd });
    expect(listed.stdout.match(/"id": ?"[^"]+"/g)?.map((text) => text.split('"')[3])).toEqual(
      [third, second, first].map((run) => run?.id),
    );
  },
);
