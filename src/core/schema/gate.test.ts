import { expect, test } from 'vitest';
import { gateMarkSchema, readGateMark } from './case.ts';
import { gateRuleSchema, gateSchema } from './gate.ts';

const isValid = (rule: object): boolean => gateRuleSchema.safeParse(rule).success;

test('a threshold written as a share is refused: it would let everything pass', () => {
  expect(isValid({ type: 'score', atLeast: 0.85 })).toBe(false);
  expect(isValid({ type: 'score', atLeast: 85 })).toBe(true);
  expect(isValid({ type: 'pass-rate', atLeast: 0 })).toBe(true);
  expect(isValid({ type: 'coverage', atLeast: 101 })).toBe(false);
});

test('a rule about a metric has one threshold', () => {
  expect(isValid({ type: 'metric', metric: 'words' })).toBe(false);
  expect(isValid({ type: 'metric', metric: 'words', atLeast: 1, atMost: 2 })).toBe(false);
  expect(isValid({ type: 'metric', metric: 'words', atMost: 200 })).toBe(true);
  expect(isValid({ type: 'no-regression', metric: 'words', criterion: 'short' })).toBe(false);
});

test('unknown kinds and settings are refused', () => {
  expect(isValid({ type: 'vibes', atLeast: 90 })).toBe(false);
  expect(isValid({ type: 'score', atLeast: 90, margin: 5 })).toBe(false);
});

test('no-regression has a margin of 5 points at 95 % by default', () => {
  expect(gateRuleSchema.parse({ type: 'no-regression' })).toEqual({
    type: 'no-regression',
    of: 'score',
    margin: 5,
    confidence: 0.95,
  });
});

test('an empty gate requires full coverage and nothing else', () => {
  expect(gateSchema.parse({})).toEqual({ minCoverage: 1 });
});

test('gate marks are parsed, and a quarantine needs an end date', () => {
  expect(readGateMark('quarantine until 2026-12-31')).toEqual({ status: 'quarantine', until: '2026-12-31' });
  expect(readGateMark('watch')).toEqual({ status: 'watch' });
  for (const mark of ['quarantine', 'quarantine until 2026-02-30', 'Watch', 'quarantine until tomorrow']) {
    expect(gateMarkSchema.safeParse(mark).success).toBe(false);
  }
});
