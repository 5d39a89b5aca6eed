import { buildCertificate } from './build-certificate.ts';
import { collect, run, type StoreTest } from './store-records.ts';
import type { TestRunner } from './test-runner.ts';

const older = buildCertificate();
const newer = buildCertificate({ madeAt: '2026-03-01T00:00:00.000Z' });
const other = buildCertificate({
  madeAt: '2026-02-15T00:00:00.000Z',
  calibration: { metric: { name: 'tone 🙂', fingerprint: 'e'.repeat(32) } },
});

/** Registers the tests that every store must pass with certificates of judges. */
export function testCertificates(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('certificates are read as they were written, the newest first', async ({ certificates }) => {
    expect(await certificates.list()).toEqual([]);
    for (const each of [newer, older, other]) expect(await certificates.add(each)).toBe(true);
    expect(await certificates.list()).toEqual([newer, other, older]);
    expect(await certificates.list('politeness')).toEqual([newer, older]);
    expect(await certificates.list('tone 🙂')).toEqual([other]);
    expect(await certificates.list('nothing')).toEqual([]);
  });

  storeTest('a certificate is kept once and never changed', async ({ certificates }) => {
    await certificates.add(older);
    expect(await certificates.add({ ...older, validUntil: '2030-01-01T00:00:00.000Z' })).toBe(false);
    const [kept] = await certificates.list();
    expect(kept).toEqual(older);
    if (kept !== undefined) kept.calibration.answers = 7;
    expect(await certificates.list()).toEqual([older]);
  });

  storeTest(
    'a certificate stays when its run is deleted, and changes the version of the store',
    async (store) => {
      await store.createRun(run);
      const before = await store.readVersion();
      await store.certificates.add(buildCertificate({ calibration: { run: run.id } }));
      expect(await store.readVersion()).not.toBe(before);
      await store.deleteRun(run.id);
      expect(await store.certificates.list()).toHaveLength(1);
      expect(await collect(store.check())).toEqual([]);
    },
  );
}
