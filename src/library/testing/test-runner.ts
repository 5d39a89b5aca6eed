import type { expect, test } from 'vitest';

/** The test runner that a contract suite registers its tests with: vitest's own `test` and `expect`. */
export interface TestRunner {
  readonly test: typeof test;
  readonly expect: typeof expect;
}
