import type { Case } from '../../schema/case.ts';
import { expectedToolName } from '../../schema/expected.ts';
import type { LintRule } from '../rule.ts';

/** The rule for expectations that no answer can meet together. */
export const contradiction: LintRule = {
  name: 'contradiction',
  severity: 'error',
  summary: 'a case demands what it forbids',
  create: () => ({
    *checkCase({ case: testCase, ref }) {
      for (const { path, message } of findContradictions(testCase)) {
        yield {
          at: ref,
          path: ['expected', ...path],
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

function* findContradictions({ expected }: Case): Generator<Contradiction> {
  const { keywords = [], forbidden = [], tools = [], calls } = expected;
  for (const [index, text] of forbidden.entries()) {
    const path = ['forbidden', index];
    const demanded = keywords.find((keyword) => contains(keyword, text));
    if (demanded !== undefined) {
      yield { path, message: `"${text}" is forbidden, and the keyword "${demanded}" contains it` };
      continue;
    }
    const answers = [expected.answer ?? []].flat();
    if (answers.length > 0 && answers.every((answer) => contains(answer, text))) {
      yield { path, message: `"${text}" is forbidden, and the expected answer contains it` };
    }
  }
  const mustNot = Array.isArray(calls) || calls === undefined ? [] : [calls.mustNot ?? []].flat();
  const banned = mustNot.filter((pattern) => typeof pattern === 'string');
  for (const [index, tool] of tools.entries()) {
    const name = expectedToolName(tool);
    if (!banned.includes(name)) continue;
    yield { path: ['tools', index], message: `the tool "${name}" is expected, and \`mustNot\` forbids it` };
  }
}

function contains(text: string, part: string): boolean {
  return part.trim() !== '' && text.toLowerCase().includes(part.toLowerCase());
}
