import { expect, test } from 'vitest';
import { describeCostStop } from './run-control.ts';

test.each([
  [{ spent: 0.999, next: 0.01, maxCost: 1 }, 'has cost $1.00, and one more attempt (about $0.01) could pass'],
  [{ spent: 0, next: 0.000_12, maxCost: 0 }, 'has cost $0.00, and one more attempt (about $0.00012) could'],
  [{ spent: 1 + 1e-12, next: 1, maxCost: 1 }, 'could pass its limit of $1.00'],
  [{ spent: 12.5, next: 0, maxCost: 12 }, 'has cost $12.50, and its limit of $12.00 is passed'],
])('%j is said in dollars', (stop, text) => {
  expect(describeCostStop(stop)).toContain(text);
});
