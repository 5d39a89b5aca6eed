import type { Run } from '../../src/core/schema/run.ts';
import { createLocalExecutor } from '../../src/evaluate/executors/local.ts';
import { exportRun } from '../../src/evaluate/run/record/archive.ts';
import { run as makeRun } from '../../src/evaluate/run/run.ts';
import { neverStopped } from '../../src/evaluate/run/run-needs.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from './build-evaluation.ts';

/** A run to send, the store that it is in, and the lines of its export. */
export interface PushedRun {
  readonly run: Run;
  readonly store: Store;
  readonly lines: string;
}

/** Makes a run of some questions, each of which takes 5 kB of its export, in a store of its own unless one is given. */
export async function makePushedRun(
  questions: number,
  store: Store = createMemoryStore(),
): Promise<PushedRun> {
  const drafts = Array.from({ length: questions }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    expected: { keywords: ['yes'] },
  }));
  const bot = buildTarget(({ caseId }) => `yes, ${caseId}: ${'ü'.repeat(1500)}`);
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  const run = await makeRun(buildEvaluation(drafts, [resolvedTarget('bot', bot)]), needs);
  return { run, store, lines: await exportedLines(run, store) };
}

/** Returns the lines of the export of a run. */
export async function exportedLines(run: Run, store: Store): Promise<string> {
  return (await Array.fromAsync(exportRun(run, store))).join('');
}
