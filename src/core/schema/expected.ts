import { z } from 'zod';
import { compareNumbers } from '../lib/json/exact-number.ts';
import type { CaseVerdict } from './estimate.ts';
import { expectedCallsSchema, type ExpectedTool, expectedToolSchema, strictShape } from './expected-calls.ts';
import { expectedChecksSchema } from './checks/expected-checks.ts';
import { amount, jsonSchema, nonEmpty, numberSchema, positiveInt, share } from './json.ts';
import type { Criterion, VerdictNumbers } from './verdict.ts';

/** The rule by which the attempts at a case make it pass or fail. */
export const caseRuleSchema = z.lazy(() =>
  z.object({
    /** Number of attempts that must pass, of all that are planned for the case. */
    passes: positiveInt(),
    /** True when a case is not tried again once its verdict cannot change. */
    isCurtailed: z.boolean(),
  }),
);
export type CaseRule = z.infer<typeof caseRuleSchema>;

/** Returns the verdict on a case from its numbers of measured and of passed attempts. */
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

/** The truth of a boolean criterion, as a verdict determines it. */
export type Truth = 'true' | 'false' | 'not-applicable' | 'not-measured';

const tolerance = 1e-9;

/**
 * Returns whether a criterion is true, from the verdict of its metric: by its bounds where it has some, otherwise by
 * whether the verdict passed, otherwise by a value of 1 or 0. A value in between is neither, so it is not measured.
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

/** A document that the target should find: its id, or an object with the id and its relevance. */
export const expectedDocumentSchema = z.lazy(() =>
  z.union([
    nonEmpty(),
    z.looseObject({
      id: nonEmpty().describe('The id of the document.'),
      relevance: z
        .number()
        .default(1)
        .describe(
          'Its relevance: higher is better; 0 and less, as in some judgement files, is not relevant.',
        ),
    }),
  ]),
);
export type ExpectedDocument = z.infer<typeof expectedDocumentSchema>;

/** A number that an answer should state: a value with its tolerance, or a range. */
export const expectedNumberSchema = z.lazy(() =>
  strictShape({
    value: numberSchema.optional().describe('The number.'),
    tolerance: amount().optional().describe('Largest allowed difference; 0 by default.'),
    relativeTolerance: amount()
      .optional()
      .describe('Largest allowed difference as a share of the number: 0.05 for five per cent.'),
    min: numberSchema.optional().describe('Least number, in place of a value.'),
    max: numberSchema.optional().describe('Greatest number, in place of a value.'),
  }).superRefine(({ value, tolerance, relativeTolerance, min, max }, context) => {
    const isRange = min !== undefined || max !== undefined;
    if ((value !== undefined) === isRange) {
      context.addIssue({ code: 'custom', message: 'either a `value`, or `min`, `max` or both' });
    }
    if (isRange && (tolerance ?? relativeTolerance) !== undefined) {
      context.addIssue({ code: 'custom', message: 'no tolerance with a range' });
    }
    if (min !== undefined && max !== undefined && compareNumbers(min, max) > 0) {
      context.addIssue({ code: 'custom', message: 'a `max` that is at least `min`' });
    }
  }),
);
export type ExpectedNumber = z.infer<typeof expectedNumberSchema>;

/** One choice of a question with several: the letter or number under which it is offered, and its text. */
export const choiceSchema = z.lazy(() =>
  z.object({
    label: nonEmpty().describe('The letter or number under which the question offers it.'),
    text: z.string().describe('Its text.'),
  }),
);
export type Choice = z.infer<typeof choiceSchema>;

/** The contents of a good answer. Every part is optional; a metric that needs a missing part reports it. */
export const expectedSchema = z.object({
  answer: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('The reference answer, or several acceptable ones.'),
  choices: z
    .array(choiceSchema)
    .min(1)
    .optional()
    .describe('The choices of a question with several, of which the expected answer is one.'),
  behavior: z
    .union([nonEmpty(), z.array(nonEmpty())])
    .optional()
    .describe('What should happen, in words for a judge: one text, or several that must all be true.'),
  keywords: z.array(nonEmpty()).optional().describe('Texts that the answer must contain.'),
  forbidden: z.array(nonEmpty()).optional().describe('Texts that must not appear in the answer.'),
  tools: z.array(expectedToolSchema).optional().describe('Tools to use; an empty list when none is needed.'),
  calls: expectedCallsSchema.optional().describe('Rules for the tool calls: see `docs/tool-calls.md`.'),
  entities: z.array(nonEmpty()).optional().describe('Names and numbers that the answer is about.'),
  numbers: z
    .array(expectedNumberSchema)
    .optional()
    .describe('Numbers that the answer must state, within a tolerance or a range.'),
  documents: z
    .array(expectedDocumentSchema)
    .optional()
    .describe('Documents to find, by id, with their relevance where some matter more.'),
  state: jsonSchema.optional().describe('The expected state after the conversation.'),
  refusal: z.boolean().optional().describe('True when the target should decline the question.'),
  checks: expectedChecksSchema
    .optional()
    .describe('Checks that this question alone makes of its answer: see `docs/expectations.md`.'),
  passMark: share()
    .optional()
    .describe(
      'The least score with which an answer to this question passes, in place of the pass mark of the scorecard.',
    ),
});
export type Expected = z.infer<typeof expectedSchema>;

/** Returns the name of an expected tool in either notation. */
export function expectedToolName(tool: ExpectedTool): string {
  return typeof tool === 'string' ? tool : tool.name;
}

/** Returns an expected document with its relevance, in either notation; a bare id has relevance 1. */
export function gradedDocument(document: ExpectedDocument): {
  readonly id: string;
  readonly relevance: number;
} {
  return typeof document === 'string' ? { id: document, relevance: 1 } : document;
}

/**
 * Returns whether saying nothing is the right answer: the expected answer is an empty text or list, as for the questions
 * of SQuAD 2.0 without an answer, and nothing else is to be said. Beside keywords, entities or numbers, an empty text is
 * one that was not filled in.
 */
export function isAnswerEmpty({ answer, keywords = [], entities = [], numbers = [] }: Expected): boolean {
  if (answer === undefined || keywords.length + entities.length + numbers.length > 0) return false;
  return [answer].flat().every((text) => text === '');
}
