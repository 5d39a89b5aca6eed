import { questionOf } from '../../../core/schema/case.ts';
import type { LintRule } from '../rule.ts';

const variable =
  /\{\{\s*[\w.]+\s*\}\}|\$\{[\w.]+\}|<(?:insert|your|todo)\b[^>]*>|\[(?:insert|todo|tbd)\b[^\]]*\]/i;
const emptyValue = /^(?:todo|tbd|tba|fixme|xxx+|n\/a|nan|null|none|undefined|\?+|\.{3}|…|lorem ipsum.*)$/i;

/** The rule for texts that were to be replaced: variables of a template, and values such as "TODO" or "nan". */
export const placeholder: LintRule = {
  name: 'placeholder',
  severity: 'warning',
  summary: 'a question or an expected answer is unfinished: {{name}}, TODO, nan',
  create: () => ({
    *checkCase({ case: testCase, ref }) {
      const question = questionOf(testCase);
      const asked =
        variable.exec(question)?.[0] ?? (emptyValue.test(question.trim()) ? question.trim() : undefined);
      if (asked !== undefined) {
        yield {
          at: ref,
          path: ['input'],
          message: `the question contains the placeholder "${asked}"`,
          remedy: 'Replace it: the target would be sent this text unchanged.',
        };
      }
      for (const answer of [testCase.expected.answer ?? []].flat()) {
        if (!emptyValue.test(answer.trim())) continue;
        yield {
          at: ref,
          path: ['expected', 'answer'],
          message: `the expected answer is "${answer.trim()}", and answers are compared with that text as written`,
          remedy: 'Write the answer, or leave the field out.',
        };
      }
    },
  }),
};
