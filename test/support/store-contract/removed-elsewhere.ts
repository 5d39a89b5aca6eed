import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import type { Store } from '../../../src/stores/store.ts';
import { collect, plan, run, trialAt } from './store-records.ts';

/**
 * Registers the test that a process writes to no run that another one has removed, although it has written to it before.
 * @param openTwo - Opens an empty store twice, as two processes do.
 */
export function testRemovedElsewhere(
  name: string,
  openTwo: () => Promise<readonly [Store, Store]>,
  { test, expect }: TestRunner,
): void {
  test(`${name}: a run that another process removes is not found by the next write or claim, and one that it adds again is`, async () => {
    await using opened = new AsyncDisposableStack();
    const [one, other] = await openTwo();
    for (const store of [one, other]) opened.defer(async () => await store.close());
    const answer = { case: plan(0).case, trial: trialAt(0, 'answer') };
    const write = async () => {
      await one.addCases(run.id, [plan(0)]);
      await one.addTrials(run.id, [answer]);
    };
    await one.createRun(run);
    await write();
    await other.deleteRun(run.id);
    const notFound = { code: 'run-not-found' };
    await expect(one.claimRun(run.id, 'part')).rejects.toMatchObject(notFound);
    await expect(one.addTrials(run.id, [answer])).rejects.toMatchObject(notFound);
    await other.createRun(run);
    await write();
    await other.deleteRun(run.id);
    await other.createRun(run);
    await write();
    expect(await collect(other.readTrials(run.id))).toEqual([[answer]]);
    await (await one.claimRun(run.id, 'part'))[Symbol.asyncDispose]();
  });
}
