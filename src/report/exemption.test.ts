import { expect, test } from 'vitest';
import { exemptionOf } from './exemption.ts';

const run = { createdAt: '2026-12-31T23:59:59.000Z' };

test.each([
  [undefined, undefined],
  ['gate', undefined],
  ['watch', 'only watched'],
  ['quarantine until 2026-12-31', 'in quarantine until 2026-12-31'],
  ['quarantine until 2026-12-30', undefined],
])('on the last day of 2026, a case marked %s is %s', (gate, said) => {
  expect(exemptionOf(run, { gate })).toBe(said);
});
