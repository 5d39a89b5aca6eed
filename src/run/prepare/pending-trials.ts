import { readAhead } from '../../lib/read-ahead.ts';
import type { Run } from '../../schema/run.ts';
import type { TrialSpec } from '../../schema/trial-spec.ts';
import { pageSize, type Store } from '../../stores/store.ts';
import { inTurns } from '../call/in-turns.ts';
import { trialsOfCase } from './plan.ts';
import { readInOrder } from '../../gate/sequential/read-in-order.ts';

/**
 * What is to be asked of some targets: the trials of the plan, in the order of its cases or that of the run, without those
 * that are kept and done. As many as are asked at a time are at hand before they are asked for.
 */
export function pendingTrials(
  run: Run,
  targets: ReadonlySet<string>,
  store: Store,
): AsyncIterable<TrialSpec> {
  return readAhead(pendingPages(run, targets, store), Math.max(pageSize, run.settings.concurrency));
}

async function* pendingPages(
  run: Run,
  targets: ReadonlySet<string>,
  store: Store,
): AsyncGenerator<TrialSpec[]> {
  let page: TrialSpec[] = [];
  for await (const planned of readInOrder(run, store)) {
    const specs = trialsOfCase(run, planned).filter((spec) => targets.has(spec.target));
    page.push(...(run.isInterleaved === true ? inTurns(run, planned.position, specs) : specs));
    if (page.length < pageSize) continue;
    yield await dropDone(run, page, store);
    page = [];
  }
  yield await dropDone(run, page, store);
}

async function dropDone(run: Run, specs: readonly TrialSpec[], store: Store): Promise<TrialSpec[]> {
  const done = await store.findDone(run.id, specs);
  return specs.filter(({ key }) => !done.has(key));
}
