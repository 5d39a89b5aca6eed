import { fingerprintScorecard } from '../../analysis/summary/fingerprint-scorecard.ts';
import type { Baseline } from '../../schema/baseline.ts';
import type { Run } from '../../schema/run.ts';
import type { Subject } from './subject.ts';

/** In what a run and its baseline measure a subject differently; undefined when they do not. */
export function findIncomparable(baseline: Baseline, run: Run, subject: Subject): string | undefined {
  const rules = metricsBehind(run, subject).flatMap((name) => metricDifference(baseline, run, name));
  if (rules.length > 0) return rules.join(', ');
  const needsScorecard = subject.measure !== 'metric';
  const fingerprint = run.scorecard === null ? undefined : fingerprintScorecard(run.scorecard);
  if (needsScorecard && fingerprint !== baseline.scorecard?.fingerprint)
    return 'the scorecard is another one';
  if (run.user?.fingerprint !== baseline.user) return 'somebody else played the users';
  return undefined;
}

/** The metrics that the numbers of a subject follow from. */
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
