import type { Case } from '../../../core/schema/case.ts';
import { expectedToolName } from '../../../core/schema/expected.ts';
import type { LintRule, LintSetting } from '../rule.ts';
import { createSoughtSearch, type SoughtText, soughtTexts } from '../sought-texts.ts';

/** The rule for expectations that no answer can meet together. */
export const contradiction: LintRule = {
  name: 'contradiction',
  severity: 'error',
  summary: 'a question demands what it forbids',
  create: (setting) => ({
    *checkCase({ case: testCase, ref }) {
      for (const { path, message } of findContradictions(testCase, setting)) {
        yield {
          at: ref,
          path,
          message,
          remedy: 'Decide which of the two is meant: no answer can meet both.',
        };
      }
    },
  }),
};

interface Contradiction {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function* findContradictions(testCase: Case, setting: LintSetting): Generator<Contradiction> {
  const { expected } = testCase;
  const { tools = [], calls } = expected;
  const certain = soughtTexts(testCase, setting).filter(({ isAlternative }) => !isAlternative);
  const contains = (within: string, sought: SoughtText) => createSoughtSearch(within, setting)(sought);
  for (const sought of certain) {
    const { text, path, isForbidden } = sought;
    if (!isForbidden) continue;
    const demanded = certain.find((other) => !other.isForbidden && contains(other.text, sought));
    if (demanded !== undefined) {
      const { noun } = demanded;
      yield { path, message: `"${text}" is forbidden, and the ${noun} "${demanded.text}" contains it` };
      continue;
    }
    const answers = [expected.answer ?? []].flat();
    if (answers.length > 0 && answers.every((answer) => contains(answer, sought))) {
      yield { path, message: `"${text}" is forbidden, and the expected answer contains it` };
    }
  }
  const mustNot = Array.isArray(calls) || calls === undefined ? [] : [calls.mustNot ?? []].flat();
  const banned = mustNot.filter((pattern) => typeof pattern === 'string');
  for (const [index, tool] of tools.entries()) {
    const name = expectedToolName(tool);
    if (!banned.includes(name)) continue;
    yield {
      path: ['expected', 'tools', index],
      message: `the tool "${name}" is expected, and \`mustNot\` forbids it`,
    };
  }
}
