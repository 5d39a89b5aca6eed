import { z } from 'zod';
import { amount, nonEmpty, positiveInt, wholeNumber } from '../json.ts';

/** The id of a record: letters, digits, `-` and `_`. */
export const recordIdSchema = z.string().regex(/^[\w-]{1,64}$/, 'must be up to 64 letters, digits, - and _');

/** The name of a person: a text without control characters. */
export const personSchema = z
  .string()
  .max(200)
  .regex(/^(?! )\P{C}+(?<! )$/u, 'must be a text without control characters');

/** The value of a label: yes or no, the number of a point, a choice or a text. */
export const labelValueSchema = z.union([z.boolean(), z.number(), z.string()]);
export type LabelValue = z.infer<typeof labelValueSchema>;

/** The second answer of a pair: the answer of another target to the same case, in the same attempt. */
const otherAnswerSchema = z.object({
  trialKey: nonEmpty(),
  answerHash: nonEmpty(),
  target: z.string(),
  attempt: positiveInt(),
  run: z.string().optional(),
  ordinal: wholeNumber().optional(),
});

/**
 * The answer of one trial, as an object of labels. Its identity is the hash of the case with the hash of the answer: a
 * label remains valid for the same answer in a rescored run, and never for another answer to the same case. The names
 * remain known after the run was deleted.
 */
export const subjectSchema = z.object({
  trialKey: nonEmpty(),
  /** Hash of the conversation without the ids of tool calls. */
  answerHash: nonEmpty(),
  caseHash: nonEmpty(),
  caseId: z.string(),
  category: z.string().optional(),
  target: z.string(),
  attempt: positiveInt(),
  /** The run in which the answer was found, and its place in the plan; absent for answers from elsewhere. */
  run: z.string().optional(),
  ordinal: wholeNumber().optional(),
  traceId: z.string().optional(),
  /** For a label about a pair: the answer that this one, A, is compared with, B. */
  against: otherAnswerSchema.optional(),
});
export type Subject = z.infer<typeof subjectSchema>;

/** The reasons for skipping an item. */
export const skipReasonSchema = z.enum(['unclear', 'broken', 'no-expertise']);
export type SkipReason = z.infer<typeof skipReasonSchema>;

/** The outcome of a label. `withdrawn` undoes the label that it replaces. */
export const labelOutcomeSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('answered'), value: labelValueSchema }),
  z.object({ status: z.literal('not-applicable') }),
  z.object({ status: z.literal('skipped'), reason: skipReasonSchema }),
  z.object({ status: z.literal('withdrawn') }),
]);
export type LabelOutcome = z.infer<typeof labelOutcomeSchema>;

const visibility = z.enum(['hidden', 'shown', 'unknown']);

/** The things that the reviewer could see when giving a label; `unknown` for labels from other tools. */
export const blindnessSchema = z.object({
  /** The judge's verdict. */
  verdict: visibility,
  /** The total of the scorecard. */
  score: visibility,
  /** The labels of others. */
  others: visibility,
  /** The name of the target. */
  target: visibility,
});
export type Blindness = z.infer<typeof blindnessSchema>;

/** The draw by which an answer came to be labelled; without it no estimate may use the label. */
export const labelDrawSchema = z.object({
  /** Hash of the list of answers that could be drawn. */
  frame: nonEmpty(),
  stratum: z.string(),
  /** The probability of being drawn; null for an answer that was picked by hand. */
  probability: z.number().gt(0).max(1).nullable(),
  seed: wholeNumber(),
});

/**
 * The occasion of a label: the item itself; `repeat`, the same item a second time for the same person; `control`, an item
 * that others have settled; `dispute`, the decision on an item about which others disagree. Only `new` and `dispute`
 * decide the settled value.
 */
export const labelPurposeSchema = z.enum(['new', 'repeat', 'control', 'dispute']);
export type LabelPurpose = z.infer<typeof labelPurposeSchema>;

/** The kinds of labels. A `correction` is given after the verdict of the judge and the labels of others were shown. */
const labelKindSchema = z.enum(['label', 'adjudication', 'correction']);

/** Words of an answer that were marked as evidence: offsets in UTF-16 code units, and the words. */
export const spansSchema = z.array(z.object({ start: wholeNumber(), end: positiveInt(), text: z.string() }));

/** The person who wrote a record, and the name of the access token; none on the own machine. */
export const writtenBySchema = z.object({ person: personSchema, token: z.string().optional() });
export type WrittenBy = z.infer<typeof writtenBySchema>;

/** The version of a rubric that a label answers. */
const labelRubricSchema = z.object({ id: nonEmpty(), version: nonEmpty() });
type LabelRubric = z.infer<typeof labelRubricSchema>;

/** One answer of one person to the question of a rubric about one subject: an event that never changes. */
export const labelSchema = z.lazy(() =>
  z.object({
    id: recordIdSchema,
    subject: subjectSchema,
    rubric: labelRubricSchema,
    kind: labelKindSchema,
    purpose: labelPurposeSchema,
    outcome: labelOutcomeSchema,
    note: z.string().optional(),
    spans: spansSchema.optional(),
    /** The finding of a correction: who was wrong. */
    finding: z.enum(['own-error', 'judge-wrong', 'rubric-unclear']).optional(),
    by: z.object({
      person: personSchema,
      /** The name of the access token with which it was sent; absent on the own machine. */
      token: z.string().optional(),
      role: z.enum(['reviewer', 'adjudicator']),
    }),
    /** ISO 8601. */
    at: z.iso.datetime(),
    /** The time from the display of the item to the label; null when unknown. */
    seconds: amount().nullable(),
    blind: blindnessSchema,
    /** The review task and the position of the item in it; null for labels from elsewhere. */
    task: recordIdSchema.nullable(),
    item: wholeNumber().nullable(),
    draw: labelDrawSchema.nullable(),
    /** The id of the label of the same person that it replaces or withdraws. */
    replaces: recordIdSchema.optional(),
    /** For a pair: the answer that the person saw first, on the left. It was drawn, and nothing else said which it was. */
    first: z.enum(['a', 'b']).optional(),
    /** The place in the sitting, from 1. */
    order: positiveInt().optional(),
    /**
     * The tool that the label was imported from, and its id there; and who stated that labels were given blind there, if anyone
     * did.
     */
    origin: z.object({ tool: z.string(), id: z.string(), blindSaidBy: personSchema.optional() }).optional(),
  }),
);
export type Label = z.infer<typeof labelSchema>;

/** The part of a label from which everything but its texts is derived. */
export interface LabelMark {
  readonly id: string;
  readonly item: number | null;
  readonly rubric: LabelRubric;
  readonly person: string;
  readonly kind: Label['kind'];
  readonly purpose: LabelPurpose;
  readonly outcome: LabelOutcome;
  /**
   * True when the verdict of the judge and the score were hidden, and the labels of others too, except from the person who
   * decides a dispute between them.
   */
  readonly isBlind: boolean;
  readonly at: string;
  readonly seconds: number | null;
  readonly replaces: string | undefined;
}

/** Returns the part of a label from which everything but its texts is derived. */
export function markOf({ id, item, rubric, by, kind, purpose, outcome, blind, ...rest }: Label): LabelMark {
  const isDecision = kind === 'adjudication';
  const isBlind =
    blind.verdict === 'hidden' && blind.score === 'hidden' && (isDecision || blind.others === 'hidden');
  const { at, seconds, replaces } = rest;
  return { id, item, rubric, person: by.person, kind, purpose, outcome, isBlind, at, seconds, replaces };
}

/** Returns the order of two labels: by time, then by id. */
export function compareLabels(
  one: Pick<LabelMark, 'at' | 'id'>,
  other: Pick<LabelMark, 'at' | 'id'>,
): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

/**
 * Returns the labels that are in force, skips included. A withdrawn label is as if it had never been given: a label that it
 * replaced is in force again. The order of the labels does not matter.
 */
export function labelsInForce<
  Each extends Pick<LabelMark, 'id' | 'outcome'> & { readonly replaces?: string },
>(labels: readonly Each[]): Each[] {
  const isWithdrawal = ({ outcome }: Each) => outcome.status === 'withdrawn';
  // Most answers have no label or one: a review task asks this of each of its items.
  if (!labels.some((label) => isWithdrawal(label) || label.replaces !== undefined)) return [...labels];
  const withdrawn = new Set(labels.filter(isWithdrawal).map(({ replaces }) => replaces));
  const valid = labels.filter((label) => !isWithdrawal(label) && !withdrawn.has(label.id));
  const replaced = new Set(valid.map(({ replaces }) => replaces));
  return valid.filter(({ id }) => !replaced.has(id));
}

/** Returns whether a label answers the question, if only with "not applicable". */
export function isAnswer({ outcome }: Pick<LabelMark, 'outcome'>): boolean {
  return outcome.status === 'answered' || outcome.status === 'not-applicable';
}
