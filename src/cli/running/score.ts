import { loadScoring, type ScoringFlags } from '../../library/api/runs/load-scoring.ts';
import type { GateChoice } from '../../library/api/runs/join-gate.ts';
import { makeRun, readyRun, withGate, withRunStore } from '../../library/api/runs/make-run.ts';
import { storeToRepeat } from '../program/store-of.ts';
import { executeWork } from '../execute-run.ts';
import type { Output } from '../output.ts';
import { checkFormats, checkOutputs, type ReportChoices } from '../write-report.ts';
import { filesReadBy } from './run.ts';

/** Scores a file of recorded answers, and prints the report. No target is called. Returns the exit code. */
export async function scoreFile(
  file: string,
  input: ScoringFlags & ReportChoices & Omit<GateChoice, 'sequential'>,
  output: Output,
): Promise<number> {
  checkFormats(input);
  const loaded = withGate(await loadScoring(file, input), input);
  await checkOutputs(input, { reads: [file, ...filesReadBy(loaded, input)] });
  return await withRunStore(loaded, input, 'new', async (store) => {
    const ready = await readyRun(loaded, store, {});
    return await executeWork((needs) => makeRun(ready, needs), {
      store,
      output,
      choices: { ...input, store: await storeToRepeat(input) },
      resumeHint: () => 'Run the same command again: no target is called, and stored judgements are reused.',
      receiver: loaded.config.report,
    });
  });
}
