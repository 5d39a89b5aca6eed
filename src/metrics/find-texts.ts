import { z } from 'zod';
import type { Json } from '../schema/json.ts';
import type { Verdict } from '../schema/verdict.ts';

/** Options of the metrics that look for a list of texts in the answer. */
export const findTextsOptions = z.strictObject({
  threshold: z.number().min(0).max(1).optional().describe('Least share found for the verdict to pass.'),
});

/**
 * The share of texts whose lower-cased form is a substring of the lower-cased answer, with the missing ones by name.
 * A text that is listed twice counts twice.
 */
export function findTexts(
  texts: readonly string[],
  answer: string | null,
  { threshold }: z.output<typeof findTextsOptions>,
): Verdict {
  const answerLower = (answer ?? '').toLowerCase();
  const found: string[] = [];
  const missing: string[] = [];
  for (const text of texts) (answerLower.includes(text.toLowerCase()) ? found : missing).push(text);
  const value = texts.length === 0 ? 1 : found.length / texts.length;
  const passed = threshold === undefined ? undefined : value >= threshold - 1e-9;
  const explanation = missing.length === 0 ? undefined : `missing: ${missing.join(', ')}`;
  const evidence: Json = { found, missing };
  return { status: 'scored', value, passed, explanation, evidence };
}
