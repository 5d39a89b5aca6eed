import { TouchstoneError } from '../errors.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { Run } from '../schema/run.ts';
import type { CasedTrial } from '../schema/scored-trial.ts';
import type { Store } from '../stores/store.ts';
import type { Evaluation } from './evaluation.ts';
import { hashPlan } from './plan.ts';
import { score } from './score.ts';

/**
 * Takes up a run where it was left: makes sure that it is still the same evaluation, and scores trials that were
 * recorded but not scored. Throws `run-not-resumable` with the difference when it is another evaluation.
 */
export async function resumeRun(run: Run, evaluation: Evaluation, store: Store): Promise<Run> {
  if (run.status === 'completed') throw notResumable(run, 'all of its trials are done');
  if (run.status === 'planning') throw notResumable(run, 'it was ended before its plan was complete');
  const differences = await findDifferences(run, evaluation);
  if (differences.length > 0)
    throw notResumable(run, `this is another evaluation:\n  ${differences.join('\n  ')}`);
  for await (const scored of score(unscored(run, store), evaluation)) await store.addScores(run.id, scored);
  return run;
}

async function findDifferences(run: Run, evaluation: Evaluation): Promise<string[]> {
  const sides = [describe(run), describe(evaluation)] as const;
  const differences = Object.keys(sides[0])
    .filter((part) => sides[0][part] !== sides[1][part])
    .map((part) => `${part}: it has ${sides[0][part]}, now ${sides[1][part]}`);
  const canBeReadAgain = !evaluation.dataset.sources.includes('<stdin>');
  if (canBeReadAgain && (await hashPlan(evaluation)) !== run.dataset.hash) {
    differences.push('dataset: its cases, or their selection, have changed since the run was planned');
  }
  return differences;
}

/** What makes two evaluations the same, part by part. */
function describe({ targets, metrics, scorecard, attempts, seed }: Run | Evaluation): Record<string, string> {
  return {
    targets: targets.map(({ name, use }) => `${name} ${canonicalJson(use)}`).join(', '),
    metrics: metrics.map(({ use, version }) => `${canonicalJson(use)} version ${version}`).join(', '),
    scorecard: scorecard === null ? 'none' : `${canonicalJson(scorecard.use)} version ${scorecard.version}`,
    attempts: String(attempts),
    seed: String(seed),
  };
}

const batchSize = 200;

async function* unscored(run: Run, store: Store): AsyncGenerator<CasedTrial[]> {
  let batch: CasedTrial[] = [];
  for await (const result of store.readResults(run.id)) {
    const isScored = Object.keys(result.verdicts).length > 0 || result.scorecard !== null;
    if (isScored) continue;
    batch.push(result);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function notResumable(run: Run, reason: string): TouchstoneError {
  return new TouchstoneError('run-not-resumable', `Run ${run.id} cannot be resumed: ${reason}.`);
}
