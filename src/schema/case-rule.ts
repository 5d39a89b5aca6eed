import { z } from 'zod';

/** How the attempts at a case make it pass or fail. */
export const caseRuleSchema = z.lazy(() =>
  z.object({
    /** Attempts that have to pass, of all that are planned for the case. */
    passes: z.int().positive(),
    /** Whether a case is not tried again once its verdict cannot change. */
    isCurtailed: z.boolean(),
  }),
);
export type CaseRule = z.infer<typeof caseRuleSchema>;

/** What a rule says of a case: `undecided` where attempts that are missing could still turn it. */
export const caseVerdicts = ['passed', 'failed', 'undecided'] as const;
export type CaseVerdict = (typeof caseVerdicts)[number];

/** The verdict on a case of which so many attempts were measured, and so many of these passed. */
export function verdictOnCase(
  { passes }: Pick<CaseRule, 'passes'>,
  {
    planned,
    measured,
    passed,
  }: { readonly planned: number; readonly measured: number; readonly passed: number },
): CaseVerdict {
  if (passed >= passes) return 'passed';
  return measured - passed > planned - passes ? 'failed' : 'undecided';
}
