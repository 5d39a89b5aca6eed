import { z } from 'zod';
import { compareChoices, type Choice } from '../../../core/lib/compare/choices.ts';
import { compareJson } from '../../../core/lib/compare/compare-json.ts';
import { compareTexts } from '../../../core/lib/compare/compare-texts.ts';
import type { TextComparison } from '../../../core/lib/compare/comparison.ts';
import { questionOf } from '../../../core/schema/case.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { type Agreement, judgeAgainst, referenceOptions } from '../text/references.ts';
import { share } from '../../../core/schema/json.ts';

const defaultPassMark = 0.7;

/**
 * Compares the answer with the expected one as a careful reader would; from 0 to 1. The form does not count: case,
 * typography, Markdown, the notation of numbers, dates and units, a code fence, the order of JSON keys. What the
 * expected answer states counts: another number, unit, date, identifier, operator or choice, or a denial, never passes,
 * whatever the words. Where words alone differ, the value is the F1 of the terms, as SQuAD reckons it. Synonyms count as
 * different; the judged metric `correctness` recognises them. Not applicable to cases without an expected answer.
 */
export const answerMatch = defineMetric({
  name: 'answer-match',
  family: 'wording',
  aspect: 'expected-answer',
  version: 8,
  reads: ({ from }) => expectationsAt(from),
  summary:
    'The answer compared with the expected one: the same text, number, JSON or choice, or else the F1 of the words; another number never passes.',
  words:
    'expected answer, right answer, correct answer, ground truth, golden answer, reference answer, fuzzy match, accuracy, multiple choice, factual',
  options: () =>
    referenceOptions().extend({
      threshold: share()
        .default(defaultPassMark)
        .describe('The least value that passes, where words alone differ.'),
      decimalMark: z
        .enum(['.', ','])
        .default('.')
        .describe(
          'The decimal mark where it is in doubt: `,` reads 1.204 as 1204; `49,90` is 49.90 in any case.',
        ),
    }),
  create: (options) => ({
    score: (input) => {
      const { choices = [] } = input.case.expected as { readonly choices?: readonly Choice[] };
      const question = questionOf(input.case);
      return judgeAgainst(input, options, (answer, reference) =>
        toAgreement(
          compare(answer, reference, { question, choices, decimalMark: options.decimalMark }),
          options.threshold,
        ),
      );
    },
  }),
});

interface Surroundings {
  readonly question: string;
  readonly choices: readonly Choice[];
  readonly decimalMark: '.' | ',';
}

function compare(answer: string, reference: string, { choices, ...around }: Surroundings): TextComparison {
  const chosen = choices.length === 0 ? undefined : compareChoices(answer, reference, choices);
  return chosen ?? compareJson(answer, reference) ?? compareTexts(answer, reference, around);
}

/** The most that an answer is worth whose words do not pass, so that it does not pass with the points for no error. */
const mostBelow = 0.6;

function toAgreement(
  { outcome, value: likeness, by, explanation }: TextComparison,
  threshold: number,
): Agreement {
  const value = outcome === 'words' && likeness < threshold ? Math.min(likeness, mostBelow) : likeness;
  if (outcome === 'words') {
    const said = `${Math.round(value * 100)} % of the expected answer, compared by words`;
    return {
      value,
      explanation: explanation === undefined ? said : `${said}; ${explanation}`,
      evidence: { comparedBy: 'words' },
    };
  }
  const isSame = outcome === 'same';
  const isWording = by === 'words';
  return {
    value,
    passed: isSame,
    ...(explanation !== undefined && { explanation: isSame ? explanation : `differs: ${explanation}` }),
    evidence: {
      comparedBy: by,
      ...(!isSame && !isWording && { differs: explanation ?? 'the answer says something else' }),
    },
  };
}
