import type { Expected } from '../../../core/schema/expected.ts';
import { expectationsOf, expectsNothing } from '../../../core/schema/expectation.ts';
import type { CaseRef, LintRule } from '../rule.ts';

/** The rule for cases with nothing to check. They get no score, and never pass. */
export const emptyExpectation: LintRule = {
  name: 'empty-expectation',
  severity: 'warning',
  summary: 'a question expects nothing that can be checked, or an empty text',
  create: ({ config, reads }) => {
    const without: CaseRef[] = [];
    let cases = 0;
    return {
      *checkCase({ case: testCase, ref }) {
        cases += 1;
        const { expected } = testCase;
        const empty = findEmpty(expected);
        if (empty !== undefined) {
          yield {
            at: ref,
            path: ['expected', ...empty],
            message: `the expected ${empty.join(' ').replace(/ \d+$/, '')} ${empty.length > 1 ? 'contains' : 'is'} an empty text, which nothing can be compared with`,
            remedy: 'Write what a good answer contains, or leave the field out.',
          };
        } else if (expectationsOf(testCase).length === 0 && !expectsNothing(testCase)) without.push(ref);
      },
      *finish() {
        // Metrics of a config that read no expectation, such as judged metrics, need none.
        if (config !== undefined && reads?.length === 0) return;
        const [first] = without;
        if (first === undefined) return;
        if (without.length === cases) {
          yield {
            at: first,
            message: `${cases === 1 ? 'the only question expects nothing' : `none of the ${cases} questions expects anything`}: only a judge and metrics without expectations can score the answers`,
            remedy: 'Add expected answers, keywords, tools or documents; see docs/expectations.md.',
          };
          return;
        }
        for (const ref of without) {
          yield {
            at: ref,
            message: 'expects nothing that can be checked, so it gets no score',
            remedy:
              'Add what a good answer contains, or an empty list if nothing is needed on purpose: `expected_tools: []`.',
          };
        }
      },
    };
  },
};

/** Returns the path of an expectation that is an empty or blank text. */
function findEmpty({ answer, keywords, forbidden, entities }: Expected): (string | number)[] | undefined {
  if (typeof answer === 'string' && answer.trim() === '') return ['answer'];
  const lists = { answer: Array.isArray(answer) ? answer : [], keywords, forbidden, entities };
  for (const [name, texts = []] of Object.entries(lists)) {
    const index = texts.findIndex((text) => text.trim() === '');
    if (index !== -1) return [name, index];
  }
  return undefined;
}
