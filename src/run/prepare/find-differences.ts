import { canonicalJson } from '../../lib/canonical-json.ts';
import type { Run, RunUser } from '../../schema/run.ts';
import type { Evaluation } from '../evaluation.ts';
import { recordTargets } from './record-targets.ts';

/**
 * In what an evaluation differs from the one that a run was planned for, part by part, its cases apart; empty when it is
 * the same.
 */
export function findDifferences(run: Run, evaluation: Evaluation): string[] {
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
