import { TouchstoneError } from '../errors.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { CasedTrial, ScoredTrial } from '../schema/scored-trial.ts';
import type { Store } from '../stores/store.ts';
import type { Evaluation } from './evaluation.ts';
import { hashPlan } from './plan.ts';
import { score } from './score.ts';

/**
 * Takes up a run where it was left: makes sure that it is still the same evaluation, and scores trials that were
 * recorded but not scored. What does not change an answer, such as the concurrency or the gate, is as it is said now.
 * Throws `run-not-resumable` with the difference when it is another evaluation.
 * @param onKept - Told the trials that are not going to be made again.
 */
export async function resumeRun(
  run: Run,
  evaluation: Evaluation,
  { store, onKept }: { store: Store; onKept: (trials: readonly ScoredTrial[]) => void },
): Promise<Run> {
  if (run.status === 'completed') {
    throw notResumable(run, 'all of its trials are done', `See it with \`touchstone show ${run.id}\`.`);
  }
  if (run.status === 'planning') {
    throw notResumable(
      run,
      'it was ended before its plan was complete',
      'Start a new run; nothing was called.',
    );
  }
  const differences = await findDifferences(run, evaluation);
  if (differences.length > 0)
    throw notResumable(run, `this is another evaluation:\n  ${differences.join('\n  ')}`);
  const { settings, gate } = evaluation;
  const { summary: _outdated, finishedAt: _earlier, ...plan } = run;
  const resumed: Run = { ...plan, status: 'running', settings, gate };
  await store.updateRun(resumed);
  for await (const results of keptResults(run, store)) {
    onKept(results.filter(isScored));
    const unscored = oneBatch(results.filter((result) => !isScored(result)));
    for await (const scored of score(unscored, evaluation)) {
      await store.addScores(run.id, scored);
      onKept(scored);
    }
  }
  return resumed;
}

async function findDifferences(run: Run, evaluation: Evaluation): Promise<string[]> {
  const sides = [describe(run), describe(evaluation)] as const;
  const differences = Object.keys(sides[0])
    .filter((part) => sides[0][part] !== sides[1][part])
    .map((part) => `${part}: it has ${sides[0][part]}, now ${sides[1][part]}`);
  if (differences.length === 0) differences.push(...changedTargets(run, evaluation));
  const canBeReadAgain = !evaluation.dataset.sources.includes('<stdin>');
  if (canBeReadAgain && (await hashPlan(evaluation)) !== run.dataset.hash) {
    const [before, now] = [run, evaluation].map(({ dataset }) => dataset.sources.join(', '));
    differences.push(
      before === now
        ? 'dataset: its cases, or their selection, have changed since the run was planned'
        : `dataset: it has ${before}, now ${now}`,
    );
  }
  return differences;
}

/** Targets that are written as before and yet are others, such as one whose prompt file was edited. */
function changedTargets(run: Run, evaluation: Evaluation): string[] {
  const before = new Map(run.targets.map(({ name, fingerprint }) => [name, fingerprint]));
  return evaluation.targets
    .filter(({ name, fingerprint }) => before.get(name) !== fingerprint)
    .map(({ name }) => `targets: the files, the model or the version behind ${name} are no longer the same`);
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

/** What is kept of the trials that are not made again, in groups. */
async function* keptResults(run: Run, store: Store): AsyncGenerator<Result[]> {
  let batch: Result[] = [];
  for await (const result of store.readResults(run.id)) {
    if (result.trial.status === 'cancelled') continue;
    batch.push(result);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function isScored({ verdicts, scorecard }: Result): boolean {
  return Object.keys(verdicts).length > 0 || scorecard !== null;
}

async function* oneBatch(trials: CasedTrial[]): AsyncGenerator<CasedTrial[]> {
  if (trials.length > 0) yield trials;
}

function notResumable({ id }: Run, reason: string, remedy?: string): TouchstoneError {
  const message = `Run ${id} cannot be resumed: ${reason}.`;
  return new TouchstoneError('run-not-resumable', message, remedy === undefined ? {} : { remedy });
}
