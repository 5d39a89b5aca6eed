import { run } from 'touchstone-evals';
import { createMemoryStore } from 'touchstone-evals/stores';
import { expect, test } from 'vitest';
import config from './touchstone.config.ts';

const report = await run(
  { ...config, faults: ['timeout', 'empty', 'malformed', 'stale'], perturb: ['case', 'typos'] },
  { folder: import.meta.dirname, store: createMemoryStore() },
);

/** How often a version dealt with a fault in each way. */
function handlingOf(version: string, fault: string): Record<string, number> {
  const found = report.summary.robustness?.find(({ target }) => target === `${version} + fault ${fault}`);
  return Object.fromEntries((found?.handling ?? []).map(({ label, trials }) => [label, trials]));
}

/** The share of verdicts that held. */
function heldOf(version: string, perturbation: string): number | null | undefined {
  return report.summary.robustness?.find(({ target }) => target === `${version} + ${perturbation}`)?.held
    .value;
}

test('no condition changes the scores of the versions as they are', () => {
  const scores = report.summary.targets.filter(({ target }) => !target.includes(' + '));
  expect(scores.map(({ target, score }) => [target, score.value?.toFixed(4)])).toEqual([
    ['v1', '0.8182'],
    ['v2', '0.8736'],
  ]);
});

test('both versions report a permanent tool failure; only version 2 retries and recovers', () => {
  expect(Object.keys(handlingOf('v1', 'timeout'))).toEqual(['told-user']);
  const { recovered = 0, 'told-user': told = 0, ...others } = handlingOf('v2', 'timeout');
  expect([recovered > 20, told > 20, others]).toEqual([true, true, {}]);
});

test('both versions break on unreadable results, and trust empty and outdated ones', () => {
  for (const version of ['v1', 'v2']) {
    expect(handlingOf(version, 'malformed')['gave-up']).toBeGreaterThan(20);
    expect(handlingOf(version, 'empty')['gave-up']).toBeGreaterThan(10);
    expect(handlingOf(version, 'stale')['misled']).toBeGreaterThan(30);
    expect(handlingOf(version, 'timeout')['made-up']).toBeUndefined();
  }
});

test('capital letters change nothing, typos change much', () => {
  for (const version of ['v1', 'v2']) {
    expect(heldOf(version, 'case')).toBe(1);
    expect(heldOf(version, 'typos')).toBeLessThan(0.9);
  }
});
