import { z } from 'zod';
import { estimateSchema } from '../../estimate.ts';
import { peopleAgreementSchema } from '../../review/certificate.ts';
import {
  answerPreferenceSchema,
  comparedTargetSchema,
  preferenceRankingSchema,
  targetPreferenceSchema,
} from './report.ts';

/** The version of the format of a report on people's preferences. */
export const peoplePreferenceVersion = 1;

const count = z.int().nonnegative();

/** A judge compared with people on the same pairs of answers. */
const judgeOnPairsSchema = z.lazy(() =>
  z.object({
    judge: z.string(),
    criterion: z.string(),
    /** The pairs on which both have a verdict, and those with the same one: a win of the same answer, or a tie. */
    pairs: count,
    same: count,
    agreement: estimateSchema,
    /** Cohen's kappa over wins of A, wins of B and ties. */
    kappa: estimateSchema,
    /** The number of pairs by the verdict of people (rows) and by the verdict of the judge (columns): A, B, tie. */
    table: z.array(z.array(count)),
  }),
);
export type JudgeOnPairs = z.infer<typeof judgeOnPairsSchema>;

/** The preferences of people between two targets. */
export const peoplePairSchema = z.lazy(() =>
  z.object({
    ...targetPreferenceSchema.shape,
    /** Judges compared with people on the pairs of these two targets. */
    judges: z.array(judgeOnPairsSchema),
  }),
);
export type PeoplePair = z.infer<typeof peoplePairSchema>;

/** The preferences of people between the answers of targets, as labels of one review task say. */
export const peoplePreferenceSchema = z.lazy(() =>
  z.object({
    version: z.literal(peoplePreferenceVersion),
    task: z.string(),
    createdAt: z.string(),
    rubric: z.object({ id: z.string(), version: z.string(), question: z.string() }),
    targets: z.array(comparedTargetSchema),
    /** The pairs with two different answers that could be drawn, and those that were drawn at random. */
    frame: count,
    drawn: count,
    people: peopleAgreementSchema,
    /** Labels in force, given blind; and how many of them say that both answers are bad, which count as ties. */
    labels: count,
    bothBad: count,
    pairs: z.array(peoplePairSchema),
    /** Present for more than two targets. */
    ranking: preferenceRankingSchema.optional(),
    preferences: z.array(answerPreferenceSchema),
  }),
);
export type PeoplePreferenceReport = z.infer<typeof peoplePreferenceSchema>;
