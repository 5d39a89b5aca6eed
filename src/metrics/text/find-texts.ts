import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { verdictOf } from './references.ts';
import { createSearch } from './search-text.ts';

/** Options of the metrics that look for a list of texts in the answer. Without any, a text is found as a substring. */
export const findTextsOptions = lazily(() =>
  z.strictObject({
    threshold: z.number().min(0).max(1).optional().describe('Least share found for the verdict to pass.'),
    match: z
      .enum(['substring', 'word', 'stem'])
      .default('substring')
      .describe(
        '`word`: whole words only, in any script. `stem`: also in another form (leases, leasing); English.',
      ),
    alternatives: z
      .boolean()
      .default(false)
      .describe('Whether `|` separates texts of which any one will do: `rental income | rent received`.'),
    numbers: z
      .boolean()
      .default(false)
      .describe('Whether a text that is a number is found by value: 1204 in `$1,204`, 442300 in `442.3k`.'),
    decimalMark: z.enum(['.', ',']).default('.').describe('For `numbers`: how decimals are written.'),
    ignoreNegated: z
      .boolean()
      .default(false)
      .describe('Whether what stands in a negated clause ("no depreciation was taken") does not count.'),
    normalize: z
      .boolean()
      .default(false)
      .describe(
        'Whether substrings too are looked for in Unicode form NFKC, with plain digits and single spaces.',
      ),
  }),
);
export type FindTextsOptions = z.output<ReturnType<typeof findTextsOptions>>;

/** The share of texts found in the answer, with the missing ones by name. A text that is listed twice counts twice. */
export function findTexts(
  texts: readonly string[],
  answer: string | null,
  options: FindTextsOptions,
): Verdict {
  const search = createSearch(answer ?? '', options);
  const found: string[] = [];
  const missing: string[] = [];
  for (const text of texts) (search(text) ? found : missing).push(text);
  const value = texts.length === 0 ? 1 : found.length / texts.length;
  const explanation =
    missing.length === 0 ? undefined : `missing: ${missing.join(', ')}${hint(missing, options)}`;
  return verdictOf({ value, explanation, evidence: { found, missing } }, options.threshold);
}

function hint(missing: readonly string[], { alternatives }: FindTextsOptions): string {
  if (alternatives || !missing.some((text) => text.includes(' | '))) return '';
  return ' (for either of two texts, set the option `alternatives`)';
}
