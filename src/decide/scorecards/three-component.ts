import { z } from 'zod';
import { stripPrefixOption } from '../../core/schema/expected-calls.ts';
import type { NamedUse } from '../../core/lib/define.ts';
import type { ScorecardResult, Verdict } from '../../core/schema/verdict.ts';
import { gradingOptions } from './grades.ts';
import { type CriterionUse, defineScorecard } from './scorecard.ts';
import { checkWeights, weightedTotal } from './weighted-total.ts';

const weight = z.number().min(0).max(1);

/**
 * Computes score = 0.40 · tool usage + 0.40 · response quality + 0.20 · error handling, from 0 to 1. When a case states
 * no expectation for one of the first two, its weight goes to the other; a case without any is not measured, because an
 * answer without an error is worth 0.20 and never more. A trial that ended in an error never passes, whatever its
 * score.
 */
export const threeComponent = defineScorecard({
  name: 'three-component',
  version: 3,
  summary:
    '0.40 · tool usage + 0.40 · response quality + 0.20 · error handling, over what the questions expect, graded A to F.',
  words: 'default, grade, A to F, tool usage, response quality',
  options: () =>
    z.strictObject({
      weights: z
        .strictObject({
          toolUsage: weight.default(0.4).describe('Weight of using the expected tools.'),
          responseQuality: weight.default(0.4).describe('Weight of answering as the question expects.'),
          errorHandling: weight.default(0.2).describe('Weight of answering without an error.'),
        })
        .prefault({})
        .describe('Weights of the three components; they add up to 1.'),
      source: z
        .boolean()
        .optional()
        .describe(
          'True to score exactly as the source systems do: only tools and keywords are read, a keyword is found as a lower-case substring, and a component for which a question states no expectation gets full marks.',
        ),
      nothingExpected: z
        .enum(['not-measured', 'full'])
        .optional()
        .describe('`full` is the former name of `source: true`.'),
      stripPrefix: stripPrefixOption,
      ...gradingOptions(),
    }),
  create: ({ weights, grades, passMark, source, nothingExpected, stripPrefix }) => {
    checkWeights('three-component', Object.entries(weights));
    const isSource = source ?? nothingExpected === 'full';
    const full = isSource ? { nothingExpected: 'full' } : {};
    const strips = stripPrefix === undefined ? {} : { stripPrefix };
    const content: CriterionUse[] = [
      criterion('tool usage', { use: 'tool-usage', ...full, ...strips }, weights.toolUsage),
      criterion(
        'response quality',
        isSource ? { use: 'keywords', source: true, ...full } : { use: 'response-quality', ...strips },
        weights.responseQuality,
      ),
    ];
    const errors: CriterionUse = {
      ...criterion('error handling', { use: 'error-handling' }, weights.errorHandling),
      required: true,
    };
    const rule = { criteria: [...content, errors], grades, passMark };
    return {
      ...rule,
      evaluate: (verdicts, own = passMark) => {
        const checked = spreadWeight(content, verdicts);
        return checked.length === 0
          ? withoutExpectations(verdicts.get(errors.name))
          : weightedTotal({ ...rule, passMark: own, criteria: [...checked, errors] }, verdicts);
      },
    };
  },
  reweigh: (options, [toolUsage = 0, responseQuality = 0, errorHandling = 0]) => ({
    ...options,
    weights: { toolUsage, responseQuality, errorHandling },
  }),
});

function criterion(name: string, metric: NamedUse, share: number): CriterionUse {
  return { name, metric, weight: share, required: false };
}

/** Returns the criteria that check something of the case, with the weights of all of them. */
function spreadWeight(
  content: readonly CriterionUse[],
  verdicts: ReadonlyMap<string, Verdict>,
): readonly CriterionUse[] {
  const applicable = content.filter(({ name }) => verdicts.get(name)?.status !== 'not-applicable');
  const [all, left] = [weightOf(content), weightOf(applicable)];
  if (left === 0 && all > 0) return [];
  return applicable.map((each) => ({ ...each, weight: left === 0 ? 0 : (each.weight / left) * all }));
}

function weightOf(criteria: readonly CriterionUse[]): number {
  return criteria.reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * Returns the result of a case that expects nothing. An answer without an error may be right or wrong; an error is
 * wrong.
 */
function withoutExpectations(errorHandling: Verdict | undefined): ScorecardResult {
  const isError = errorHandling?.status === 'scored' && errorHandling.value < 1;
  return {
    total: null,
    lower: 0,
    upper: 1,
    grade: null,
    passed: isError ? false : null,
    explanation: 'the question expects nothing that can be checked',
  };
}
