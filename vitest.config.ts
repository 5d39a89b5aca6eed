import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { SkippedReporter } from './scripts/report-skipped.ts';

/** A file to write the results to as JSON, for programs that count them. */
const results = process.env['TOUCHSTONE_TEST_RESULTS'];

// The folder that the command line uses too. Programs that tests start from the sources then compile them once, not each time.
process.env['NODE_COMPILE_CACHE'] ??= path.join(tmpdir(), 'node-compile-cache');

/** Tests that start programs, threads or servers, and wait for them. */
const system = ['src/**/*.system.test.ts', 'test/*.test.ts'];
/** Tests of them that need nothing of Linux: with TOUCHSTONE_TEST_EVERYWHERE=1 they are all that run, as on other systems. */
const everywhere = [
  'src/core/lib/user-code/*.system.test.ts',
  'src/stores/sqlite/sqlite.system.test.ts',
  'src/evaluate/datasets/open-dataset.system.test.ts',
  'test/{config,datasets,lint}.test.ts',
];
/** Tests that look at pages in a browser. */
const browser = ['test/dashboard/*.test.ts'];
/** Tests that pack Touchstone and install it, once for a release. */
const release = ['test/release/*.test.ts'];

export default defineConfig({
  test: {
    // Real processes and servers on a slow and busy machine: limits only for what hangs.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 300_000 } },
    reporters: [
      'default',
      new SkippedReporter(),
      ...(results === undefined ? [] : [['json', { outputFile: results }] satisfies ['json', object]]),
    ],
    // A build's own variables change what commands do; tests that mean a build say so.
    env: { CI: '', GITHUB_ACTIONS: '' },
    // The files of a worker share its modules, the process of its commands and its browser: a start for each file would take longer
    // than many tests do.
    isolate: false,
    setupFiles: './test/set-up.ts',
    // Vitest takes the projects by name: tests of `browser`, `release` and `system` wait more than half of their time, and those of
    // `unit` fill the cores after them.
    maxWorkers: 3 * availableParallelism(),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,scripts,examples,dashboard}/**/*.test.{ts,tsx}'],
          exclude: system,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: process.env['TOUCHSTONE_TEST_EVERYWHERE'] === '1' ? everywhere : system,
          globalSetup: './scripts/require-build.mjs',
        },
      },
      {
        extends: true,
        test: { name: 'browser', include: browser, globalSetup: './scripts/require-build.mjs' },
      },
      { extends: true, test: { name: 'release', include: release } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/library/testing/**'],
      reporter: ['text-summary', 'html'],
    },
  },
});
