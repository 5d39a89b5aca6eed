import { z } from 'zod';
import { describeValue, listKeys } from '../../../lib/describe-value.ts';
import { expectationOf } from '../../../lib/expectation-of.ts';
import { jsonSchema } from '../../../schema/json.ts';
import type { Verdict } from '../../../schema/verdict.ts';

const valueSchema = z.number().min(0).max(1);

const detailsSchema = z.lazy(() =>
  z
    .strictObject({
      passed: z.boolean().optional(),
      value: valueSchema.optional(),
      explanation: z.string().optional(),
      label: z
        .string()
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'a label is kebab-case, such as `gave-up`')
        .optional(),
      evidence: jsonSchema.optional(),
    })
    .refine(({ passed, value }) => passed !== undefined || value !== undefined, 'needs `passed` or `value`'),
);

const inapplicableSchema = z.strictObject({ notApplicable: z.string().min(1) });

/** The verdict of what a criterion function returned; `failed` for what is no answer. */
export function readAnswer(answered: unknown): Verdict {
  if (typeof answered === 'boolean') return { status: 'scored', value: answered ? 1 : 0, passed: answered };
  if (typeof answered === 'number') return readDetails({ value: answered });
  if (typeof answered !== 'object' || answered === null)
    return unreadable(`it returned ${describeValue(answered)}`);
  const inapplicable = inapplicableSchema.safeParse(answered);
  if (inapplicable.success) return { status: 'not-applicable', reason: inapplicable.data.notApplicable };
  return readDetails(answered);
}

function readDetails(answered: object): Verdict {
  const parsed = detailsSchema.safeParse(answered);
  if (!parsed.success) {
    const faults = parsed.error.issues.slice(0, 1).map((issue) => describeFault(issue, answered));
    return unreadable(`it returned ${describeValue(answered)}: ${faults.join('')}`);
  }
  const { passed, value = Number(passed), explanation, label, evidence } = parsed.data;
  return {
    status: 'scored',
    value,
    ...(passed !== undefined && { passed }),
    ...(label !== undefined && { label }),
    ...(explanation !== undefined && { explanation }),
    ...(evidence !== undefined && { evidence: structuredClone(evidence) }),
  };
}

function describeFault(issue: z.core.$ZodIssue, answered: object): string {
  if (issue.code === 'unrecognized_keys') return `"${listKeys(issue.keys)}" has no meaning there`;
  const [key] = issue.path;
  if (key === undefined) return issue.message;
  const expected = expectationOf(issue);
  const found = describeValue((answered as Readonly<Record<PropertyKey, unknown>>)[key]);
  return `\`${String(key)}\`: ${expected === undefined ? issue.message : `expected ${expected}, found ${found}`}`;
}

function unreadable(what: string): Verdict {
  const reason = `the function is to return true or false, a number from 0 to 1, or an object with these; ${what}`;
  return { status: 'failed', code: 'criterion-unreadable', reason };
}
