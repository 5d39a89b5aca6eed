import { z } from 'zod';
import { pickReasons } from './pick-reason.ts';
import { caseSchema } from '../case.ts';
import { type Expected, expectedSchema } from '../expected.ts';
import { jsonSchema, nonEmpty } from '../json.ts';
import { personSchema } from '../review/label.ts';

/** The id of a proposal: `proposal-` and digits of the hash of its content. */
export const proposalIdSchema = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be up to 64 letters, digits, - and _');

/** A text from outside, of limited length. */
const sentenceSchema = nonEmpty().max(2000);

/** The part of a case's expectations that a proposed expectation belongs to. */
export const proposedFieldSchema = z.enum(
  Object.keys(expectedSchema.shape) as [keyof Expected, ...(keyof Expected)[]],
);
export type ProposedField = z.infer<typeof proposedFieldSchema>;

/**
 * The evidence for a proposed expectation: a text; words of a document; a span of the trace that the case is from; a feedback
 * with a user's correction; or the case as the dataset has it, where the expectation was approved before.
 */
const proofSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: sentenceSchema }),
  z.object({
    type: z.literal('quote'),
    document: nonEmpty().max(1000),
    quote: nonEmpty().max(20_000),
  }),
  z.object({ type: z.literal('span'), spanId: nonEmpty().max(200), text: sentenceSchema }),
  z.object({ type: z.literal('feedback'), feedback: nonEmpty().max(200), text: sentenceSchema }),
  z.object({ type: z.literal('case') }),
]);
export type Proof = z.infer<typeof proofSchema>;

/** Says where an expectation comes from, for a person who is to tick it. */
export function describeProof(proof: Proof): string {
  switch (proof.type) {
    case 'text':
      return proof.text;
    case 'quote':
      return `${proof.document}: “${proof.quote}”`;
    case 'span':
      return `${proof.text} (span ${proof.spanId})`;
    case 'feedback':
      return `${proof.text} (feedback ${proof.feedback})`;
    case 'case':
      return 'as in the question now';
  }
}

/**
 * One expectation that a person has to tick before it becomes part of a case. The value is one item for a field that is a list
 * (the name of one tool); a list means all of its items, and an empty one for "none", such as no tools.
 */
export const proposedExpectationSchema = z.object({
  field: proposedFieldSchema,
  value: jsonSchema,
  proof: proofSchema,
});
export type ProposedExpectation = z.infer<typeof proposedExpectationSchema>;

/**
 * A case without its expectations, in the spelling of Touchstone (see `case.schema.json`). Without an id, it gets the id of the
 * proposal.
 */
export const proposedCaseSchema = z.lazy(() =>
  caseSchema
    .omit({ expected: true })
    .partial({ id: true })
    .superRefine(({ user }, context) => {
      // They would enter the dataset without having been ticked.
      for (const [index, { expected }] of (user?.script ?? []).entries())
        if (expected !== undefined)
          context.addIssue({
            code: 'custom',
            path: ['user', 'script', index, 'expected'],
            message: 'a turn of a proposed question has no expectations',
          });
    }),
);
export type ProposedCase = z.infer<typeof proposedCaseSchema>;

/** The source that a proposal was made from. `day` is the day of the trace, such as `2026-12-31`. */
export const proposalSourceSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('trace'),
    traceId: nonEmpty().max(200),
    spanId: nonEmpty().max(200).optional(),
    day: z.iso.date(),
    /** Of a question that a model drafted from what the trace shows: the model, the prompt with its version, and the seed. */
    model: nonEmpty().max(200).optional(),
    prompt: z.string().max(200).optional(),
    seed: z.string().max(200).optional(),
  }),
  z.object({
    type: z.literal('document'),
    document: nonEmpty().max(1000),
    /** The passage of the document, such as its lines or its heading. */
    passage: z.string().max(1000),
    /** The model that drafted the case. */
    model: nonEmpty().max(200),
    /** The prompt with its version, such as `draft-fact@1`, and the seed of the draft. */
    prompt: z.string().max(200).optional(),
    seed: z.string().max(200).optional(),
    /** The hashes of the documents' texts by their ids, by which a later change of a document shows. */
    hashes: z.record(z.string(), z.string()).optional(),
  }),
  z.object({ type: z.literal('label'), label: nonEmpty().max(200) }),
  /** A change that a person made on the page of an answer, of this run. */
  z.object({ type: z.literal('run'), run: nonEmpty().max(200) }),
]);
export type ProposalSource = z.infer<typeof proposalSourceSchema>;

export const pickReasonSchema = z.enum(pickReasons);

/** A reason with what was found, as a phrase. */
export const pickSchema = z.object({ reason: pickReasonSchema, why: sentenceSchema });
export type Pick = z.infer<typeof pickSchema>;

/** A check of a proposal before people see it; `passed` is null where it could not be decided. */
export const proposalCheckSchema = z.object({
  /** Such as `duplicate`, `answerable` or `closed-book`. */
  name: z.string().regex(/^[a-z][a-z-]{0,63}$/),
  passed: z.boolean().nullable(),
  reason: sentenceSchema,
});
export type ProposalCheck = z.infer<typeof proposalCheckSchema>;

/** The author of a proposal: a person, or a program, with the model that it asked where it did. */
export const proposalAuthorSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('person'), name: personSchema }),
  z.object({ type: z.literal('program'), name: personSchema, model: nonEmpty().max(200).optional() }),
]);
export type ProposalAuthor = z.infer<typeof proposalAuthorSchema>;

/**
 * A change of a dataset that no person has approved yet: an event that never changes. Nothing of it enters the dataset before a
 * person has ticked its expectations and approved it.
 */
export const proposalSchema = z.lazy(() =>
  z.object({
    id: proposalIdSchema,
    /** The name of the golden set that it is for. */
    dataset: nonEmpty().max(1000),
    change: z.enum(['new', 'changed']),
    /** The id of the case that a changed one replaces. */
    replaces: nonEmpty().optional(),
    case: proposedCaseSchema,
    expectations: z.array(proposedExpectationSchema).max(1000),
    source: proposalSourceSchema,
    picked: z.array(pickSchema).min(1),
    checks: z.array(proposalCheckSchema),
    /** True for a case that no user asked: one drafted by a model, or a twin in other words. */
    isSynthetic: z.boolean(),
    by: proposalAuthorSchema,
    /** ISO 8601. */
    at: z.iso.datetime(),
  }),
);
export type Proposal = z.infer<typeof proposalSchema>;
