import { TouchstoneError } from '../errors.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { Judgement } from '../schema/judgement.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { CasedTrial, ScoredTrial } from '../schema/scored-trial.ts';
import { isJudgeFault } from '../schema/verdict.ts';
import type { Store } from '../stores/store.ts';
import type { Evaluation } from './evaluation.ts';
import { hashPlan } from './plan.ts';

/**
 * Takes up a run where it was left: makes sure that it is still the same evaluation, and finds the trials that were
 * recorded but not scored, or of which a verdict is missing because the judge failed. What does not change an answer, such as the concurrency or the gate, is as it is said now.
 * Throws `run-not-resumable` with the difference when it is another evaluation.
 */
export async function resumeRun(
  run: Run,
  evaluation: Evaluation,
  { store, onKept, onJudged }: ResumeNeeds,
): Promise<TakenUp> {
  if (run.status === 'completed' && !isJudgeMissing(run)) {
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
  for await (const judgement of store.readJudgements(run.id)) {
    if (judgement.askedIn === run.id) onJudged([judgement]);
  }
  const unscored: number[] = [];
  for await (const results of keptResults(run, store)) {
    onKept(results.filter(isScored));
    unscored.push(...results.filter((result) => !isScored(result)).map(({ trial }) => trial.ordinal));
  }
  return { run: resumed, unscored: inBatches(store.readResults(run.id, unscored)) };
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
export function isJudgeMissing({ summary }: Run): boolean {
  return summary?.targets.some(({ counts }) => (counts.judgeFaults ?? 0) > 0) ?? false;
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
    metrics: metrics.map(describeMetric).join(', '),
    scorecard: scorecard === null ? 'none' : `${canonicalJson(scorecard.use)} version ${scorecard.version}`,
    attempts: String(attempts),
    seed: String(seed),
  };
}

/** How a judge is asked may change, such as how many questions at a time; whoever else it is may not. */
function describeMetric({
  use: { judge: _options, ...use },
  version,
  judge,
}: Run['metrics'][number]): string {
  const judged = judge === undefined ? '' : ` judged by ${judge.name} (${judge.fingerprint.slice(0, 8)})`;
  return `${canonicalJson(use)} version ${version}${judged}`;
}

const batchSize = 200;

/** What is kept of the trials that are not made again, in groups. */
async function* keptResults(run: Run, store: Store): AsyncGenerator<Result[]> {
  for await (const batch of inBatches(store.readResults(run.id))) {
    yield batch.filter(({ trial }) => trial.status !== 'cancelled');
  }
}

async function* inBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function isScored({ verdicts, scorecard }: Result): boolean {
  const all = Object.values(verdicts);
  return (all.length > 0 || scorecard !== null) && !all.some(isJudgeFault);
}

function notResumable({ id }: Run, reason: string, remedy?: string): TouchstoneError {
  const message = `Run ${id} cannot be resumed: ${reason}.`;
  return new TouchstoneError('run-not-resumable', message, remedy === undefined ? {} : { remedy });
}
