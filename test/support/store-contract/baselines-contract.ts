import type { Baseline } from '../../../src/core/schema/decision.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, run, type StoreTest } from './store-records.ts';
import { baselineKind } from '../../../src/stores/kinds/baseline.ts';
import { putDocuments } from '../../../src/stores/documents/document-store.ts';

/** Builds a baseline for tests. */
export function baselineAt(name: string, score: number): Baseline {
  const { id, createdAt, touchstoneVersion, attempts } = run;
  return {
    touchstoneBaseline: 1,
    name,
    run: { id, createdAt, touchstoneVersion, attempts },
    scorecard: null,
    metrics: [],
    targets: [
      {
        name: 'bot',
        fingerprint: 'f',
        cases: [{ id: 'läuft 🙂', hash: 'h', score, passed: null, metrics: {} }],
      },
    ],
  };
}

/** Registers the tests that every store must pass with baselines. */
export function testBaselines(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('a store has an address for messages, and exists', async (store) => {
    expect(store.address).toMatch(/./);
    expect(await store.exists()).toBe(true);
  });

  storeTest(
    'of documents with one key in one write the last one counts, stored before or not',
    async (store) => {
      const names = Array.from({ length: 130 }, (_, index) => `n${index}`);
      const given = (score: number) => names.map((name) => baselineAt(name, score));
      for (const [first, last] of [
        [0.1, 0.2],
        [0.3, 0.4],
      ] as const) {
        await putDocuments(store.documents, baselineKind, [...given(first), ...given(last)]);
        await putDocuments(store.documents, baselineKind, [
          baselineAt('twin', first),
          baselineAt('twin', last),
        ]);
        expect(await store.documents.count(baselineKind)).toBe(131);
        expect(await store.documents.get(baselineKind, ['twin'])).toEqual(baselineAt('twin', last));
        expect(await collect(store.documents.list(baselineKind))).toEqual(
          expect.arrayContaining(given(last)),
        );
      }
    },
  );

  storeTest('a baseline is read as it was written, under its name, until it is deleted', async (store) => {
    expect(await store.documents.get(baselineKind, ['main'])).toBeUndefined();
    for (const [name, score] of [
      ['release', 0.5],
      ['main', 0.25],
      ['Older', 1],
    ] as const)
      await putDocuments(store.documents, baselineKind, [baselineAt(name, score)]);
    expect((await store.documents.heads(baselineKind, ['name'])).map(({ name }) => name)).toEqual([
      'Older',
      'main',
      'release',
    ]);
    expect(await store.documents.get(baselineKind, ['main'])).toEqual(baselineAt('main', 0.25));
    await putDocuments(store.documents, baselineKind, [baselineAt('main', 0.75)]);
    expect(await store.documents.get(baselineKind, ['main'])).toEqual(baselineAt('main', 0.75));
    expect(await store.documents.get(baselineKind, ['release'])).toEqual(baselineAt('release', 0.5));
    expect([
      await store.documents.change([baselineKind], (change) =>
        change.remove(baselineKind, { where: { name: 'main' } }),
      ),
      await store.documents.change([baselineKind], (change) =>
        change.remove(baselineKind, { where: { name: 'main' } }),
      ),
    ]).toEqual([1, 0]);
    expect((await store.documents.heads(baselineKind, ['name'])).map(({ name }) => name)).toEqual([
      'Older',
      'release',
    ]);
  });

  storeTest('a baseline stays when its run is deleted', async (store) => {
    await store.createRun(run);
    await putDocuments(store.documents, baselineKind, [baselineAt('main', 1)]);
    await store.deleteRun(run.id);
    expect(await store.documents.get(baselineKind, ['main'])).toEqual(baselineAt('main', 1));
    expect(await collect(store.check())).toEqual([]);
  });
}
