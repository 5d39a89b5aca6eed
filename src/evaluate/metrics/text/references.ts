import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { Case } from '../../../core/schema/case.ts';
import { type Json, nonEmpty } from '../../../core/schema/json.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { UnmeasurableError } from '../../../core/lib/compute-within.ts';
import type { MetricInput, SoughtText } from '../metric.ts';
import { findUnreadDifference, findUnreadReference, type Reading } from './unread-text.ts';
import { type NotApplicable, notApplicable, reaches, type Scored, thresholdOption } from '../verdicts.ts';

/** The options of metrics that look for texts: the texts themselves, or a path of the case. */
export const wantedTextsOptions = lazily(() =>
  z.strictObject({
    value: z
      .union([nonEmpty(), z.array(nonEmpty()).min(1)])
      .optional()
      .describe('The text, or texts, to look for.'),
    from: nonEmpty()
      .optional()
      .describe('Path in the question to the text or texts, such as `metadata.phrase`.'),
    ignoreCase: z.boolean().default(true).describe('True to ignore letter case.'),
  }),
);

/** Returns the texts to look for; an empty list when the case has none. */
export function wantedTexts(
  options: { value?: string | string[]; from?: string },
  testCase: Case,
  defaultPath: string,
): string[] {
  const wanted = options.value ?? valueAtPath(testCase, options.from ?? defaultPath);
  const list = Array.isArray(wanted) ? wanted : [wanted];
  return list.filter((text) => typeof text === 'string' && text !== '');
}

/** Returns the texts of the option `value`, each with its path in the options. */
export function textsOf(
  value: string | readonly string[] | undefined,
  {
    isForbidden = false,
    isAlternative = false,
  }: { readonly isForbidden?: boolean; readonly isAlternative?: boolean },
): SoughtText[] {
  if (typeof value === 'string') return [{ text: value, path: ['value'], isForbidden, isAlternative: false }];
  return (value ?? []).map((text, index) => ({ text, path: ['value', index], isForbidden, isAlternative }));
}

/** Returns a text in the form in which it is compared. */
export function foldCase(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}

/** The options of metrics that compare an answer with reference answers. */
export const referenceOptions = lazily(() =>
  z.strictObject({
    from: nonEmpty()
      .default('expected.answer')
      .describe('Path in the question to the reference answer, or to a list of acceptable ones.'),
    threshold: thresholdOption(),
  }),
);
type ReferenceOptions = z.output<ReturnType<typeof referenceOptions>>;

/** The agreement of an answer with one reference: a value from 0 to 1, with details for the reader. */
export interface Agreement {
  readonly value: number;
  /** The rank among several references, when that is not decided by the value. */
  readonly rank?: number;
  /** True when it passes, false when not, where a value and a threshold do not decide. */
  readonly passed?: boolean;
  readonly explanation?: string;
  readonly evidence?: { readonly [name: string]: Json };
}

/** Returns the reference answers of a case; an empty list when it has none. */
export function referencesOf(testCase: Case, from: string): string[] {
  return [valueAtPath(testCase, from)].flat().filter((reference) => typeof reference === 'string');
}

/**
 * Compares an answer with each reference of its case and returns the verdict on the best one. A missing answer is
 * compared as an empty one. Not applicable without a reference, or when `measure` finds nothing to compare with in any
 * of them (undefined). Where `reading` says that the metric reads a part of a text only, it is not measured
 * (`text-not-read`) when most of a reference is not read, or when a value of 1 leaves out a difference; unless another
 * reference is met.
 */
export function judgeAgainst(
  { case: testCase, trial }: MetricInput,
  { reading, ...options }: ReferenceOptions & { readonly reading?: Reading },
  measure: (answer: string, reference: string) => Agreement | undefined,
): Verdict {
  const references = referencesOf(testCase, options.from);
  if (references.length === 0) return noReference(options.from);
  const answer = trial.answer ?? '';
  const unread: string[] = [];
  let best: Agreement | undefined;
  let bestReference = '';
  for (const reference of references) {
    const agreement = measure(answer, reference);
    const reason = reading && findUnread(answer, reference, { reading, value: agreement?.value });
    if (reason !== undefined) unread.push(reason);
    else if (isBetter(agreement, best)) {
      best = agreement;
      bestReference = reference;
    }
  }
  const [reason] = unread;
  if (reason !== undefined && !isFull(best?.value)) throw new UnmeasurableError('text-not-read', reason);
  if (best === undefined) return emptyReference;
  const evidence = references.length === 1 ? best.evidence : { reference: bestReference, ...best.evidence };
  return verdictOf({ ...best, evidence }, options.threshold);
}

function isBetter(agreement: Agreement | undefined, best: Agreement | undefined): agreement is Agreement {
  return agreement !== undefined && (best === undefined || rankOf(agreement) > rankOf(best));
}

function findUnread(
  answer: string,
  reference: string,
  { reading, value }: { readonly reading: Reading; readonly value: number | undefined },
): string | undefined {
  const isUnread = isFull(value) && findUnreadDifference(answer, reference, reading);
  return isUnread || findUnreadReference(reference, reading);
}

function isFull(value: number | undefined): boolean {
  return value !== undefined && value >= 1 - 1e-9;
}

function rankOf({ value, rank }: Agreement): number {
  return rank ?? value;
}

/**
 * Converts an agreement to a verdict, which passes from the threshold on. Without a threshold it neither passes nor
 * fails.
 */
export function verdictOf({ value, passed, explanation, evidence }: Agreement, threshold?: number): Scored {
  return { status: 'scored', value, passed: passed ?? reaches(value, threshold), explanation, evidence };
}

/** Returns the verdict on a case without a reference answer. */
export function noReference(from: string): NotApplicable {
  const what = from === 'expected.answer' ? 'no expected answer' : `nothing at ${from}`;
  return notApplicable(`the question has ${what}`);
}

/** The verdict when every reference is empty for the metric, because a share of nothing is not a number. */
export const emptyReference = notApplicable('the reference answer contains nothing that this metric counts');
