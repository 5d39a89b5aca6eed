import { hashContent } from '../lib/content-hash.ts';
import type { Estimate } from '../schema/estimate.ts';
import type { Calibration, Certificate } from '../schema/review/certificate.ts';
import { wilsonInterval } from '../stats/proportion-interval.ts';
import { buildRubric, buildTask } from './build-labels.ts';

function share(successes: number, trials: number): Estimate {
  const { lower, upper, n, confidence, method } = wilsonInterval({ successes, trials });
  return { value: successes / trials, lower, upper, n, confidence, method };
}

const task = buildTask({ items: 200 });
const unknown = { people: 0, items: 0, agreement: share(1, 1), kappa: share(1, 1), ac1: share(1, 1) };

/** Builds a calibration for tests: 200 of 1,000 answers, of which people pass 150, with TPR 0.92 and TNR 0.82. */
export function buildCalibration(parts: Partial<Calibration> = {}): Calibration {
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
