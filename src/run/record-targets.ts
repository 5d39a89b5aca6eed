import type { Run } from '../schema/run.ts';
import type { Evaluation } from './evaluation.ts';

/** What a run remembers of the targets of an evaluation. */
export function recordTargets({ targets }: Pick<Evaluation, 'targets'>): Run['targets'] {
  return targets.map(({ target: _live, ...target }) => target);
}
