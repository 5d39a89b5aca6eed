import { createHash } from 'node:crypto';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { fill, run, type StoreTest } from './store-records.ts';

const bytes = (text: string) => Buffer.from(`\0\xFF${text}`, 'latin1');
const hashOf = (text: string) => createHash('sha256').update(bytes(text)).digest('hex');
const blob = (text: string) => ({ hash: hashOf(text), read: async () => bytes(text) });
const [one, two] = ['one', 'two'].map(hashOf) as [string, string];
const never = (hash: string) => ({
  hash,
  read: async (): Promise<Uint8Array> => {
    throw new Error('the bytes are stored already');
  },
});

/** Registers the tests of the pictures and other files of a store. */
export function testBlobs(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('bytes are read as they were stored, and stored once for all runs', async (store) => {
    await fill(store);
    await store.blobs.keep(run.id, [blob('one'), blob('two')]);
    await store.createRun({ ...run, id: 'other' });
    await store.blobs.keep('other', [never(one)]);
    expect(Buffer.from((await store.blobs.read(one)) ?? [])).toEqual(bytes('one'));
    expect(await store.blobs.read('0'.repeat(64))).toBe(undefined);
    expect(await store.blobs.listUsed(run.id)).toEqual([one, two].toSorted());
    expect(await store.blobs.listUsed('other')).toEqual([one]);
  });

  storeTest('bytes that do not have their hash are refused', async (store) => {
    await fill(store);
    const wrong = { hash: one, read: async () => bytes('two') };
    const error = await store.blobs.keep(run.id, [wrong]).catch((thrown: unknown) => thrown);
    expect((error as { code?: string }).code).toBe('blob-changed');
    expect(await store.blobs.read(one)).toBe(undefined);
  });

  storeTest('a run takes the bytes along that no other run names', async (store) => {
    await fill(store);
    await store.createRun({ ...run, id: 'other' });
    await store.createRun({ ...run, id: 'rescored' }, { trialsOf: run.id });
    await store.blobs.keep(run.id, [blob('one'), blob('two')]);
    await store.blobs.keep('other', [blob('one')]);
    await store.deleteRun(run.id);
    expect(await store.blobs.listUsed('rescored')).toEqual([one, two].toSorted());
    await store.deleteRun('rescored');
    expect(await store.blobs.read(two)).toBe(undefined);
    expect(Buffer.from((await store.blobs.read(one)) ?? [])).toEqual(bytes('one'));
    await store.deleteRun('other');
    expect(await store.blobs.read(one)).toBe(undefined);
  });

  storeTest('bytes that a run names no more are removed', async (store) => {
    await fill(store);
    await store.blobs.keep(run.id, [blob('one'), blob('two')]);
    await store.blobs.retain(run.id, new Set([two]));
    expect(await store.blobs.listUsed(run.id)).toEqual([two]);
    expect(await store.blobs.read(one)).toBe(undefined);
    await store.blobs.keep(run.id, [blob('one')]);
    expect(Buffer.from((await store.blobs.read(one)) ?? [])).toEqual(bytes('one'));
  });
}
