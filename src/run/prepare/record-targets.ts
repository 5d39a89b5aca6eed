import type { Run } from '../../schema/run.ts';
import type { Evaluation } from '../evaluation.ts';

/** What a run remembers of the targets of an evaluation. */
export function recordTargets({ targets, secrets }: Pick<Evaluation, 'targets' | 'secrets'>): Run['targets'] {
  const recorded = targets.map(({ target: _live, ...target }) => target);
  return secrets === undefined ? recorded : secrets.json(recorded);
}
