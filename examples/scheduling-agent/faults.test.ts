import { run } from 'touchstone-evals';
import { createMemoryStore } from 'touchstone-evals/stores';
import { expect, test } from 'vitest';
import config from './touchstone.config.ts';

const report = await run(
  { ...config, faults: ['timeout', 'rate-limit', 'empty'] },
  { folder: import.meta.dirname, store: createMemoryStore() },
);

/** How often a version dealt with faults in each way, all kinds of faults together. */
function handlingOf(version: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { condition, handling = [] } of report.summary.robustness ?? []) {
    if (condition.of !== version) continue;
    for (const { label, trials } of handling) counts[label] = (counts[label] ?? 0) + trials;
  }
  return counts;
}

test('the good agent recovers or informs the user, and invents nothing', () => {
  const { recovered = 0, 'told-user': told = 0, ...others } = handlingOf('good');
  expect(others).toEqual({});
  expect(recovered).toBeGreaterThan(30);
  expect(told).toBeGreaterThan(30);
});

test('the faulty agent never reports a failure, and says "Booked" when nothing was', () => {
  const handling = handlingOf('faulty');
  expect(handling['told-user']).toBeUndefined();
  expect(handling['gave-up']).toBeGreaterThan(20);
  const timeouts = report.summary.robustness?.find(({ target }) => target === 'faulty + fault timeout');
  expect(timeouts?.handling?.find(({ label }) => label === 'made-up')?.trials).toBeGreaterThan(5);
});
