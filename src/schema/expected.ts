import { z } from 'zod';
import { expectedCallsSchema, type ExpectedTool, expectedToolSchema, strictShape } from './expected-calls.ts';
import { jsonSchema } from './json.ts';
import type { Criterion, VerdictNumbers } from './verdict.ts';

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

/** What a verdict says of a criterion that is true or false. */
export type Truth = 'true' | 'false' | 'not-applicable' | 'not-measured';

const tolerance = 1e-9;

/**
 * Whether a criterion is true, by the verdict of its metric: by its bounds where it has some, else by whether the verdict
 * passed, else by a value of 1 or 0. A value between them is neither, so it is not measured.
 */
export function truthOf(
  { atLeast, atMost }: Pick<Criterion, 'atLeast' | 'atMost'>,
  verdict: VerdictNumbers | undefined,
): Truth {
  if (verdict === undefined || verdict.status === 'failed') return 'not-measured';
  if (verdict.status === 'not-applicable') return 'not-applicable';
  const { value, unit, passed } = verdict;
  if (atLeast !== undefined || atMost !== undefined) {
    return value >= (atLeast ?? -Infinity) - tolerance && value <= (atMost ?? Infinity) + tolerance
      ? 'true'
      : 'false';
  }
  if (passed !== undefined) return passed ? 'true' : 'false';
  if (unit !== undefined) return 'not-measured';
  if (value >= 1 - tolerance) return 'true';
  return value <= tolerance ? 'false' : 'not-measured';
}

/** A document that the target is expected to find: its id, or an object with the id and how relevant it is. */
export const expectedDocumentSchema = z.lazy(() =>
  z.union([
    z.string().min(1),
    z.looseObject({
      id: z.string().min(1).describe('The id of the document.'),
      relevance: z
        .number()
        .default(1)
        .describe(
          'How relevant it is: more is better; 0 and less, as in some judgement files, is not relevant.',
        ),
    }),
  ]),
);
/** What a good answer holds. Every part is optional; a metric that needs a missing part says so. */
export type ExpectedDocument = z.infer<typeof expectedDocumentSchema>;

/** A number that an answer is to state: a value with how far it may be off, or a range. */
export const expectedNumberSchema = z.lazy(() =>
  strictShape({
    value: z.number().optional().describe('The number.'),
    tolerance: z.number().nonnegative().optional().describe('How far off it may be; 0 when left out.'),
    relativeTolerance: z
      .number()
      .nonnegative()
      .optional()
      .describe('How far off it may be, as a share of the number: 0.05 for five per cent.'),
    min: z.number().optional().describe('Least number, in place of a value.'),
    max: z.number().optional().describe('Greatest number, in place of a value.'),
  }).superRefine(({ value, tolerance, relativeTolerance, min, max }, context) => {
    const isRange = min !== undefined || max !== undefined;
    if ((value !== undefined) === isRange) {
      context.addIssue({ code: 'custom', message: 'either a `value`, or `min`, `max` or both' });
    }
    if (isRange && (tolerance ?? relativeTolerance) !== undefined) {
      context.addIssue({ code: 'custom', message: 'no tolerance beside a range' });
    }
    if (min !== undefined && max !== undefined && min > max) {
      context.addIssue({ code: 'custom', message: 'a `max` that is at least `min`' });
    }
  }),
);
export type ExpectedNumber = z.infer<typeof expectedNumberSchema>;

/** What a good answer holds. Every part is optional; a metric that needs a missing part says so. */
export const expectedSchema = z.object({
  answer: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('The reference answer, or several acceptable ones.'),
  keywords: z.array(z.string().min(1)).optional().describe('Texts that the answer is to contain.'),
  forbidden: z.array(z.string().min(1)).optional().describe('Texts that must not appear in the answer.'),
  tools: z.array(expectedToolSchema).optional().describe('Tools to use; an empty list when none is needed.'),
  calls: expectedCallsSchema
    .optional()
    .describe('What the tool calls are to be like: see `docs/tool-calls.md`.'),
  entities: z.array(z.string().min(1)).optional().describe('Names and numbers that the answer is about.'),
  numbers: z
    .array(expectedNumberSchema)
    .optional()
    .describe('Numbers that the answer is to state, within a tolerance or a range.'),
  documents: z
    .array(expectedDocumentSchema)
    .optional()
    .describe('Documents to find, by id; with relevance where some matter more.'),
  state: jsonSchema.optional().describe('What the world is to look like after the conversation.'),
  refusal: z.boolean().optional().describe('Whether the target is to decline the question.'),
});
export type Expected = z.infer<typeof expectedSchema>;

/** The name of an expected tool, whichever way it is written. */
export function expectedToolName(tool: ExpectedTool): string {
  return typeof tool === 'string' ? tool : tool.name;
}

/** An expected document with its relevance, whichever way it is written; a bare id has relevance 1. */
export function gradedDocument(document: ExpectedDocument): {
  readonly id: string;
  readonly relevance: number;
} {
  return typeof document === 'string' ? { id: document, relevance: 1 } : document;
}
