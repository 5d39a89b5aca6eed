import { z } from 'zod';
import { claimSchema, lookAnswerSchema, versionSchema } from './referee.ts';
import { nonEmpty, positiveInt, wholeNumber } from '../json.ts';

/** A look that is asked of a server: the commit whose bot is to be built, and the claim about it. */
export const askedLookSchema = z.strictObject({
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'expected the whole hash of a commit'),
  candidate: nonEmpty().max(500).optional(),
  margin: z.number().gt(0).lt(1).optional(),
});
export type AskedLook = z.infer<typeof askedLookSchema>;

/** The answer of the referee: one bit, or that there is none yet. */
export const lookReportSchema = z.object({
  answer: z.union([lookAnswerSchema, z.literal('open')]),
  look: positiveInt(),
  looks: positiveInt(),
  surprises: z.object({ seen: wholeNumber(), most: positiveInt() }),
  claim: claimSchema,
  candidate: versionSchema,
  incumbent: versionSchema,
  /** The answers of the incumbent: `again` when its answers were old; `gone` when they were, and no target of the config is it. */
  asks: z.enum(['recorded', 'again', 'gone']),
  questions: positiveInt(),
  level: z.number(),
  /** True for the answer of an earlier look, which cost nothing. */
  isRepeated: z.boolean(),
  /** Why there is no answer yet. */
  open: z.enum(['stopped', 'judge', 'fault']).optional(),
  /** True when the candidate is the incumbent now. */
  isAdopted: z.boolean(),
  /** The difference on the working set; absent when one of the versions has no complete run of it. */
  workingSet: z
    .object({
      questions: wholeNumber(),
      before: z.number(),
      after: z.number(),
      lower: z.number().nullable(),
      upper: z.number().nullable(),
      broken: z.number(),
    })
    .optional(),
  gain: z.object({
    gain: z.number().optional(),
    broken: z.number(),
    isKnown: z.boolean(),
    questionsForTen: z.int().optional(),
  }),
  /** The thing that keeps the questions from a reader: another folder, account or machine. */
  seal: z.enum(['folder', 'user', 'server']),
});
export type LookReport = z.infer<typeof lookReportSchema>;

/** The answer that a job sends: the report of the referee, or why there is none. */
export const sentAnswerSchema = z.union([
  z.strictObject({ report: lookReportSchema }),
  z.strictObject({ refusal: z.strictObject({ code: z.string().max(100), message: z.string().max(2000) }) }),
]);
export type SentAnswer = z.infer<typeof sentAnswerSchema>;

/** A look that is asked of a referee under another account: the target of its own config, and which version that is now. */
export const versionAskedSchema = z.strictObject({
  target: nonEmpty().max(500),
  version: nonEmpty().max(500),
  margin: z.number().gt(0).lt(1).optional(),
});
export type VersionAsked = z.infer<typeof versionAskedSchema>;

/** A look that was asked of a server, with its answer once a job has sent it. */
export interface LookRequest {
  readonly id: string;
  readonly asked: AskedLook;
  readonly by: string;
  readonly at: string;
  /** When a job took it, ISO 8601; null while it waits. */
  readonly takenAt: string | null;
  readonly answer?: SentAnswer;
}
