import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import { valueAtPath } from '../../lib/objects.ts';
import type { Case } from '../../schema/case.ts';
import type { Json } from '../../schema/json.ts';
import type { Verdict } from '../../schema/verdict.ts';
import type { MetricInput } from '../metric.ts';

/** Where a text metric finds what it looks for: given outright, or at a path of the case. */
export const wantedTextsOptions = lazily(() =>
  z.strictObject({
    value: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .optional()
      .describe('The text, or texts, to look for.'),
    from: z
      .string()
      .min(1)
      .optional()
      .describe('Path in the case that holds the text or texts, such as `metadata.phrase`.'),
    ignoreCase: z.boolean().default(true).describe('Whether capital and small letters are the same.'),
  }),
);

/** The texts that a case is held against; empty when the case has none. */
export function wantedTexts(
  options: { value?: string | string[] | undefined; from?: string | undefined },
  testCase: Case,
  defaultPath: string,
): string[] {
  const wanted = options.value ?? valueAtPath(testCase, options.from ?? defaultPath);
  const list = Array.isArray(wanted) ? wanted : [wanted];
  return list.filter((text) => typeof text === 'string' && text !== '');
}

/** A text in the form in which it is compared. */
export function foldCase(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}

/** Options of the metrics that hold an answer against reference answers. */
export const referenceOptions = lazily(() =>
  z.strictObject({
    from: z
      .string()
      .min(1)
      .default('expected.answer')
      .describe('Path in the case that holds the reference answer, or a list of acceptable ones.'),
    threshold: z.number().min(0).max(1).optional().describe('Least value for the verdict to pass.'),
  }),
);
type ReferenceOptions = z.output<ReturnType<typeof referenceOptions>>;

/** How far an answer agrees with one reference: a value in [0, 1], and what a reader should see of it. */
export interface Agreement {
  readonly value: number;
  /** What decides between several references, when it is not the value. */
  readonly rank?: number | undefined;
  readonly explanation?: string | undefined;
  readonly evidence?: { readonly [name: string]: Json } | undefined;
}

/** The reference answers of a case; empty when it has none. */
export function referencesOf(testCase: Case, from: string): string[] {
  return [valueAtPath(testCase, from)].flat().filter((reference) => typeof reference === 'string');
}

/**
 * The verdict on an answer held against each reference of its case, the best of them counting. An answer that is missing
 * is held as an empty one. Not applicable without a reference, or where `measure` finds nothing to hold against (undefined).
 */
export function judgeAgainst(
  { case: testCase, trial }: MetricInput,
  options: ReferenceOptions,
  measure: (answer: string, reference: string) => Agreement | undefined,
): Verdict {
  const references = referencesOf(testCase, options.from);
  if (references.length === 0) return noReference(options.from);
  let best: Agreement | undefined;
  let bestReference = '';
  for (const reference of references) {
    const agreement = measure(trial.answer ?? '', reference);
    if (agreement === undefined || (best !== undefined && rankOf(agreement) <= rankOf(best))) continue;
    best = agreement;
    bestReference = reference;
  }
  if (best === undefined) return emptyReference;
  const evidence = references.length === 1 ? best.evidence : { reference: bestReference, ...best.evidence };
  return verdictOf({ ...best, evidence }, options.threshold);
}

function rankOf({ value, rank }: Agreement): number {
  return rank ?? value;
}

type Scored = Extract<Verdict, { status: 'scored' }>;
type NotApplicable = Extract<Verdict, { status: 'not-applicable' }>;

/** The verdict of an agreement: it passes from the threshold on, and a value that is 0 or 1 by nature needs none. */
export function verdictOf({ value, explanation, evidence }: Agreement, threshold?: number): Scored {
  const passed = threshold === undefined ? undefined : value >= threshold - 1e-9;
  return { status: 'scored', value, passed, explanation, evidence };
}

/** The verdict where a case has no reference answer. */
export function noReference(from: string): NotApplicable {
  const what = from === 'expected.answer' ? 'no expected answer' : `nothing at ${from}`;
  return { status: 'not-applicable', reason: `the case has ${what}` };
}

/** The verdict where every reference is empty for the metric: a share of nothing is not a number. */
export const emptyReference: NotApplicable = {
  status: 'not-applicable',
  reason: 'the reference answer holds nothing that this metric counts',
};
