import { z } from 'zod';
import {
  pairCriterion,
  type Rubric,
  rubricExampleSchema,
  type RubricScale,
} from '../../../core/schema/review/rubric.ts';

const words = z.array(z.string().min(1)).min(2).max(9);

/** The schema of a rubric as a user writes it. */
export const rubricSettingSchema = z.lazy(() =>
  z
    .strictObject({
      criterion: z
        .string()
        .min(1)
        .optional()
        .describe(
          'The metric that answers the same question, such as `politeness`: its verdicts are compared with the labels. Required, except for pairs.',
        ),
      question: z.string().min(1).describe('The question to reviewers, in full.'),
      scale: z
        .union([
          z.enum(['yes-no', 'text', 'pair']),
          z.strictObject({ anchors: words.describe('The meaning of each point, from the worst.') }),
          z.strictObject({ choices: words.describe('The choices.') }),
        ])
        .default('yes-no')
        .describe(
          '`yes-no`, `text`, `pair` for which of two answers is better, `{ anchors: [rude, curt, friendly] }` for points from 1, or `{ choices: [a, b] }`.',
        ),
      passing: z
        .array(z.union([z.enum(['yes', 'no']), z.boolean(), z.number(), z.string()]))
        .min(1)
        .optional()
        .describe(
          'The values that count as passed, such as `[4, 5]`; `[yes]` by default where the scale is yes or no.',
        ),
      notApplicable: z
        .string()
        .min(1)
        .optional()
        .describe('When the question does not apply to an answer; without it, reviewers cannot say so.'),
      examples: z
        .array(rubricExampleSchema.strict())
        .default([])
        .describe('Answers with the reason for their label.'),
      maySeeContext: z
        .boolean()
        .default(true)
        .describe('True when reviewers see the context of the question.'),
      maySeeExpected: z
        .boolean()
        .default(false)
        .describe('True when reviewers see what the question expects.'),
      settle: z
        .enum(['agreement', 'majority'])
        .default('agreement')
        .describe(
          'Whether a majority of three or more people, or their median, settles an item on which they differ.',
        ),
    })
    .refine(({ criterion, scale }) => criterion !== undefined || scale === 'pair', {
      path: ['criterion'],
      message: 'is required: the metric that answers the same question',
    })
    .refine(({ notApplicable, scale }) => notApplicable === undefined || scale !== 'pair', {
      path: ['notApplicable'],
      message: 'cannot be used with pairs: a reviewer says that both are bad, or skips the pair',
    }),
);

/** A rubric as a user writes it. */
export type RubricSetting = z.output<typeof rubricSettingSchema>;

/** The schema of the `rubrics` setting: rubrics by their ids, or files that contain one each. */
export const rubricsSettingSchema = z.record(
  z.string().regex(/^[\w.-]{1,100}$/, 'must be up to 100 letters, digits, -, _ and .'),
  z.union([z.string().min(1), rubricSettingSchema]),
);

/** Returns a rubric without its version, as a user wrote it. */
export function toRubric(id: string, setting: RubricSetting): Omit<Rubric, 'version'> {
  const {
    scale: written,
    criterion = pairCriterion,
    passing = written === 'yes-no' ? [true] : undefined,
    notApplicable,
    ...rest
  } = setting;
  const scale = toScale(written);
  return {
    id,
    criterion,
    ...rest,
    scale,
    ...(notApplicable !== undefined && { notApplicable }),
    ...(passing !== undefined && {
      passing: passing.map((value) => (scale.type === 'yes-no' ? value === true || value === 'yes' : value)),
    }),
  };
}

function toScale(written: RubricSetting['scale']): RubricScale {
  if (typeof written === 'string') return { type: written };
  return 'anchors' in written
    ? { type: 'ordinal', anchors: written.anchors }
    : { type: 'choice', choices: written.choices };
}
