import { TouchstoneError } from '../../errors.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Judgement } from '../../schema/judgement.ts';
import type { Outcome, Result } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { CasedTrial, ScoredTrial } from '../../schema/scored-trial.ts';
import { isJudgeFault } from '../../schema/verdict.ts';
import { pageSize, type Store } from '../../stores/store.ts';
import { keepGate } from '../../gate/baselines/keep-gate.ts';
import type { Evaluation } from '../evaluation.ts';
import { findDifferences } from './find-differences.ts';
import { sequentialOf } from '../../schema/gate.ts';
import { recordTargets } from './record-targets.ts';
import { drawOrder } from '../../gate/sequential/case-order.ts';

/**
 * Makes sure that a run can be gone on with: that it is the same evaluation, but for the cases, and that something is left
 * to do. Throws `run-not-resumable` with the difference.
 */
export function checkResumable(run: Run, evaluation: Evaluation, hasChangedCases: boolean): void {
  const differences = findDifferences(run, evaluation);
  if (differences.length > 0)
    throw notResumable(run, `this is another evaluation:\n  ${differences.join('\n  ')}`);
  if (run.rescoredFrom !== undefined) {
    const remedy = `Score them again, no judge is asked twice: \`touchstone rescore ${run.rescoredFrom}\`.`;
    throw notResumable(run, `its answers are those of run ${run.rescoredFrom}`, remedy);
  }
  if (run.status === 'planning') {
    throw notResumable(
      run,
      'it was ended before its plan was complete',
      'Start a new run; nothing was called.',
    );
  }
  if (run.status !== 'completed' || isJudgeMissing(run) || hasChangedCases) return;
  if (!isDecided(run)) {
    throw notResumable(run, 'all of its trials are done', `See it with \`touchstone show ${run.id}\`.`);
  }
  if (sequentialOf(evaluation.gate) === undefined) return;
  const remedy = `Ask the rest all the same: \`touchstone run --no-sequential --resume ${run.id}\`.`;
  throw notResumable(run, 'it ended since its gate was decided', remedy);
}

/** Whether the rest of a run was left since its gate needed it no more. */
function isDecided({ summary }: Run): boolean {
  return summary?.decision.sequential?.isDecided === true;
}

/**
 * Takes up a run where it was left: finds the trials that were recorded but not scored, or of which a verdict is missing
 * because the judge failed. What does not change an answer, such as the concurrency or the gate, is as it is said now.
 */
export async function resumeRun(
  run: Run,
  evaluation: Evaluation,
  { store, onKept, onJudged }: ResumeNeeds,
): Promise<TakenUp> {
  const { settings, gate } = evaluation;
  const targets = recordTargets(evaluation);
  const { summary: _outdated, finishedAt: _earlier, ...plan } = run;
  const resumed: Run = {
    ...plan,
    status: 'running',
    targets,
    settings,
    ...drawOrder(gate, run.order),
    gate: keepGate(gate, store),
  };
  await store.updateRun(resumed);
  for await (const judgement of store.readJudgements(run.id)) {
    if (judgement.askedIn === run.id) onJudged([judgement]);
  }
  const unscored: number[] = [];
  for await (const results of keptResults(run, store)) {
    onKept(results.filter(isScored));
    unscored.push(...results.filter((result) => !isScored(result)).map(({ trial }) => trial.ordinal));
  }
  return { run: resumed, unscored: inBatches(store.readResults(run.id, unscored), pageSize) };
}

/** What taking up a run works with. */
export interface ResumeNeeds {
  readonly store: Store;
  /** Told the trials that are not going to be made again. */
  readonly onKept: (trials: readonly ScoredTrial[]) => void;
  /** Told the judgements that the run has paid for so far. */
  readonly onJudged: (judgements: readonly Judgement[]) => void;
}

/** A run that goes on. */
export interface TakenUp {
  readonly run: Run;
  /** Trials that are recorded and have yet to be scored, or scored again. */
  readonly unscored: AsyncIterable<CasedTrial[]>;
}

/** Whether a run is done but for verdicts that its judge owes: it can be resumed, and asks only for these. */
export function isJudgeMissing(run: Run): boolean {
  if (isDecided(run)) return false;
  return run.summary?.targets.some(({ counts }) => (counts.judgeFaults ?? 0) > 0) ?? false;
}

/** What is kept of the trials that are not made again, in groups. */
async function* keptResults(run: Run, store: Store): AsyncGenerator<Result[]> {
  for await (const batch of inBatches(store.readResults(run.id), pageSize)) {
    yield batch.filter(({ trial }) => trial.status !== 'cancelled');
  }
}

/** Whether all that can be said of a trial has been said. */
export function isScored({ verdicts, scorecard }: Pick<Outcome, 'verdicts' | 'scorecard'>): boolean {
  const all = Object.values(verdicts);
  return (all.length > 0 || scorecard !== null) && !all.some(isJudgeFault);
}

function notResumable({ id }: Run, reason: string, remedy?: string): TouchstoneError {
  const message = `Run ${id} cannot be resumed: ${reason}.`;
  return new TouchstoneError('run-not-resumable', message, remedy === undefined ? {} : { remedy });
}
