import { z } from 'zod';
import { amount, nonEmpty, positiveInt, wholeNumber } from '../json.ts';

/** The id that its sender gave to a feedback; sending the same one again changes nothing. */
const feedbackIdSchema = z
  .string()
  .regex(/^[\w.:-]{1,128}$/, 'must be up to 128 letters, digits, -, _, . and :');

/** A short name without control characters. */
const nameSchema = z
  .string()
  .max(200)
  .regex(/^\P{C}+$/u, 'must be a short text without control characters');

/** The longest text of a feedback, in UTF-16 code units. */
const longestFeedbackText = 20_000;

const textSchema = nonEmpty().max(longestFeedbackText);

/**
 * The answer that a feedback is about: by the key of its trial; by its case in a run; by its trace; or by its conversation
 * and the turn in it.
 */
export const feedbackSubjectSchema = z.lazy(() =>
  z.union([
    z.strictObject({ trialKey: nameSchema }),
    z.strictObject({
      run: nameSchema,
      caseId: nameSchema,
      target: nameSchema.optional(),
      attempt: positiveInt().optional(),
    }),
    z.strictObject({ traceId: nameSchema }),
    z.strictObject({ conversation: nameSchema, turn: positiveInt().optional() }),
  ]),
);
export type FeedbackSubject = z.infer<typeof feedbackSubjectSchema>;

/** The reactions of users. `edit` has the corrected answer as its text, `text` a comment. */
const feedbackSignals = [
  'thumb',
  'stars',
  'edit',
  'retry',
  'copied',
  'escalated',
  'abandoned',
  'text',
  'outcome',
] as const;

/** The kind of a reaction. */
export const feedbackSignalSchema = z.enum(feedbackSignals);

const commonShape = {
  id: feedbackIdSchema,
  /** The time of the reaction; ISO 8601. */
  at: z.iso.datetime({ error: 'must be a time such as 2026-01-02T10:00:00Z' }),
  /** The program that sent it, such as `web`. */
  source: nameSchema,
  signal: feedbackSignalSchema,
  /** `up` or `down` for a thumb, 1 to 5 for stars, a truth or a number for an outcome. */
  value: z.union([z.enum(['up', 'down']), z.number(), z.boolean()]).optional(),
  /** The name of an outcome, such as `solved`. */
  name: nameSchema.optional(),
  subject: feedbackSubjectSchema,
  text: textSchema.optional(),
  /** The time from the answer to the reaction, in milliseconds. */
  dwellMs: amount().optional(),
} as const;

interface Signalled {
  readonly signal: (typeof feedbackSignals)[number];
  readonly value?: 'up' | 'down' | number | boolean;
  readonly name?: string;
  readonly text?: string;
}

/** The values that fit the signals which have one, and what to write. */
const valued: Readonly<
  Partial<Record<Signalled['signal'], readonly [(feedback: Signalled) => boolean, string]>>
> = {
  thumb: [({ value }) => value === 'up' || value === 'down', 'a thumb has the value "up" or "down"'],
  stars: [({ value }) => [1, 2, 3, 4, 5].some((stars) => stars === value), 'stars have a value from 1 to 5'],
  outcome: [
    ({ name, value }) => name !== undefined && (typeof value === 'number' || typeof value === 'boolean'),
    'an outcome has a name, and a value that is a number or true or false',
  ],
};

/** Returns what is wrong with the value of a signal; undefined when it fits. */
function findMisfit(feedback: Signalled): string | undefined {
  const { signal, value, text } = feedback;
  const [isFit, wanted] = valued[signal] ?? [];
  if (isFit !== undefined) return isFit(feedback) ? undefined : wanted;
  if (value !== undefined) return `the signal ${signal} has no value`;
  const needsText = signal === 'text' || signal === 'edit';
  return needsText && text === undefined ? `the signal ${signal} has a text` : undefined;
}

/** Adds an issue when the value of a signal does not fit. */
function checkSignal(feedback: Signalled, context: z.core.$RefinementCtx): void {
  const misfit = findMisfit(feedback);
  if (misfit !== undefined) context.addIssue({ code: 'custom', message: misfit, path: ['signal'] });
}

/** A feedback as a program sends it. `user` is replaced by a keyed hash, and the text is redacted, before it is stored. */
export const givenFeedbackSchema = z.lazy(() =>
  z.strictObject({ ...commonShape, user: nonEmpty().max(500).optional() }).superRefine(checkSignal),
);
export type GivenFeedback = z.infer<typeof givenFeedbackSchema>;

const keyedPartSchema = z.string().regex(/^[\w-]{1,100}$/);

const storedShape = {
  ...commonShape,
  /** The keyed hash of the user and the id of the key; hashes of different keys cannot be compared. */
  user: z.strictObject({ key: keyedPartSchema, hash: keyedPartSchema }).optional(),
  /** The time when it came into the store; ISO 8601. */
  receivedAt: z.iso.datetime(),
} as const;

/** A reaction of a user to an answer, as it is stored: evidence about the product, and never a label. It never changes. */
export const feedbackSchema = z.lazy(() => z.object(storedShape));
export type Feedback = z.infer<typeof feedbackSchema>;

/** A feedback that another store exported: its user is a hash already, and the time of its receipt is known. */
export const exportedFeedbackSchema = z.lazy(() => z.strictObject(storedShape).superRefine(checkSignal));

/** The version of the format of lines of feedback. */
export const feedbackLineVersion = 1;

/** A line of a file of feedback: as a program writes it, or as `touchstone feedback export` does. */
export const feedbackLineSchema = z.lazy(() => z.union([givenFeedbackSchema, exportedFeedbackSchema]));

/** The answer to which a feedback belongs. Its names remain known after the run was deleted. */
export const feedbackMatchSchema = z.object({
  feedback: z.string(),
  run: z.string(),
  ordinal: wholeNumber(),
  trialKey: z.string(),
  caseId: z.string(),
  category: z.string().nullable(),
  target: z.string(),
  /** The time when the answer was given; ISO 8601. */
  answeredAt: z.iso.datetime(),
});
export type FeedbackMatch = z.infer<typeof feedbackMatchSchema>;

/** The opinion in a reaction: what a thumb or stars say of an answer. Null for a signal without one. */
export type Opinion = 'positive' | 'neutral' | 'negative';

/** Returns the opinion in a reaction: thumbs, and stars with 1 and 2 as negative and 4 and 5 as positive. */
export function opinionOf({ signal, value }: Pick<Feedback, 'signal' | 'value'>): Opinion | null {
  if (signal === 'thumb') return value === 'up' ? 'positive' : 'negative';
  if (signal !== 'stars' || typeof value !== 'number') return null;
  if (value === 3) return 'neutral';
  return value > 3 ? 'positive' : 'negative';
}
