import { z } from 'zod';
import { jsonSchema, wholeNumber } from '../../json.ts';
import { messageSchema } from '../../message.ts';
import { shownPairValues } from '../../review/rubric.ts';
import { labelOutcomeSchema, labelPurposeSchema } from '../../review/label.ts';
import { verdictSchema } from '../../verdict.ts';
import { cutSchema } from '../trial-view.ts';

/** The label of another person, without the name. */
const otherLabelSchema = z.lazy(() =>
  z.object({ rubric: z.string(), outcome: labelOutcomeSchema, note: z.string().optional() }),
);
export type OtherLabelView = z.infer<typeof otherLabelSchema>;

const spokenShape = { transcript: z.array(messageSchema), answer: z.string().nullable() };

/** One item as a reviewer sees it before the label. Long texts and lists are cut. */
const reviewCardSchema = z.lazy(() =>
  z.object({
    item: wholeNumber(),
    purpose: labelPurposeSchema,
    /** The end of the reservation; ISO 8601. */
    until: z.string(),
    ...spokenShape,
    /** For a pair: the second answer; the parts above belong to the first. */
    second: z.object(spokenShape).optional(),
    /** For a pair: the order in which it is shown, which is sent back with the label. */
    turn: z.union([z.literal(0), z.literal(1)]).optional(),
    context: z.union([z.string(), z.array(z.string())]).optional(),
    /** The expectations of the case. */
    expected: jsonSchema.optional(),
    /** The labels that a dispute is about. */
    others: z.array(otherLabelSchema).optional(),
    cuts: z.array(cutSchema),
  }),
);
export type ReviewCardView = z.infer<typeof reviewCardSchema>;

/**
 * The items that are reserved for a person, the number of those whose answers are no longer in the store, and whether there are
 * more, which are left to others for now.
 */
export const reviewCardsSchema = z.lazy(() =>
  z.object({ cards: z.array(reviewCardSchema), gone: wholeNumber(), hasMore: z.boolean() }),
);

/** The verdicts and labels that are shown after the own label. */
export const revealedSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** The total of the scorecard, from 0 to 1; null without one. */
    total: z.number().nullable(),
    /** The verdicts on what the rubrics ask; absent where the run has none. */
    verdicts: z.array(z.object({ rubric: z.string(), verdict: verdictSchema.optional() })),
    others: z.array(otherLabelSchema),
    /** For a pair: the names of the targets, and what judges say of it in the order in which it was shown. */
    pair: z
      .object({
        first: z.string(),
        second: z.string(),
        judges: z.array(
          z.object({
            judge: z.string(),
            preference: z.enum(shownPairValues),
            isConsistent: z.boolean(),
            reasons: z.array(z.string()),
          }),
        ),
      })
      .optional(),
    cuts: z.array(cutSchema),
  }),
);
export type RevealedView = z.infer<typeof revealedSchema>;

/** The answer to a request that was stored, or changed nothing since it had been stored before. */
export const storedSchema = z.object({ stored: z.literal(true) });

/** The item that is offered again after an undo; null when there was nothing to undo. */
export const undoneSchema = z.object({ item: wholeNumber().nullable() });
