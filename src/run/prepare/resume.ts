import { TouchstoneError } from '../../errors.ts';
import { keepGate } from '../../gate/baselines.ts';
import { drawOrder } from '../../gate/sequential/case-order.ts';
import { inBatches } from '../../lib/async-iterables.ts';
import { canonicalJson } from '../../lib/content-hash.ts';
import { sequentialOf } from '../../schema/gate.ts';
import type { Judgement } from '../../schema/judgement.ts';
import type { CasedTrial, Outcome, Result, ScoredTrial } from '../../schema/result.ts';
import type { Run, RunUser } from '../../schema/run.ts';
import { isJudgeFault } from '../../schema/verdict.ts';
import type { Store } from '../../stores/store.ts';
import type { Evaluation } from '../evaluation.ts';
import { recordTargets } from './plan.ts';

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
export async function reopenRun(
  run: Run,
  evaluation: Evaluation,
  { store, onKept, onJudged }: ResumeNeeds,
): Promise<ResumedRun> {
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
export interface ResumedRun {
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
  for await (const batch of inBatches(store.readResults(run.id))) {
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

/**
 * In what an evaluation differs from the one that a run was planned for, part by part, its cases apart; empty when it is
 * the same.
 */
function findDifferences(run: Run, evaluation: Evaluation): string[] {
  const now = { ...evaluation, ...recordRules(evaluation), targets: asWrittenBefore(run, evaluation) };
  const sides = [describe(run, run.user), describe(now, evaluation.users.simulated)] as const;
  const differences = Object.keys(sides[0])
    .filter((part) => sides[0][part] !== sides[1][part])
    .map((part) => `${part}: it has ${sides[0][part]}, now ${sides[1][part]}`);
  if (differences.length === 0)
    differences.push(...changedTargets(run, evaluation), ...changedMetrics(run, evaluation));
  return differences;
}

/** As a run keeps them: what is secret in them is no difference. */
function recordRules({
  metrics,
  scorecard,
  secrets,
}: Evaluation): Pick<DescribedParts, 'metrics' | 'scorecard'> {
  const recorded = {
    metrics: metrics.map(({ metric: _live, ...metric }) => metric),
    scorecard: scorecard && { ...scorecard, use: secrets?.json(scorecard.use) ?? scorecard.use },
  };
  return secrets === undefined ? recorded : { ...recorded, metrics: secrets.json(recorded.metrics) };
}

/** How a target is asked may change, such as how often a minute: while its fingerprint is the same, so is the target. */
function asWrittenBefore({ targets }: Run, evaluation: Evaluation): Run['targets'] {
  return recordTargets(evaluation).map(
    (now) =>
      targets.find(({ name, fingerprint }) => name === now.name && fingerprint === now.fingerprint) ?? now,
  );
}

/** Targets that are written as before and yet are others, such as one whose prompt file was edited. */
function changedTargets(run: Run, evaluation: Evaluation): string[] {
  const before = new Map(run.targets.map(({ name, fingerprint }) => [name, fingerprint]));
  return evaluation.targets
    .filter(({ name, fingerprint }) => before.get(name) !== fingerprint)
    .map(({ name }) => `targets: the files, the model or the version behind ${name} are no longer the same`);
}

/** Metrics that are written as before and yet are others, such as one whose file was edited. */
function changedMetrics(run: Run, evaluation: Evaluation): string[] {
  const before = new Map(run.metrics.map(({ name, fingerprint }) => [name, fingerprint]));
  return evaluation.metrics
    .filter(({ name, fingerprint, judge }) => judge === undefined && before.get(name) !== fingerprint)
    .map(({ name }) => `metrics: the files or the model behind ${name} are no longer the same`);
}

type DescribedParts = Pick<
  Run,
  'targets' | 'scorecard' | 'attempts' | 'caseRule' | 'seed' | 'isInterleaved'
> & {
  readonly metrics: readonly Run['metrics'][number][];
};

/** What makes two evaluations the same, part by part. */
function describe(
  { targets, metrics, scorecard, attempts, caseRule, seed, isInterleaved }: DescribedParts,
  user: RunUser | undefined,
): Record<string, string> {
  return {
    targets: targets.map(({ name, use }) => `${name} ${canonicalJson(use)}`).join(', '),
    user: user === undefined ? 'none' : `${user.name} (${user.fingerprint.slice(0, 8)})`,
    metrics: metrics.map(describeMetric).join(', '),
    scorecard: scorecard === null ? 'none' : `${canonicalJson(scorecard.use)} version ${scorecard.version}`,
    attempts: String(attempts),
    passes: describeRule(caseRule),
    seed: String(seed),
    order: isInterleaved === true ? 'targets that take turns (`touchstone ab`)' : 'each target by itself',
  };
}

function describeRule(rule: Run['caseRule']): string {
  return rule === undefined ? 'no rule' : `${rule.passes}${rule.isCurtailed ? '' : ', all attempts made'}`;
}

/** How a judge is asked may change, such as how many questions at a time; anything else about it may not. */
function describeMetric({
  use: { judge: _options, ...use },
  version,
  judge,
}: Run['metrics'][number]): string {
  const judged = judge === undefined ? '' : ` judged by ${judge.name} (${judge.fingerprint.slice(0, 8)})`;
  return `${canonicalJson(use)} version ${version}${judged}`;
}
