import { hashContent } from '../../../src/core/lib/content-hash.ts';
import type { Estimate } from '../../../src/core/schema/estimate.ts';
import type {
  Calibration,
  Certificate,
  RefusedCalibration,
} from '../../../src/core/schema/review/certificate.ts';
import { wilsonInterval } from '../../../src/core/stats/proportion-interval.ts';
import { buildRubric, buildTask } from '../build-labels.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, run, type StoreTest } from './store-records.ts';
import { certificateKind, refusedCalibrationKind } from '../../../src/stores/kinds/certificate.ts';
import { addDocument } from '../../../src/stores/documents/document-store.ts';

function share(successes: number, trials: number): Estimate {
  const { lower, upper, n, confidence, method } = wilsonInterval({ successes, trials });
  return { value: successes / trials, lower, upper, n, confidence, method };
}

const task = buildTask({ items: 200 });
const unknown = { people: 0, items: 0, agreement: share(1, 1), kappa: share(1, 1), ac1: share(1, 1) };

/** Builds a calibration for tests: 200 of 1,000 answers, of which people pass 150, with TPR 0.92 and TNR 0.82. */
function buildCalibration(parts: Partial<Calibration> = {}): Calibration {
  const corrected = { value: 0.752875, lower: 0.704227, upper: 0.795841, n: 1000, confidence: 0.95 };
  return {
    judge: { name: 'gpt-5-mini', fingerprint: 'a'.repeat(32), models: ['gpt-5-mini-2026'] },
    metric: { name: 'politeness', fingerprint: 'b'.repeat(32) },
    rubric: { id: 'tone', version: buildRubric().version },
    run: task.frame.run,
    task: task.id,
    frame: task.frame,
    draw: task.draw,
    population: {
      dataset: '2'.repeat(32),
      targets: [{ name: 'bot', fingerprint: 'c'.repeat(32) }],
      categories: [
        { category: 'billing', answers: 700, cases: 700 },
        { category: 'legal', answers: 300, cases: 300 },
      ],
      at: '2026-01-02T03:04:05.678Z',
    },
    labels: { ids: ['l1', 'l2'], hash: 'd'.repeat(32) },
    split: { part: 'all', why: 'All labels count.', tuning: 0 },
    answers: 200,
    leftOut: { open: 0, disputed: 0, notApplicable: 0, notBlind: 0, noVerdict: 0 },
    table: { truePositives: 138, falseNegatives: 12, falsePositives: 9, trueNegatives: 41 },
    byCategory: [],
    byTarget: [],
    rates: {
      truePositiveRate: share(138, 150),
      trueNegativeRate: share(41, 50),
      positivePredictiveValue: share(138, 147),
      negativePredictiveValue: share(41, 53),
      agreement: share(179, 200),
      kappa: share(145, 200),
      ac1: share(166, 200),
    },
    people: unknown,
    rate: {
      judge: { value: 0.739, n: 1000 },
      people: share(150, 200),
      method: 'ppi',
      why: 'The labels were drawn at random from these answers.',
      corrected: { ...corrected, method: 'ppi-wilson' },
      ofRun: null,
      caution: null,
      worth: 1.7,
    },
    ofTargets: [],
    leastAgreement: 0.4,
    conditions: [{ id: 'labels', isRequired: true, state: 'met', sentence: 'Enough labels.' }],
    ...parts,
  };
}

/** Builds a certificate for tests, with the id that its content has. */
export function buildCertificate(
  parts: Partial<Omit<Certificate, 'id' | 'calibration'>> & {
    readonly calibration?: Partial<Calibration>;
  } = {},
): Certificate {
  const content = {
    version: 1,
    madeAt: '2026-02-01T00:00:00.000Z',
    validUntil: '2026-05-02T00:00:00.000Z',
    touchstoneVersion: '0.0.0',
    ...parts,
    calibration: buildCalibration(parts.calibration),
  } as const;
  return { ...content, id: hashContent(content) };
}

/** Builds a calibration that gave no certificate. */
export function buildRefusal(
  parts: Partial<Omit<RefusedCalibration, 'id' | 'calibration'>> & {
    readonly calibration?: Partial<Calibration>;
  } = {},
): RefusedCalibration {
  const calibration = buildCalibration({
    conditions: [{ id: 'informative', isRequired: true, state: 'failed', sentence: 'It says nothing.' }],
    ...parts.calibration,
  });
  return {
    version: 1,
    madeAt: '2026-02-01T00:00:00.000Z',
    by: 'Ann',
    touchstoneVersion: '0.0.0',
    ...parts,
    id: hashContent(calibration),
    calibration,
  };
}

const older = buildCertificate();
const newer = buildCertificate({ madeAt: '2026-03-01T00:00:00.000Z' });
const other = buildCertificate({
  madeAt: '2026-02-15T00:00:00.000Z',
  calibration: { metric: { name: 'tone 🙂', fingerprint: 'e'.repeat(32) } },
});

/** Registers the tests that every store must pass with certificates of judges. */
export function testCertificates(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('certificates are read as they were written, the newest first', async ({ documents }) => {
    expect(await Array.fromAsync(documents.list(certificateKind))).toEqual([]);
    for (const each of [newer, older, other])
      expect(await addDocument(documents, certificateKind, each)).toBe(true);
    expect(await Array.fromAsync(documents.list(certificateKind))).toEqual([newer, other, older]);
    expect(
      await Array.fromAsync(documents.list(certificateKind, { where: { metric: 'politeness' } })),
    ).toEqual([newer, older]);
    expect(await Array.fromAsync(documents.list(certificateKind, { where: { metric: 'tone 🙂' } }))).toEqual([
      other,
    ]);
    expect(await Array.fromAsync(documents.list(certificateKind, { where: { metric: 'nothing' } }))).toEqual(
      [],
    );
  });

  storeTest('a certificate is kept once and never changed', async ({ documents }) => {
    await addDocument(documents, certificateKind, older);
    expect(
      await addDocument(documents, certificateKind, { ...older, validUntil: '2030-01-01T00:00:00.000Z' }),
    ).toBe(false);
    const [kept] = await Array.fromAsync(documents.list(certificateKind));
    expect(kept).toEqual(older);
    if (kept !== undefined) kept.calibration.answers = 7;
    expect(await Array.fromAsync(documents.list(certificateKind))).toEqual([older]);
  });

  storeTest(
    'refused calibrations are kept once each, and are no certificates',
    async ({ documents, check }) => {
      const first = buildRefusal();
      const second = buildRefusal({ madeAt: '2026-02-02T00:00:00.000Z', calibration: { answers: 210 } });
      expect(await addDocument(documents, refusedCalibrationKind, first)).toBe(true);
      expect(
        await addDocument(documents, refusedCalibrationKind, {
          ...first,
          madeAt: '2026-02-03T00:00:00.000Z',
        }),
      ).toBe(false);
      expect(await addDocument(documents, refusedCalibrationKind, second)).toBe(true);
      expect(await Array.fromAsync(documents.list(refusedCalibrationKind))).toEqual([second, first]);
      expect(
        await Array.fromAsync(documents.list(refusedCalibrationKind, { where: { metric: 'politeness' } })),
      ).toEqual([second, first]);
      expect(
        await Array.fromAsync(documents.list(refusedCalibrationKind, { where: { metric: 'nothing' } })),
      ).toEqual([]);
      expect(await Array.fromAsync(documents.list(certificateKind))).toEqual([]);
      expect(await collect(check())).toEqual([]);
    },
  );

  storeTest(
    'a certificate stays when its run is deleted, and changes the version of the store',
    async (store) => {
      await store.createRun(run);
      const before = await store.readVersion();
      await addDocument(store.documents, certificateKind, buildCertificate({ calibration: { run: run.id } }));
      expect(await store.readVersion()).not.toBe(before);
      await store.deleteRun(run.id);
      expect(await Array.fromAsync(store.documents.list(certificateKind))).toHaveLength(1);
      expect(await collect(store.check())).toEqual([]);
    },
  );
}
