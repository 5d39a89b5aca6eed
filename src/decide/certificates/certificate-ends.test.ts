import { expect, test } from 'vitest';
import type { Calibration, Certificate } from '../../core/schema/review/certificate.ts';
import type { Drift } from '../../core/schema/review/certification.ts';
import type { RunMetric } from '../../core/schema/run.ts';
import { buildCertificate } from '../../../test/support/store-contract/certificates-contract.ts';
import { type CertificateFacts, findEnds, validUntilOf } from './certificate-ends.ts';

const metric: RunMetric = {
  name: 'politeness',
  use: { use: 'rubric' },
  version: 1,
  fingerprint: 'b'.repeat(32),
  judge: { name: 'gpt-5-mini', fingerprint: 'a'.repeat(32) },
};

const facts: CertificateFacts = {
  run: { createdAt: '2026-02-10T00:00:00.000Z' },
  metric,
  replies: { models: ['gpt-5-mini-2026'], isUnnamed: false },
  categories: new Map([
    ['billing', 700],
    ['legal', 300],
  ]),
  isRubricChanged: false,
  labelsGone: 0,
  drift: null,
};

function endsOf(
  changed: Partial<CertificateFacts>,
  certificate: Certificate = buildCertificate(),
  isIntact = true,
): string[] {
  return findEnds({ certificate, isIntact }, { ...facts, ...changed }).map(
    ({ reason, message }) => `${reason}: ${message}`,
  );
}

const withCalibration = (calibration: Partial<Calibration>) => buildCertificate({ calibration });

test('a certificate holds while nothing has changed', () => {
  expect(endsOf({})).toEqual([]);
  expect(endsOf({ replies: null, labelsGone: null })).toEqual([]);
});

test('another judge and another question end it, each by its name', () => {
  const judge = { name: 'gpt-5', fingerprint: 'f'.repeat(32) };
  expect(endsOf({ metric: { ...metric, fingerprint: 'x', judge } })).toEqual([
    'fingerprint: the judge has changed since (its model, parameters or panel; gpt-5-mini was certified)',
  ]);
  expect(endsOf({ metric: { ...metric, fingerprint: 'x' } })).toEqual([
    'fingerprint: the question to the judge has changed since (its prompt, rubric or options)',
  ]);
});

test('replies of another model end it, even under the same name, and so do replies that name none', () => {
  expect(endsOf({ replies: { models: ['gpt-5-mini-2026', 'gpt-5-mini-2027'], isUnnamed: false } })).toEqual([
    'model: replies come from the model gpt-5-mini-2027, those behind the certificate named gpt-5-mini-2026',
  ]);
  expect(endsOf({ replies: { models: [], isUnnamed: true } })[0]).toMatch(/^model: .* name no model/);
  const { judge } = buildCertificate().calibration;
  const unnamed = withCalibration({ judge: { ...judge, models: [] } });
  expect(endsOf({ replies: { models: [], isUnnamed: true } }, unnamed)).toEqual([]);
  expect(endsOf({ replies: { models: ['a'], isUnnamed: false } }, unnamed)[0]).toMatch(/named no model$/);
});

test('categories end it when they shift by more than ten points, and not by chance', () => {
  const shifted = (billing: number, legal: number, other = 0) =>
    endsOf({
      categories: new Map([
        ['billing', billing],
        ['legal', legal],
        ...(other > 0 ? [['other', other] as const] : []),
      ]),
    });
  expect(shifted(590, 410)).toEqual([
    'categories: the categories of the dataset have shifted: billing had 70.0 % of the questions and has 59.0 % (p < 0.001)',
  ]);
  // Nine points are too few, whatever the p-value; and twenty points of ten cases are chance.
  expect(shifted(6100, 3900)).toEqual([]);
  expect(shifted(5, 5)).toEqual([]);
  expect(shifted(700, 300, 150)[0]).toMatch(
    /^categories: .* other had 0\.0 % of the questions and has 13\.0 %/,
  );
});

test('it ends with its last day, which is never later than 90 days after it was made', () => {
  const at = (createdAt: string) => endsOf({ run: { createdAt } });
  expect(at('2026-05-02T00:00:00.000Z')).toEqual([]);
  expect(at('2026-05-02T00:00:00.001Z')).toEqual([
    'age: it was valid until 2026-05-02, and the run is of 2026-05-02',
  ]);
  expect(validUntilOf(buildCertificate({ validUntil: '2036-01-01T00:00:00.000Z' }))).toBe(
    '2026-05-02T00:00:00.000Z',
  );
  expect(validUntilOf(buildCertificate({ validUntil: '2026-03-01T00:00:00.000Z' }))).toBe(
    '2026-03-01T00:00:00.000Z',
  );
});

test('another wording, withdrawn labels, drift, unmet conditions and edited files end it', () => {
  expect(endsOf({ isRubricChanged: true })).toEqual([
    'wording: the words of the rubric tone were changed since',
  ]);
  expect(endsOf({ labelsGone: 1 })).toEqual(['labels: 1 of its 2 labels was withdrawn or erased']);
  const check = { labels: 20, alike: 12, lower: 15, upper: 20, isOutside: true };
  const quiet = { labels: 35, value: 3, limit: 7.6 };
  const drift = { labels: 70, waiting: 10, checks: [check, check, check], lenient: quiet, stricter: quiet };
  const endOf = (parts: Partial<Drift>) => endsOf({ drift: { ...drift, isDrifted: true, ...parts } });
  expect(endOf({})).toEqual([
    'drift: by 70 fresh labels, the judge has drifted: 3 of the last 3 checks are outside their limits',
  ]);
  const shown = { ...quiet, value: 7.7 };
  expect(endOf({ lenient: shown })).toEqual([
    'drift: by 70 fresh labels, the judge has become more lenient (35 answers that people fail)',
  ]);
  expect(endOf({ lenient: shown, stricter: shown })).toEqual([
    'drift: by 70 fresh labels, the judge has become more lenient (35 answers that people fail) and stricter (35 answers that people pass)',
  ]);
  expect(endOf({ isDrifted: false })).toEqual([]);
  const unmet = withCalibration({
    conditions: [{ id: 'labels', isRequired: true, state: 'failed', sentence: 'Too few labels.' }],
  });
  expect(endsOf({}, unmet)).toEqual(['conditions: it does not meet its conditions: Too few labels']);
  expect(endsOf({}, buildCertificate(), false)).toEqual([
    'conditions: its file has been changed since it was made',
  ]);
});
