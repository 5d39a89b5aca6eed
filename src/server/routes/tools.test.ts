import { expect, onTestFinished, test, vi } from 'vitest';
import { storeToolRun } from '../../../test/support/tool-records.ts';
import type { ToolsView } from '../../core/schema/api/tools-view.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { buildRun } from '../../library/testing/build-records.ts';
import { createApp } from '../create-app.ts';
import { createAccess } from '../local-access.ts';

const access = createAccess(4321);

/** Asks a server over a store for the tools of a run. */
function askFor(store: Store) {
  const app = createApp({
    openStore: () => Promise.resolve(store),
    assets: { document: '', files: new Map() },
    access,
  });
  const headers = { host: `127.0.0.1:${access.port}`, cookie: `touchstone-${access.port}=${access.secret}` };
  return async (): Promise<ToolsView> => {
    const response = await app.request(`http://127.0.0.1:${access.port}/api/runs/latest/tools`, { headers });
    return (await response.json()) as ToolsView;
  };
}

const { targets } = buildRun();
const asked = { id: 'one', expected: [], answers: { bot: { calls: ['search'] } } };

test('a completed run is read once, a run that was made longer again', async () => {
  const memory = createMemoryStore();
  const { run, results } = await storeToolRun([asked], targets, { store: memory });
  let reads = 0;
  const ask = askFor({
    ...memory,
    countTraits: async (...given) => {
      reads += 1;
      return await memory.countTraits(...given);
    },
  });
  expect(await ask()).toEqual(await ask());
  expect(reads).toBe(1);
  await memory.addTrials(run.id, results);
  await memory.updateRun({ ...run, finishedAt: '2026-02-01T00:00:00.000Z' });
  await ask();
  expect(reads).toBe(2);
});

test('a run whose tools are not counted yet is being prepared, and is read once for all who ask', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const memory = createMemoryStore();
  await storeToolRun([asked], targets, { store: memory });
  const { promise: counted, resolve } = Promise.withResolvers<void>();
  let reads = 0;
  const ask = askFor({
    ...memory,
    countTraits: async (...given) => {
      reads += 1;
      await counted;
      return await memory.countTraits(...given);
    },
  });
  const early = ask();
  await vi.waitUntil(() => reads === 1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await early).toEqual({ isBeingPrepared: true });
  resolve();
  expect((await ask()).targets[0]?.tools.map(({ tool }) => tool)).toEqual(['search']);
  expect(reads).toBe(1);
});

test('a run under way is read again each time', async () => {
  const memory = createMemoryStore();
  const { results, run } = await storeToolRun([asked], targets, { store: memory, status: 'running' });
  const ask = askFor(memory);
  expect((await ask()).targets[0]?.tools.map(({ tool }) => tool)).toEqual(['search']);
  const [first] = results;
  if (first === undefined) throw new Error('There is no result.');
  const transcript = first.trial.transcript.map(({ toolCalls: _, ...message }) => message);
  await memory.addTrials(run.id, [{ ...first, trial: { ...first.trial, transcript } }]);
  await memory.addScores(run.id, [{ ...first, trial: { ...first.trial, transcript } }]);
  expect((await ask()).targets[0]?.tools).toEqual([]);
});
