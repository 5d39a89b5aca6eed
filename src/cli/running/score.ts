import { loadScoring, type ScoringFlags } from '../../library/api/load-scoring.ts';
import { storeToRepeat } from '../program/store-of.ts';
import { openForNewRun } from './open-for-new-run.ts';
import { executeRun } from '../execute-run.ts';
import type { Output } from '../output.ts';
import { checkFormats, checkOutputs, type ReportChoices } from '../write-report.ts';
import { type GateFlags, withGate } from './gate-flags.ts';
import { filesReadBy } from './run.ts';

/** Scores a file of recorded answers, and prints the report. No target is called. Returns the exit code. */
export async function scoreFile(
  file: string,
  input: ScoringFlags & ReportChoices & Omit<GateFlags, 'sequential'>,
  output: Output,
): Promise<number> {
  checkFormats(input);
  // Recorded answers cost nothing: all of them are scored.
  const loaded = await withGate(await loadScoring(file, input), { ...input, sequential: false });
  await checkOutputs(input, { reads: [file, ...filesReadBy(loaded, input)] });
  const opened = await openForNewRun(loaded, input.store);
  const resumeHint = () =>
    'Run the same command again: no target is called, and stored judgements are reused.';
  try {
    const { report: receiver } = loaded.config;
    const choices = { ...input, store: await storeToRepeat(input) };
    return await executeRun(loaded, { store: opened, output, choices, resumeHint, receiver });
  } finally {
    await opened.close();
  }
}
