import { TouchstoneError } from '../../../core/errors.ts';
import { portableGate } from '../../../decide/gate/baselines.ts';
import { drawOrder } from '../../../decide/gate/watch/case-order.ts';
import { inBatches } from '../../../core/lib/async-iterables.ts';
import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { sequentialOf } from '../../../core/schema/gate.ts';
import { isPreference, type Judgement } from '../../../core/schema/judgement.ts';
import type { CasedTrial, Outcome, Result, ScoredTrial } from '../../../core/schema/result.ts';
import type { Run, RunUser } from '../../../core/schema/run.ts';
import { isJudgeFault } from '../../../core/schema/verdict.ts';
import { runEditKind } from '../../../stores/kinds/run-edit.ts';
import type { Store } from '../../../stores/store.ts';
import type { Evaluation } from '../evaluation.ts';
import { editRun } from '../run-label.ts';
import { recordTargets } from './plan.ts';

/**
 * Checks that a run can be resumed: that it is the same evaluation apart from the cases, and that something is left to
 * do. Throws `run-not-resumable` with the difference.
 */
export function checkResumable(run: Run, evaluation: Evaluation, hasChangedCases: boolean): void {
  const differences = findDifferences(run, evaluation);
  if (differences.length > 0)
    throw notResumable(run, `this is another evaluation:\n  ${differences.join('\n  ')}`);
  if (run.rescoredFrom !== undefined) {
    const remedy = `Score them again with \`touchstone rescore ${run.rescoredFrom}\`: no judge is asked twice.`;
    throw notResumable(run, `its answers belong to run ${run.rescoredFrom}`, remedy);
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
    throw notResumable(run, 'all of its attempts are done', `See it with \`touchstone show ${run.id}\`.`);
  }
  if (sequentialOf(evaluation.gate) === undefined) return;
  const remedy = `To ask the rest anyway:  \`touchstone run --no-sequential --resume ${run.id}\`.`;
  throw notResumable(run, 'it ended when its gate was decided', remedy);
}

/** Returns whether a run was planned for another evaluation: for other targets, metrics, rules or another gate. */
export function isAnotherEvaluation(run: Run, evaluation: Evaluation, store: Store): boolean {
  const gate = canonicalJson(portableGate(evaluation.gate, store));
  return findDifferences(run, evaluation).length > 0 || gate !== canonicalJson(run.gate);
}

/**
 * Returns whether an evaluation has new combinations of a grid of settings and is the same otherwise: every target of the run is
 * among its targets, unchanged.
 */
export function hasNewCells(run: Run, evaluation: Evaluation): boolean {
  const { targets } = evaluation;
  if (!targets.some(({ grid }) => grid !== undefined) || targets.length <= run.targets.length) return false;
  const known = new Map(targets.map((target) => [target.name, target.fingerprint]));
  const isWhole = run.targets.every(({ name, fingerprint }) => known.get(name) === fingerprint);
  return isWhole && findDifferences({ ...run, targets: recordTargets(evaluation) }, evaluation).length === 0;
}

/** Returns whether two runs score an answer alike, so that they can share the scores. */
export function haveSameRules(one: Run, other: Run): boolean {
  const rulesOf = ({ metrics, scorecard }: Run) => [
    scorecard && [scorecard.use, scorecard.version],
    metrics.map((metric) => [
      describeMetric(metric),
      metric.name,
      metric.judge === undefined ? metric.fingerprint : null,
    ]),
  ];
  return canonicalJson(rulesOf(one)) === canonicalJson(rulesOf(other));
}

/** Returns true when a run ended early because its gate was decided. */
function isDecided({ summary }: Run): boolean {
  return summary?.decision.sequential?.isDecided === true;
}

/**
 * Reopens a run where it ended. Finds the trials that were recorded but not scored, and those with a missing verdict
 * because the judge failed. Settings that change no answer, such as the concurrency or the gate, come from the
 * evaluation as it is now.
 */
export async function reopenRun(
  run: Run,
  evaluation: Evaluation,
  { store, onKept, onJudged }: ResumeNeeds,
): Promise<ResumedRun> {
  const { settings, gate, label = {} } = evaluation;
  const isEdited = (await store.documents.get(runEditKind, [run.id])) !== undefined;
  // What people have called the run since stays next to it, and so does what it is called now.
  if (isEdited) await editRun(run, label, store);
  const targets = recordTargets(evaluation);
  const { summary: _outdated, finishedAt: _earlier, ...plan } = run;
  const resumed: Run = {
    ...plan,
    ...(!isEdited && label),
    status: 'running',
    targets,
    tools: evaluation.tools && { ...run.tools, ...evaluation.tools.record },
    settings,
    ...drawOrder(gate, run.order),
    gate: portableGate(gate, store),
  };
  await store.updateRun(resumed);
  for await (const judgement of store.readJudgements(run.id)) {
    if (judgement.askedIn === run.id && !isPreference(judgement)) onJudged([judgement]);
  }
  const unscored: number[] = [];
  for await (const results of readFinished(run, store)) {
    onKept(results.filter(isScored));
    unscored.push(...results.filter((result) => !isScored(result)).map(({ trial }) => trial.ordinal));
  }
  return { run: resumed, unscored: inBatches(store.readResults(run.id, unscored)) };
}

/** The services and callbacks that reopening a run uses. */
export interface ResumeNeeds {
  readonly store: Store;
  /** Called with the trials that are not going to be made again. */
  readonly onKept: (trials: readonly ScoredTrial[]) => void;
  /** Called with the judgements that the run has paid for so far. */
  readonly onJudged: (judgements: readonly Judgement[]) => void;
}

/** A resumed run. */
export interface ResumedRun {
  readonly run: Run;
  /** The trials that are recorded and have yet to be scored, or scored again. */
  readonly unscored: AsyncIterable<CasedTrial[]>;
  /** True when every trial is made and scored, so that nothing has to be looked for. */
  readonly isComplete?: boolean;
}

/**
 * Returns true when a run is complete apart from verdicts that its judge failed to give. Such a run can be resumed, and
 * asks only for these.
 */
export function isJudgeMissing(run: Run): boolean {
  if (isDecided(run)) return false;
  return run.summary?.targets.some(({ counts }) => (counts.judgeFaults ?? 0) > 0) ?? false;
}

/** Yields the results of the trials that are not made again, in batches. */
async function* readFinished(run: Run, store: Store): AsyncGenerator<Result[]> {
  for await (const batch of inBatches(store.readResults(run.id))) {
    yield batch.filter(({ trial }) => trial.status !== 'cancelled');
  }
}

/** Returns true when a trial has all its verdicts. */
export function isScored({ verdicts, scorecard }: Pick<Outcome, 'verdicts' | 'scorecard'>): boolean {
  const all = Object.values(verdicts);
  return (all.length > 0 || scorecard !== null) && !all.some(isJudgeFault);
}

function notResumable({ id }: Run, reason: string, remedy?: string): TouchstoneError {
  const message = `Run ${id} cannot be resumed: ${reason}.`;
  return new TouchstoneError('run-not-resumable', message, remedy === undefined ? {} : { remedy });
}

/**
 * Lists the parts in which an evaluation differs from the one that a run was planned for, its cases apart; empty when
 * it is the same.
 */
export function findDifferences(run: Run, evaluation: Evaluation): string[] {
  const now = { ...evaluation, ...recordRules(evaluation), targets: withEarlierOptions(run, evaluation) };
  const sides = [describe(run, run.user), describe(now, evaluation.users.simulated)] as const;
  const differences = Object.keys(sides[0])
    .filter((part) => sides[0][part] !== sides[1][part])
    .map((part) => `${part}: it has ${sides[0][part]}, now ${sides[1][part]}`);
  if (differences.length === 0)
    differences.push(...changedTargets(run, evaluation), ...changedMetrics(run, evaluation));
  return differences;
}

/**
 * Names the parts that differ in a few words, such as "metric tone differs, scorecard differs", without any of their options.
 * @param differences - Those that `findDifferences` has found.
 */
export function nameDifferences(run: Run, evaluation: Evaluation, differences: readonly string[]): string {
  const now = { ...recordRules(evaluation), targets: withEarlierOptions(run, evaluation) };
  const targetOf = ({ use, fingerprint }: Run['targets'][number]) => canonicalJson([use, fingerprint]);
  const metricOf = (metric: Run['metrics'][number]) =>
    canonicalJson([describeMetric(metric), metric.judge === undefined ? metric.fingerprint : null]);
  const parts = new Set(differences.map((difference) => difference.slice(0, difference.indexOf(':'))));
  const names = Array.from(parts).flatMap((part) => {
    if (part === 'targets')
      return namesThatDiffer(run.targets, now.targets, targetOf).map((name) => `target ${name}`);
    if (part === 'metrics')
      return namesThatDiffer(run.metrics, now.metrics, metricOf).map((name) => `metric ${name}`);
    return [part];
  });
  return (names.length === 0 ? [...parts] : names).map((name) => `${name} differs`).join(', ');
}

function namesThatDiffer<Part extends { readonly name: string }>(
  before: readonly Part[],
  now: readonly Part[],
  contentOf: (part: Part) => string,
): string[] {
  const [one, other] = [before, now].map(
    (parts) => new Map(parts.map((part) => [part.name, contentOf(part)])),
  );
  const names = new Set([...before, ...now].map(({ name }) => name));
  return [...names].filter((name) => one?.get(name) !== other?.get(name));
}

/**
 * Returns the metrics and the scorecard as a run stores them, without secrets, so that a secret makes no difference.
 */
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

/**
 * Returns the targets with their earlier options where the fingerprint is unchanged. How a target is asked may change,
 * such as its calls per minute; while its fingerprint is the same, so is the target.
 */
function withEarlierOptions({ targets }: Run, evaluation: Evaluation): Run['targets'] {
  return recordTargets(evaluation).map(
    (now) =>
      targets.find(({ name, fingerprint }) => name === now.name && fingerprint === now.fingerprint) ?? now,
  );
}

/**
 * Describes targets whose options are unchanged but whose fingerprint is not, such as one whose prompt file was edited.
 */
function changedTargets(run: Run, evaluation: Evaluation): string[] {
  const before = new Map(run.targets.map(({ name, fingerprint }) => [name, fingerprint]));
  return evaluation.targets
    .filter(({ name, fingerprint }) => before.get(name) !== fingerprint)
    .map(({ name }) => `targets: the files, the model or the version behind ${name} are no longer the same`);
}

/** Describes metrics whose options are unchanged but whose fingerprint is not, such as one whose file was edited. */
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

/** Describes the parts in which two evaluations must agree to be the same. */
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

/**
 * Describes a metric without the options of its judge. How a judge is asked may change, such as its concurrency;
 * anything else about it may not.
 */
function describeMetric({
  use: { judge: _options, ...use },
  version,
  judge,
}: Run['metrics'][number]): string {
  const judged = judge === undefined ? '' : ` judged by ${judge.name} (${judge.fingerprint.slice(0, 8)})`;
  return `${canonicalJson(use)} version ${version}${judged}`;
}
