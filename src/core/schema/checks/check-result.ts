import { z } from 'zod';
import { type Json, jsonSchema } from '../json.ts';

/** The result of one check of a case, as it is stored in the evidence of a verdict; a group contains those inside it. */
const checkResultSchema: z.ZodType<CheckResult> = z.lazy(() =>
  z.object({
    name: z.string(),
    /** The metric, or the kind of group. */
    use: z.string(),
    /** Its share of the value of its group, relative to the others; with 0 it is shown but does not count. */
    weight: z.number(),
    required: z.literal(true).optional(),
    threshold: z.number().optional(),
    status: z.enum(['measured', 'not-applicable', 'not-measured']),
    /** From 0 to 1; null when it was not measured. */
    value: z.number().nullable(),
    /** Null when it is not known. */
    passed: z.boolean().nullable(),
    /** The measured quantity, for a metric with a unit; its value is then 1 or 0. */
    quantity: z.object({ value: z.number(), unit: z.string() }).optional(),
    label: z.string().optional(),
    explanation: z.string().optional(),
    evidence: jsonSchema.optional(),
    checks: z.array(checkResultSchema).optional(),
  }),
);

/** The result of one check of a case, as it is stored in the evidence of a verdict; a group contains those inside it. */
export interface CheckResult {
  name: string;
  use: string;
  weight: number;
  required?: true;
  threshold?: number;
  status: 'measured' | 'not-applicable' | 'not-measured';
  value: number | null;
  passed: boolean | null;
  quantity?: { value: number; unit: string };
  label?: string;
  explanation?: string;
  evidence?: Json;
  checks?: CheckResult[];
}

const evidenceSchema = z.lazy(() => z.object({ checks: z.array(checkResultSchema) }));

/** Returns the results of the checks that the evidence of a verdict lists; none for another kind of evidence. */
export function readCheckResults(evidence: Json | undefined): readonly CheckResult[] {
  const parsed = evidenceSchema.safeParse(evidence);
  return parsed.success ? parsed.data.checks : [];
}
