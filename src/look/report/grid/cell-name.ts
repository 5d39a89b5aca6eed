import { withoutConditions } from '../../../core/schema/condition.ts';
import type { Run } from '../../../core/schema/run.ts';

/**
 * Returns the name by which a target is shown beside the others of its run: where all of them are combinations of one grid of settings, its levels
 * alone, `large, short`, since all else is the same; otherwise its own name.
 */
export function cellName({ targets }: Pick<Run, 'targets'>, target: string): string {
  const shown = withoutConditions(targets);
  const own = shown.find(({ name }) => name === target)?.grid;
  const isOne = own !== undefined && shown.every(({ grid }) => grid?.of === own.of);
  return isOne ? Object.values(own.levels).join(', ') : target;
}
