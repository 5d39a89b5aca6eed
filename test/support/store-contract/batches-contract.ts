import type { Batch, BatchPrompt } from '../../../src/core/schema/batches/batch.ts';
import { applyRetention } from '../../../src/privacy/retention/apply-retention.ts';
import { setRetention } from '../../../src/privacy/retention/settings.ts';
import { planErasure } from '../../../src/privacy/erasure/erase-texts.ts';
import { buildRun } from '../../../src/library/testing/build-records.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { createBatchDesk, requestIdOf } from '../../../src/evaluate/run/batches/batch-desk.ts';
import { batchKind, batchRequestKind } from '../../../src/stores/kinds/batch.ts';
import { putDocuments } from '../../../src/stores/documents/document-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { collect, fill, run, type StoreTest } from './store-records.ts';

const model = { model: 'm' } as never;

/** Returns a prompt with questions of these keys. */
export const promptOf = (keys: readonly string[], content = 'Judge it.'): BatchPrompt => ({
  names: Object.fromEntries(keys.map((key) => [key, key])),
  replyId: 'a2345678',
  request: { messages: [{ role: 'user', content }] },
});

/** Returns a batch of a run. */
export const batchOf = (id: string, ofRun: string, state: Batch['state']): Batch => ({
  id,
  run: ofRun,
  state,
  model: 'm',
  name: 'judge',
  account: 'api.example.com',
  requests: 1,
  jobs: [],
  answered: 0,
  failed: 0,
});

const requestsOf = async (store: Store) => await collect(store.documents.list(batchRequestKind));

/** Registers the tests of questions that are answered in batches. */
export function testBatches(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest(
    'a question is put aside once for all runs, with those of its prompt or not at all',
    async (store) => {
      await fill(store);
      const [one, other] = [
        createBatchDesk(run.id, store.documents),
        createBatchDesk('other', store.documents),
      ];
      const added = await Promise.all([
        one.add(model, promptOf(['a', 'b'])),
        other.add(model, promptOf(['b', 'c'])),
        one.add(model, promptOf(['d'])),
      ]);
      expect(added.toSorted()).toEqual(['added', 'added', 'known']);
      const [a, b, c] = await one.find(['a', 'b', 'c']);
      // Whichever was first has both of its questions in one request.
      expect([a, b, c].map((each) => each?.request.run)).toEqual(
        added[0] === 'added' ? [run.id, run.id, undefined] : [undefined, 'other', 'other'],
      );
      expect(b?.request.id).toBe(requestIdOf(added[0] === 'added' ? 'a' : 'b'));
      expect(await collect(store.check())).toEqual([]);
    },
  );

  storeTest(
    'batches go with their run, also where it is removed in parts, and those of others stay',
    async (store) => {
      await fill(store);
      await store.createRun(buildRun({ id: 'second' }));
      for (const id of [run.id, 'second']) {
        await createBatchDesk(id, store.documents).add(model, promptOf([`${id} 1`, `${id} 2`]));
        await createBatchDesk(id, store.documents).add(model, promptOf([`${id} 3`]));
        await putDocuments(store.documents, batchKind, [batchOf(`touchstone-${id}`, id, 'prepared')]);
      }
      expect(await store.shrinkRun('second', 2)).toBe(2);
      expect(await store.shrinkRun('second', 9)).toBe(2);
      await store.deleteRun('second');
      expect(await store.documents.count(batchKind)).toBe(1);
      expect((await requestsOf(store)).map((request) => request.run)).toEqual([run.id, run.id, run.id]);
      await store.deleteRun(run.id);
      expect(await store.documents.count(batchKind)).toBe(0);
      expect(await requestsOf(store)).toEqual([]);
      expect(await collect(store.check())).toEqual([]);
    },
  );

  storeTest('a run stays beyond its time while a batch of it is being answered', async (store) => {
    const old = { status: 'completed', createdAt: '2020-01-01T00:00:00.000Z' } as const;
    await store.createRun(buildRun({ id: 'live', ...old }));
    await store.createRun(buildRun({ id: 'done', ...old }));
    await putDocuments(store.documents, batchKind, [
      batchOf('touchstone-1', 'live', 'submitted'),
      batchOf('touchstone-2', 'done', 'gathered'),
    ]);
    await setRetention(store.accounts, 'main', ['runs=30', 'traces=never']);
    const openProject = async () => {
      throw new Error('there is no other project');
    };
    const [project] = await applyRetention({ home: store, openProject, who: 'test' });
    expect(project?.kept).toEqual([{ run: 'live', why: 'a batch of it is being answered' }]);
    expect((await collect(store.documents.list(batchKind))).map(({ run: of }) => of)).toEqual(['live']);
  });

  storeTest(
    'an erased text is in no question that waits for a batch, and that goes into none',
    async (store) => {
      await fill(store);
      const desk = createBatchDesk(run.id, store.documents);
      await desk.add(model, promptOf(['a'], 'Judge what Ada Lovelace said.'));
      await desk.add(model, promptOf(['b']));
      await (await planErasure(store, { texts: ['Ada Lovelace'] }, '2026-11-29')).erase();
      const [erased, kept] = await desk.find(['a', 'b']);
      expect(erased?.request).toMatchObject({
        state: 'ask',
        prompt: { request: { messages: [{ content: '[erased 2026-11-29]' }] } },
      });
      expect(kept?.request).toMatchObject({ state: 'waiting' });
      expect(JSON.stringify(await requestsOf(store))).not.toContain('Lovelace');
    },
  );
}
