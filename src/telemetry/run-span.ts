import type { Run } from '../schema/run.ts';
import type { OutgoingSpan } from './span.ts';
import type { RunPlace } from './span-ids.ts';

/** The span of a run, or of the part of it that was made now. */
export function runSpan(
  run: Run,
  { runId: _known, isApart: _told, ...place }: RunPlace,
  { startMs, endMs }: Pick<OutgoingSpan, 'startMs' | 'endMs'>,
): OutgoingSpan {
  const { id, status, dataset, targets, attempts, summary, description } = run;
  return {
    ...place,
    name: 'touchstone run',
    kind: 'internal',
    startMs,
    endMs,
    attributes: {
      'touchstone.run.id': id,
      'touchstone.run.status': status,
      'touchstone.run.description': description,
      'touchstone.run.decision': summary?.decision.outcome,
      'touchstone.run.targets': targets.map(({ name }) => name),
      'touchstone.run.cases': dataset.cases,
      'touchstone.run.attempts': attempts,
      'touchstone.dataset.hash': dataset.hash,
      'touchstone.continues': run.continues,
      'touchstone.rescored_from': run.rescoredFrom,
    },
  };
}
