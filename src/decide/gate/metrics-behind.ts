import type { RunScorecard } from '../../core/schema/run.ts';
import type { Subject } from './phrases.ts';

/** Returns the metrics that a subject of a rule is computed from. */
export function metricsBehind(subject: Subject | undefined, scorecard: RunScorecard | null): string[] {
  if (subject === undefined) return [];
  const criteria = scorecard?.criteria ?? [];
  if (subject.measure === 'metric') return [subject.name];
  if (subject.measure === 'criterion')
    return criteria.filter(({ name }) => name === subject.name).map(({ metric }) => metric);
  const counted = criteria.filter(
    ({ weight, required, caps }) => weight > 0 || required || caps !== undefined,
  );
  return counted.map(({ metric }) => metric);
}
