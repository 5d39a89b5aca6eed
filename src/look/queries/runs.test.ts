import { expect, test } from 'vitest';
import { putDocuments } from '../../stores/documents/document-store.ts';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import type { Run } from '../../core/schema/run.ts';
import { makeBaseline } from '../../decide/gate/make-baseline.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { buildRun } from '../../library/testing/build-records.ts';
import { summarizeRun } from '../../evaluate/run/summarize.ts';
import { buildKeptRun } from '../../../test/support/build-kept-run.ts';
import { findRun, findUnfinishedRun, listRunHeads } from './runs.ts';

async function storeOf(...runs: [id: string, status?: Run['status']][]) {
  const store = createMemoryStore();
  for (const [index, [id, status = 'completed']] of runs.entries()) {
    await store.createRun(buildRun({ id, status, createdAt: `2026-01-0${index + 1}T00:00:00.000Z` }));
  }
  return store;
}

const store = await storeOf(
  ['20260101-120000-abcd', 'interrupted'],
  ['20260102-120000-efgh', 'running'],
  ['20260103-120000-jkmn'],
);

test.each([
  ['20260101-120000-abcd', '20260101-120000-abcd'],
  ['20260101', '20260101-120000-abcd'],
  ['efgh', '20260102-120000-efgh'],
  ['latest', '20260103-120000-jkmn'],
  ['latest~0', '20260103-120000-jkmn'],
  ['latest~2', '20260101-120000-abcd'],
  [undefined, '20260103-120000-jkmn'],
])('%s means %s', async (given, id) => {
  expect((await findRun(store, given)).id).toBe(id);
});

test('a name is an id before it is latest, then a baseline, then a part of an id', async () => {
  const kept = await storeOf(['20260101-120000-main'], ['20260102-120000-efgh'], ['20260103-120000-jkmn']);
  const made = await makeBaseline('main', await findRun(kept, '20260101'), kept);
  const baselineOf = async (name: string, id: string) =>
    await putDocuments(kept.documents, baselineKind, [{ ...made, name, run: { ...made.run, id } }]);
  await baselineOf('main', '20260102-120000-efgh');
  await baselineOf('latest', '20260101-120000-main');
  await baselineOf('old', '20251231-120000-gone');
  expect((await findRun(kept, '20260101-120000-main')).id).toBe('20260101-120000-main');
  expect((await findRun(kept, 'latest')).id).toBe('20260103-120000-jkmn');
  expect((await findRun(kept, 'main')).id).toBe('20260102-120000-efgh');
  expect((await findRun(kept, '-main')).id).toBe('20260101-120000-main');
  await expect(findRun(kept, 'old')).rejects.toThrow(
    'There is no run "20251231-120000-gone", which the baseline old was made from.',
  );
});

test('a name that matches several runs is refused with their ids', async () => {
  await expect(findRun(store, '2026')).rejects.toMatchObject({
    code: 'run-not-found',
    message: '"2026" matches 3 runs: 20260103-120000-jkmn, 20260102-120000-efgh, 20260101-120000-abcd.',
  });
});

test('the error for a mistyped id suggests the nearest id', async () => {
  await expect(findRun(store, '20260101-120000-abdc')).rejects.toThrow(/Did you mean .*20260101-120000-abcd/);
});

test('the newest unfinished run is found for resuming', async () => {
  expect((await findUnfinishedRun(store)).id).toBe('20260102-120000-efgh');
  await expect(findUnfinishedRun(await storeOf())).rejects.toMatchObject({
    code: 'run-not-found',
    remedy: 'Start one: `touchstone run`.',
  });
});

test('when every run is complete, the error says how to run only the changed cases', async () => {
  await expect(findUnfinishedRun(await storeOf(['a'], ['b'], ['c', 'planning']))).rejects.toMatchObject({
    remedy: expect.stringContaining(
      'only what has changed in the dataset since the last run: `touchstone run --resume b`',
    ),
  });
});

test('a run further back than the first is refused with the number of runs', async () => {
  await expect(findRun(store, 'latest~3')).rejects.toMatchObject({
    code: 'run-not-found',
    message: 'There is no run latest~3: the store has 3.',
  });
});

test('a run whose process died has the numbers of its page in the list', async () => {
  const cases = Array.from({ length: 10 }, (_, index) => ({
    asks: `q${index}`,
    attempts: [index < 6 ? { total: index / 10 } : { total: 0, isAbsent: true }],
  }));
  const kept = await buildKeptRun(cases, { id: 'run-a', status: 'running' });
  const { targets } = await summarizeRun(kept.run, kept.store);
  const [listed] = await listRunHeads(kept.store);
  expect(listed?.isEnded).toBe(true);
  const { score, passRate, counts } = targets[0]!;
  expect(listed?.run.headlines).toMatchObject([
    { score, passRate, counts: { planned: 10, measured: 6, errors: 0 } },
  ]);
  expect(counts).toMatchObject({ measured: 6, planned: 10 });
});
