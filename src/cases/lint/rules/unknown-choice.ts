import { findChoice } from '../../../core/lib/compare/choices.ts';
import { foldForComparison } from '../../../core/lib/text/fold.ts';
import type { LintRule } from '../rule.ts';

/** The rule for the expected answer of a question with choices: it has to be the letter, the number or the text of one of them. */
export const unknownChoice: LintRule = {
  name: 'unknown-choice',
  severity: 'error',
  summary: 'the expected answer of a question with choices is none of them',
  create: () => ({
    *checkCase({ case: { expected }, ref }) {
      const { answer, choices = [] } = expected;
      if (choices.length === 0) return;
      const repeated = choices.find(({ text }, index) =>
        choices.slice(0, index).some((other) => foldForComparison(other.text) === foldForComparison(text)),
      );
      if (repeated !== undefined) {
        yield {
          at: ref,
          path: ['expected', 'choices'],
          message: `two choices have the text "${repeated.text}"`,
          remedy: 'Write another text for one of them: an answer with this text may mean either.',
        };
      }
      for (const each of [answer ?? []].flat()) {
        if (findChoice(each, choices) !== undefined) continue;
        const list = choices.map(({ label, text }) => `${label}) ${text}`).join(', ');
        yield {
          at: ref,
          path: ['expected', 'answer'],
          message: `the expected answer "${each}" is none of the choices ${list}`,
          remedy: 'Write the letter or the text of one of the choices.',
        };
      }
    },
  }),
};
