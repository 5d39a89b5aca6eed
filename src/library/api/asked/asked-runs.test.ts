import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { RunPlan } from '../project/plan-run.ts';
import {
  addPlan,
  admitAsked,
  askForRun,
  type AskedRun,
  confirmAsked,
  leaveAsked,
  readAsked,
  takeAsked,
  withdrawAsked,
} from './asked-runs.ts';
import { forgetWorker, noteWorker } from './workers.ts';

const store = createMemoryStore();
const planned = { text: '2 calls', plan: { calls: 2 } as RunPlan };

/** Asks for a run, with workers that are alive. */
async function ask(...workers: string[]): Promise<AskedRun> {
  for (const worker of ['one', 'two']) await forgetWorker(store.shared, worker);
  for (const worker of workers) await noteWorker(store.shared, worker);
  return await askForRun(store, { by: 'ann', wanted: { type: 'plan', request: {} } });
}

async function take(worker: string): Promise<AskedRun> {
  const taken = await takeAsked(store, worker, { mayBegin: true });
  if (taken === undefined) throw new Error('nothing to take');
  return taken;
}

async function stateOf({ id }: AskedRun): Promise<string | undefined> {
  return (await readAsked(store, id))?.asked.state;
}

/** Asks for a run that is taken to be begun. */
async function askStarting(): Promise<AskedRun> {
  const asked = await ask('one', 'two');
  await addPlan(store, await take('one'), planned);
  await confirmAsked(store, asked.id, { maxCost: 1 });
  return await take('one');
}

test('of many workers at once, exactly one plans it, and exactly one begins it', async () => {
  const asked = await ask('one', 'two');
  const race = async () => {
    const all = await Promise.all(['one', 'two'].map((each) => takeAsked(store, each, { mayBegin: true })));
    return all.filter((taken) => taken !== undefined);
  };
  const [plans, ...none] = await race();
  expect([plans?.state, none]).toEqual(['planning', []]);
  await addPlan(store, plans as AskedRun, planned);
  expect(await race()).toEqual([]);
  await confirmAsked(store, asked.id, {});
  const [begins, ...others] = await race();
  expect([begins?.state, others]).toEqual(['starting', []]);
  expect(await admitAsked(store, asked.id, 'run-1')).toBe(true);
  expect(await admitAsked(store, asked.id, 'run-2')).toBe(false);
  expect((await readAsked(store, asked.id))?.asked).toMatchObject({ state: 'begun', run: 'run-1' });
});

test('a worker that dies while it plans is followed by another, and its late plan counts for nothing', async () => {
  const asked = await ask('one', 'two');
  const taken = await take('one');
  await forgetWorker(store.shared, 'one');
  expect((await take('two')).state).toBe('planning');
  await addPlan(store, taken, planned);
  expect(await stateOf(asked)).toBe('planning');
  await withdrawAsked(store, asked.id);
});

test('a worker that dies while it begins a run is followed by nobody, and its process, which may be alive, asks nothing', async () => {
  const asked = await askStarting();
  await forgetWorker(store.shared, 'one');
  expect((await readAsked(store, asked.id))?.asked).toMatchObject({
    state: 'refused',
    refusal: { message: expect.stringContaining('Nothing was asked') },
  });
  expect(await admitAsked(store, asked.id, 'run-1')).toBe(false);
  expect(await takeAsked(store, 'two', { mayBegin: true })).toBe(undefined);
});

test('what one worker refuses, such as for another config, is left to the others, and refused when none is left', async () => {
  const asked = await ask('one', 'two');
  await leaveAsked(store, await take('one'), { message: 'no such target', remedy: 'Name another.' });
  expect(await takeAsked(store, 'one', { mayBegin: true })).toBe(undefined);
  await leaveAsked(store, await take('two'), { message: 'no such file', remedy: 'Name another.' });
  expect((await readAsked(store, asked.id))?.asked).toMatchObject({
    state: 'refused',
    refusal: { message: 'no such file' },
  });
});

test('what was asked for can be withdrawn until a worker begins it', async () => {
  const asked = await ask();
  expect(await withdrawAsked(store, asked.id)).toBe(true);
  expect(await readAsked(store, asked.id)).toBe(undefined);
  const { id } = await askStarting();
  expect(await withdrawAsked(store, id)).toBe(false);
});
