import { z } from 'zod';
import { labelValueSchema, personSchema, recordIdSchema } from './label.ts';
import { nonEmpty } from '../json.ts';

/** The scale of a rubric: the values that a label can have. A point of an ordinal scale is its number, from 1. */
export const rubricScaleSchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('yes-no') }),
    /** The meaning of each point, from the worst; at most nine, since each has a key. */
    z.object({ type: z.literal('ordinal'), anchors: z.array(nonEmpty()).min(2).max(9) }),
    z.object({ type: z.literal('choice'), choices: z.array(nonEmpty()).min(2).max(9) }),
    z.object({ type: z.literal('text') }),
    /** Which of two answers is better: the label's subject (`a`), the one against it (`b`), neither, or both are bad. */
    z.object({ type: z.literal('pair') }),
  ]),
);
export type RubricScale = z.infer<typeof rubricScaleSchema>;

/** The values of the scale `pair`. Both answers bad is a tie with a reason. */
export const pairValues = ['a', 'b', 'tie', 'both-bad'] as const;
export type PairValue = (typeof pairValues)[number];

/** The values of the scale `pair` as a reviewer gives them, who does not know which answer is A. */
export const shownPairValues = ['first', 'second', 'tie', 'both-bad'] as const;
export type ShownPairValue = (typeof shownPairValues)[number];

/** The criterion of rubrics about pairs: the judge that answers the same question is asked by `touchstone prefer`. */
export const pairCriterion = 'prefer';

/** An answer that explains a rubric to reviewers. */
export const rubricExampleSchema = z.object({
  type: z.enum(['good', 'bad', 'border']),
  answer: nonEmpty(),
  /** The reason for its label. */
  note: nonEmpty().optional(),
});

/** The part of a rubric that reviewers read or that decides what they see: other words are another version. */
export const rubricWordsSchema = z.lazy(() =>
  z.object({
    question: nonEmpty(),
    scale: rubricScaleSchema,
    /** The condition under which the question does not apply to an answer; absent when it always applies. */
    notApplicable: nonEmpty().optional(),
    examples: z.array(rubricExampleSchema),
    /** True when reviewers see the context of the case; likewise the expected answer. */
    maySeeContext: z.boolean(),
    maySeeExpected: z.boolean(),
  }),
);
export type RubricWords = z.infer<typeof rubricWordsSchema>;

/** The id of a rubric, which files and commands name. */
const rubricIdSchema = z.string().regex(/^[\w.-]{1,100}$/, 'must be up to 100 letters, digits, -, _ and .');

/** A question that people answer about answers of a target, in the words of one version. */
export const rubricSchema = z.lazy(() =>
  z.object({
    id: rubricIdSchema,
    /** Hash of the words. */
    version: recordIdSchema,
    ...rubricWordsSchema.unwrap().shape,
    /** The name of the metric that answers the same question: only its verdicts can be compared with the labels. */
    criterion: nonEmpty(),
    /** The values that count as passed; absent when no value does, as for a text. */
    passing: z.array(labelValueSchema).optional(),
    /** The values that need a note, such as what went wrong. */
    noteOn: z.array(labelValueSchema).optional(),
    /** The way in which labels that differ are settled when three or more people were asked: never, or by their majority or median. */
    settle: z.enum(['agreement', 'majority']),
  }),
);
export type Rubric = z.infer<typeof rubricSchema>;

/** Returns a rubric that asks one yes-no question, whose criterion has its id; "yes" passes. */
export function yesNoRubric(id: string, question: string): Omit<Rubric, 'version'> {
  return {
    id,
    criterion: id,
    question,
    scale: { type: 'yes-no' },
    examples: [],
    maySeeContext: true,
    maySeeExpected: false,
    passing: [true],
    settle: 'agreement',
  };
}

/** The name of one version of a rubric. */
export const rubricNameSchema = z.object({ id: rubricIdSchema, version: recordIdSchema });
export type RubricName = z.infer<typeof rubricNameSchema>;

/**
 * A person's statement that two versions of a rubric mean the same, so that labels of one count for the other. It never
 * changes.
 */
export const rubricEquivalenceSchema = z.object({
  id: recordIdSchema,
  rubric: rubricIdSchema,
  versions: z.tuple([recordIdSchema, recordIdSchema]),
  by: personSchema,
  /** ISO 8601. */
  at: z.iso.datetime(),
  note: z.string().optional(),
});
export type RubricEquivalence = z.infer<typeof rubricEquivalenceSchema>;

/**
 * Returns whether a value is on a scale: true or false, the number of a point, one of the choices, a text that is not
 * empty, or a value of a pair.
 */
export function isOnScale(value: unknown, scale: RubricScale): boolean {
  if (scale.type === 'yes-no') return typeof value === 'boolean';
  if (scale.type === 'choice') return typeof value === 'string' && scale.choices.includes(value);
  if (scale.type === 'text') return typeof value === 'string' && value.trim() !== '';
  if (scale.type === 'pair') return pairValues.some((each) => each === value);
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= scale.anchors.length;
}

/** Describes the values of a scale for an error: `yes or no`, `a number from 1 to 5`. */
export function describeScale(scale: RubricScale): string {
  if (scale.type === 'yes-no') return 'yes or no';
  if (scale.type === 'text') return 'a text';
  if (scale.type === 'pair') return `one of ${shownPairValues.join(', ')}`;
  return scale.type === 'choice'
    ? `one of ${scale.choices.join(', ')}`
    : `a number from 1 to ${scale.anchors.length}`;
}
