import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import { createTermSearch, type TermRules } from '../../../core/lib/search/find-terms.ts';
import { searchModes } from '../../../core/lib/search/find-text.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { verdictOf } from './references.ts';
import { Quotes } from './term-quotes.ts';
import { share } from '../../../core/schema/json.ts';

/** Returns the option that says what a text may be a part of. */
export const matchOption = (usual: (typeof searchModes)[number]) => z.enum(searchModes).default(usual);

/** The options of metrics that look for a list of texts in the answer. */
export const findTextsOptions = lazily(() =>
  z.strictObject({
    threshold: share().optional().describe('The least share that passes.'),
    match: matchOption('word-form').describe(
      'What a text may be a part of. `word-form`: it begins where a word begins, and its last word may continue as a form of it or as a German compound: dogs, deductible, Versicherungsbeitrag. `name`: only the possessive, and the plural of a common noun. `word`: whole words only, in any script. `stem`: any form of each of its words (leases, leasing); English. `word-start`: any letters may follow. `substring`: anywhere. A single text says it by itself: `deduct*` continues, `*legal*` is a part of any word, `"land"` in quotation marks is a whole word.',
    ),
    alternatives: z
      .boolean()
      .default(false)
      .describe(
        'True when `|` separates alternatives, of which any one is enough: `rental income | rent received`.',
      ),
    numbers: z
      .boolean()
      .default(true)
      .describe(
        'True to find a text that is a number by its value: 1204 in `$1,204`, 442300 in `442.3k`, and 49 not in `$149`. False to find its digits.',
      ),
    decimalMark: z.enum(['.', ',']).default('.').describe('The decimal mark, for `numbers`.'),
    ignoreNegated: z
      .boolean()
      .default(false)
      .describe('True to ignore negated clauses ("no depreciation was taken").'),
    source: z
      .boolean()
      .default(false)
      .describe('True for the search of the source systems: lower-case substrings, and no other option.'),
    normalize: z.boolean().optional().describe('Without effect: every search looks through typography.'),
  }),
);
type FindTextsOptions = z.output<ReturnType<typeof findTextsOptions>>;

/**
 * Returns the share of texts found in the answer, with the missing ones by name. A text that is listed twice counts
 * twice.
 */
export function findTexts(
  texts: readonly string[],
  answer: string | null,
  options: FindTextsOptions,
): Verdict {
  const search = createTermSearch(answer ?? '', options);
  const found: string[] = [];
  const missing: string[] = [];
  const foundAs = new Quotes();
  const inside = new Quotes();
  for (const text of texts) {
    const { isFound, as } = search(text);
    (isFound ? found : missing).push(text);
    (isFound ? foundAs : inside).add(text, as);
  }
  const value = texts.length === 0 ? 1 : found.length / texts.length;
  const lacking = missing.map((text) => inside.describe(text, 'only inside'));
  const otherwise = foundAs.describeFirst();
  const explanation = [
    ...(missing.length === 0 ? [] : [`missing: ${lacking.join(', ')}${hint(missing, options)}`]),
    ...(otherwise === undefined ? [] : [`found: ${otherwise}`]),
  ].join('; ');
  const evidence = { found, missing, ...foundAs.as('foundAs'), ...inside.as('inside') };
  return verdictOf(
    { value, explanation: explanation === '' ? undefined : explanation, evidence },
    options.threshold,
  );
}

function hint(missing: readonly string[], { alternatives }: Pick<TermRules, 'alternatives'>): string {
  if (alternatives || !missing.some((text) => text.includes(' | '))) return '';
  return ' (for either of two texts, set the option `alternatives`)';
}
