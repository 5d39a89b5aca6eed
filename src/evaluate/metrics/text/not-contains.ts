import { defineMetric, expectationsAt } from '../metric.ts';
import { foldCase, textsOf, wantedTexts, wantedTextsOptions } from './references.ts';
import { notApplicable, passOrFail } from '../verdicts.ts';

/** Checks that the answer contains none of the texts: 1, else 0. Not applicable to a case without a text to avoid. */
export const notContains = defineMetric({
  name: 'not-contains',
  family: 'conduct',
  version: 1,
  reads: ({ value, from }) => (value === undefined ? expectationsAt(from ?? 'expected.forbidden') : []),
  texts: ({ value }) => textsOf(value, { isForbidden: true }),
  summary:
    'The answer does not contain a text: 1, else 0. Without `value`, the forbidden texts of the question.',
  words: 'must not contain, absent, excludes, not mention, leak, never say, competitor',
  options: wantedTextsOptions,
  create: (options) => ({
    score: ({ case: testCase, trial }) => {
      const unwanted = wantedTexts(options, testCase, 'expected.forbidden');
      if (unwanted.length === 0) return notApplicable('the question names no text to avoid');
      const answer = foldCase(trial.answer ?? '', options.ignoreCase);
      const found = unwanted.filter((text) => answer.includes(foldCase(text, options.ignoreCase)));
      const passed = found.length === 0;
      const explanation = passed ? undefined : `found: ${found.join(', ')}`;
      return passOrFail(passed, { explanation, evidence: { found } });
    },
  }),
});
