import { splitPlace } from '../lint.ts';
import type { LintRule } from '../rule.ts';

/** The rule for rows that are no case, and for columns of the config that no row has. A run refuses the set. */
export const invalidRow: LintRule = {
  name: 'invalid-row',
  severity: 'error',
  summary: 'a row cannot be read as a question, so a run refuses the set',
  create: () => ({
    *checkRow({ draft: { place }, problems }) {
      for (const { message, remedy = 'Correct the row.' } of problems) {
        yield { ...splitPlace(message, place), remedy };
      }
    },
    *finish({ dataset }) {
      for (const { message, remedy } of dataset.findUnused?.() ?? []) {
        yield { at: { file: dataset.sources[0] ?? '' }, message, remedy };
      }
    },
  }),
};
