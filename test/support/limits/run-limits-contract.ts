import type { RunLimits } from '../../../src/evaluate/run/limits/run-limits.ts';
import type { RunStop } from '../../../src/core/schema/run.ts';
import { buildFailedTrial, buildTrial } from '../../../src/library/testing/build-records.ts';
import { pauseFor as pause } from './rate-limiter-contract.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';

/** The limits of a run as one of its processes has them, with the reasons why it was stopped. */
export interface LimitsUnderTest {
  readonly limits: RunLimits;
  /** Aborted once the run stops. */
  readonly stop: AbortController;
  /** The pairs of what was spent and what one more trial is likely to cost, whenever the money was gone. */
  readonly spent: readonly (readonly [spent: number, next: number])[];
  readonly stops: readonly RunStop[];
}

/** The limits under test; a test must dispose of them. */
export type OpenLimits = (
  processes: number,
  settings: { readonly maxCost?: number; readonly maxRunRetries?: number },
  areJudged?: boolean,
) => readonly LimitsUnderTest[];

/** Registers the tests that the limits of a run must pass with the given runner, whether one process works on it or several. */
export function testRunLimitsContract(name: string, open: OpenLimits, { test, expect }: TestRunner): void {
  const fact = (title: string, check: () => Promise<void>) => test(`${name}: ${title}`, check);
  const atIndex = (all: readonly LimitsUnderTest[], index: number) =>
    all[index % all.length] as LimitsUnderTest;
  const settings = { concurrency: 4, stopAfterFailures: undefined };

  /** Makes trials one after the other until none is admitted. Returns their number. */
  const work = async ({ limits, stop }: LimitsUnderTest, cost: () => number, begun = { trials: 0 }) => {
    while (!stop.signal.aborted && (await limits.budget.admit('bot'))) {
      begun.trials += 1;
      await pause(2);
      limits.budget.settle(buildTrial('yes', { target: 'bot', cost: cost() }));
      limits.budget.addScored(1);
    }
    return begun.trials;
  };

  fact('a budget is used, and no more than that is spent by all together', async () => {
    const all = open(3, { maxCost: 1 });
    const begun = { trials: 0 };
    const workers = Array.from({ length: 9 }, (_, index) => work(atIndex(all, index), () => 0.01, begun));
    await Promise.all(workers);
    expect(begun.trials).toBeLessThanOrEqual(100);
    expect(begun.trials).toBeGreaterThanOrEqual(95);
    const [said] = all.flatMap((each) => each.spent);
    expect(said?.[0]).toBeCloseTo(begun.trials / 100, 6);
    expect(said?.[1]).toBeCloseTo(0.01, 6);
  });

  fact('while the price of a trial is unknown, one is made at a time', async () => {
    const all = open(2, { maxCost: 1 });
    const [one, other] = [atIndex(all, 0), atIndex(all, 1)];
    expect(await one.limits.budget.admit('bot')).toBe(true);
    const second = other.limits.budget.admit('bot');
    expect(await Promise.race([second, pause(150).then(() => 'waits')])).toBe('waits');
    one.limits.budget.settle(buildTrial('yes', { target: 'bot', cost: 0.1 }));
    one.limits.budget.addScored(1);
    expect(await second).toBe(true);
  });

  fact('a trial that was not begun after all makes room for another', async () => {
    const all = open(2, { maxCost: 0.25 });
    const [one, other] = [atIndex(all, 0).limits.budget, atIndex(all, 1).limits.budget];
    await one.admit('bot');
    one.settle(buildTrial('yes', { target: 'bot', cost: 0.1 }));
    one.addScored(1);
    expect(await one.admit('bot')).toBe(true);
    const next = other.admit('bot');
    expect(await Promise.race([next, pause(150).then(() => 'waits')])).toBe('waits');
    one.withdraw('bot');
    expect(await next).toBe(true);
  });

  fact('what all have spent is known to each of them', async () => {
    const all = open(2, {});
    for (const { limits } of all) {
      await limits.budget.admit('bot');
      limits.budget.settle(buildTrial('yes', { target: 'bot', cost: 0.5 }));
    }
    await pause(2500);
    for (const { limits } of all) expect(limits.budget.spent().targets).toBe(0.5 * all.length);
  });

  fact('repeats are counted over all, and none is made twice', async () => {
    const all = open(3, { maxRunRetries: 20 });
    let taken = 0;
    const take = async (each: LimitsUnderTest) => {
      while (await each.limits.takeRepeat()) taken += 1;
    };
    await Promise.all(all.map(take));
    expect(taken).toBeLessThanOrEqual(20);
    expect(taken).toBeGreaterThanOrEqual(20 - 4 * all.length);
  });

  fact('failures in a row are counted over all, an answer ends the row, and each opens once', async () => {
    const all = open(2, {});
    const opened: number[] = [];
    const breakers = all.map(({ limits }) =>
      limits.createBreaker('bot', { ...settings, stopAfterFailures: 6 }, (_failures, inARow) => {
        opened.push(inARow);
      }),
    );
    const add = (index: number, isFailed: boolean) =>
      breakers[index % breakers.length]?.add(
        isFailed
          ? buildFailedTrial('timeout', 'late', { target: 'bot' })
          : buildTrial('yes', { target: 'bot' }),
      );
    for (let index = 0; index < 5; index += 1) await add(index, true);
    await pause(600);
    await add(0, false);
    await pause(600);
    for (let index = 0; index < 5; index += 1) await add(index, true);
    await pause(2500);
    expect(opened).toEqual([]);
    for (let index = 0; index < 4; index += 1) await add(index, true);
    await pause(2500);
    expect(opened).toHaveLength(new Set(all).size);
    for (const inARow of opened) expect(inARow).toBeGreaterThanOrEqual(6);
  });

  fact('nothing more is admitted once the run stops', async () => {
    const all = open(2, { maxCost: 1 });
    const one = atIndex(all, 0);
    expect(await one.limits.budget.admit('bot')).toBe(true);
    const waiting = one.limits.budget.admit('bot');
    one.stop.abort();
    expect(await waiting).toBe(false);
  });
}
