import { z } from 'zod';
import { execPattern } from '../../../core/lib/exec-pattern.ts';
import { createForbiddenSearch } from '../../../core/lib/search/find-forbidden.ts';
import { foldForComparison } from '../../../core/lib/text/fold.ts';
import { defineMetric } from '../metric.ts';
import { Quotes } from './term-quotes.ts';
import { nonEmpty } from '../../../core/schema/json.ts';
import { notApplicable, passOrFail } from '../verdicts.ts';

const options = () =>
  z
    .strictObject({
      texts: z
        .array(nonEmpty())
        .default([])
        .describe('Texts forbidden in every answer, in addition to the texts that a question forbids.'),
      patterns: z
        .array(nonEmpty())
        .default([])
        .describe(
          'JavaScript regular expressions, without slashes, that no answer may match; case is ignored.',
        ),
      match: z
        .enum(['substring', 'word'])
        .default('substring')
        .describe('`word`: a text counts only as whole words, so that "ass" is not in "class".'),
    })
    .superRefine(({ patterns }, context) => {
      for (const [index, pattern] of patterns.entries()) {
        try {
          new RegExp(pattern, 'iu');
        } catch (error) {
          context.addIssue({ code: 'custom', path: ['patterns', index], message: (error as Error).message });
        }
      }
    });

const longestShown = 80;

/**
 * Checks that the answer contains nothing forbidden: 1, else 0. Forbidden are the texts of the case
 * (`expected.forbidden`) and the texts and patterns of the options. Letter case, typography,
 * Markdown and invisible characters do not hide a text, and a forbidden number is found in every notation. Not applicable when nothing is forbidden.
 */
export const forbidden = defineMetric({
  name: 'forbidden',
  family: 'conduct',
  version: 5,
  reads: ['forbidden'],
  summary: 'Nothing forbidden is in the answer: 1, else 0.',
  words:
    'must not say, banned words, blocklist, blacklist, secrets, leak, competitors, denylist, pii, personal data, profanity, privacy, gdpr, credit card, leaking, api keys',
  options,
  create: ({ texts, patterns, match }) => {
    const expressions = patterns.map((pattern) => new RegExp(pattern, 'iu'));
    return {
      score: ({ case: { expected }, trial }) => {
        const unwanted = [...texts, ...(expected.forbidden ?? [])];
        if (unwanted.length + expressions.length === 0)
          return notApplicable('nothing is forbidden, neither by the question nor by options');
        const answer = trial.answer ?? '';
        const search = createForbiddenSearch(answer, match);
        const foundAs = new Quotes();
        const words = unwanted.filter((text) => {
          const { isFound, as } = search(text);
          if (isFound) foundAs.add(text, as);
          return isFound;
        });
        const folded = expressions.length === 0 ? '' : foldForComparison(answer);
        const matches = expressions.flatMap((expression) => {
          const found = execPattern(expression, answer) ?? execPattern(expression, folded);
          return found === null ? [] : [found[0].slice(0, longestShown)];
        });
        const found = [...new Set([...words, ...matches])];
        const passed = words.length + matches.length === 0;
        const named = found.map((text) => foundAs.describe(text, 'as'));
        const explanation = passed ? undefined : `found: ${named.join(', ')}`;
        const evidence = { found, ...foundAs.as('foundAs') };
        return passOrFail(passed, { explanation, evidence });
      },
    };
  },
});
