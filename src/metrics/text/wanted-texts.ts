import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import { valueAtPath } from '../../lib/value-at-path.ts';
import type { Case } from '../../schema/case.ts';

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
