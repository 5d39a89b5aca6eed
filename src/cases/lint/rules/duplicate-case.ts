import type { LintRule } from '../rule.ts';
import { describePlace } from './duplicate-id.ts';

/** The rule for cases of the same content, which count twice. A run refuses the set. */
export const duplicateCase: LintRule = {
  name: 'duplicate-case',
  severity: 'error',
  summary: 'two rows ask the same and expect the same',
  create: () => ({
    *finish(set) {
      for (const { earlier, later, difference } of set.pairs()) {
        if (difference.type !== 'copy' || earlier.isReference) continue;
        yield {
          at: later,
          other: earlier,
          message: `the same question with the same expectations as ${describePlace(earlier, later)}: it would count twice`,
          remedy: 'Remove one of the two; `--skip-duplicates` leaves them out of a run.',
        };
      }
    },
  }),
};
