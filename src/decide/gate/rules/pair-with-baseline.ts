import { fingerprintScorecard } from '../../analysis/summary/fingerprint-scorecard.ts';
import type { Baseline, BaselineCase, BaselineTarget } from '../../../core/schema/decision.ts';
import { uncategorized } from '../../../core/schema/case.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { GateCase, GateEvidence } from '../gate-rule.ts';
import type { Subject } from '../phrases.ts';

/** A case of the run with its number in the baseline, which is NaN if it was not measured. */
export interface BaselinePair {
  readonly each: GateCase;
  readonly before: number;
  readonly earlier: BaselineCase;
}

/** The pairing of a run's cases with the cases of a baseline. */
export interface BaselinePairs {
  readonly pairs: readonly BaselinePair[];
  /** Ids of cases of the baseline that the run did not plan, or asked with other content. */
  readonly lost: readonly string[];
  /** Cases of the run that the baseline does not have. */
  readonly added: number;
}

/** Pairs the cases that count with the cases of a baseline by their content. */
export function pairWithBaseline(
  target: BaselineTarget,
  subject: Subject,
  { cases, planned, category, run }: Pick<GateEvidence, 'cases' | 'planned' | 'category' | 'run'>,
): BaselinePairs {
  const known = new Map(target.cases.map((each) => [each.hash, each]));
  const read = readerOf(subject, run);
  const pairs = cases.flatMap((each): BaselinePair[] => {
    const before = known.get(each.hash);
    return before === undefined ? [] : [{ each, before: read(before) ?? Number.NaN, earlier: before }];
  });
  const lost = target.cases
    .filter((each) => category === undefined || (each.category ?? uncategorized) === category)
    .filter(({ hash }) => !planned.has(hash))
    .map(({ id }) => id);
  return { pairs, lost, added: cases.length - pairs.length };
}

/**
 * Finds the target of a baseline that corresponds to one of the run: the one of the same name, or the only one if
 * both have a single target.
 */
export function findBaselineTarget(
  { targets }: Baseline,
  run: Run,
  name: string,
): BaselineTarget | undefined {
  const same = targets.find((target) => target.name === name);
  if (same !== undefined) return same;
  return targets.length === 1 && withoutConditions(run.targets).length === 1 ? targets[0] : undefined;
}

/**
 * Creates a function that reads a subject from a case of a baseline. A criterion that is not boolean is read as its
 * metric.
 */
function readerOf(subject: Subject, run: Run): (each: BaselineCase) => number | null | undefined {
  switch (subject.measure) {
    case 'score':
      return ({ score }) => score;
    case 'passed':
      return ({ passed }) => passed;
    case 'metric':
      return ({ metrics }) => metrics[subject.name];
    case 'criterion': {
      const metric = run.scorecard?.criteria.find(({ name }) => name === subject.name)?.metric ?? '';
      return ({ criteria, metrics }) => (criteria === undefined ? metrics[metric] : criteria[subject.name]);
    }
  }
}

/** Describes the difference in how a run and its baseline measure a subject; returns undefined when there is none. */
export function findIncomparable(baseline: Baseline, run: Run, subject: Subject): string | undefined {
  const rules = metricsBehind(run, subject).flatMap((name) => metricDifference(baseline, run, name));
  if (rules.length > 0) return rules.join(', ');
  const needsScorecard = subject.measure !== 'metric';
  const fingerprint = run.scorecard === null ? undefined : fingerprintScorecard(run.scorecard);
  if (needsScorecard && fingerprint !== baseline.scorecard?.fingerprint)
    return 'the scorecard is another one';
  if (run.user?.fingerprint !== baseline.user) return 'the simulated user is another one';
  return undefined;
}

/** Returns the metrics from which the numbers of a subject are computed. */
function metricsBehind({ scorecard }: Run, subject: Subject): string[] {
  const criteria = scorecard?.criteria ?? [];
  if (subject.measure === 'metric') return [subject.name];
  if (subject.measure !== 'criterion') return [...new Set(criteria.map(({ metric }) => metric))];
  return criteria.filter(({ name }) => name === subject.name).map(({ metric }) => metric);
}

function metricDifference(baseline: Baseline, run: Run, name: string): string[] {
  const [before, now] = [baseline, run].map(({ metrics }) => metrics.find((metric) => metric.name === name));
  if (before === undefined || now === undefined) return [`the baseline has no metric ${name}`];
  const judge = run.metrics.find((metric) => metric.name === name)?.judge?.fingerprint;
  const earlier = baseline.metrics.find((metric) => metric.name === name)?.judge;
  if (judge !== earlier) return [`the judge of ${name} is another one`];
  if (before.version !== now.version) return [`${name} is version ${now.version}, was ${before.version}`];
  return before.fingerprint === now.fingerprint ? [] : [`the options of ${name} are others`];
}
