import { z } from 'zod';
import { peoplePairSchema, peoplePreferenceSchema } from './people.ts';
import {
  answerPreferenceSchema,
  comparedTargetSchema,
  preferenceRankingSchema,
  preferenceReportSchema,
  targetPreferenceSchema,
} from './report.ts';
import { wholeNumber } from '../../json.ts';

const commonShape = {
  /** The id by which the answers behind its numbers are asked for. */
  id: z.string(),
  targets: z.array(comparedTargetSchema),
  ranking: preferenceRankingSchema.optional(),
  /** The number of the pair of targets that the page is about. */
  shown: wholeNumber(),
};

/** A comparison of answers in pairs that contains the two targets of a page, without the verdicts on single answers. */
const preferenceViewSchema = z.lazy(() =>
  z.discriminatedUnion('by', [
    z.object({
      by: z.literal('judge'),
      ...commonShape,
      pairs: z.array(targetPreferenceSchema),
      rule: preferenceReportSchema.unwrap().shape.rule,
      isStopped: z.boolean(),
    }),
    z.object({
      by: z.literal('people'),
      ...commonShape,
      pairs: z.array(peoplePairSchema),
      task: peoplePreferenceSchema.unwrap().pick({
        task: true,
        rubric: true,
        frame: true,
        drawn: true,
        people: true,
        labels: true,
        bothBad: true,
      }),
    }),
  ]),
);
export type PreferenceView = z.infer<typeof preferenceViewSchema>;

/** The comparisons of answers that contain the two targets of a page. */
export const preferenceListSchema = z.lazy(() =>
  z.object({
    preferences: z.array(preferenceViewSchema),
    /** The command that makes one, and the one that lets people compare. */
    commands: z.object({ judge: z.string(), people: z.string() }),
  }),
);
export type PreferenceList = z.infer<typeof preferenceListSchema>;

/** The outcomes that a number of a comparison counts. A flip is a pair whose two orders had different results. */
export const preferenceChoices = ['wins', 'ties', 'losses', 'flips', 'not-measured', 'measured'] as const;
export type PreferenceChoice = (typeof preferenceChoices)[number];

/** The verdicts on single answers behind a number. */
export const preferenceCasesSchema = z.lazy(() =>
  z.object({ rows: z.array(answerPreferenceSchema), count: wholeNumber() }),
);
export type PreferenceCases = z.infer<typeof preferenceCasesSchema>;

/** The path of the answer with the comparison of answers, as the page of a comparison asks for it. */
export const preferencesPath = '/preferences';

/** The path of the answer with the verdicts on single answers. */
export const preferenceAnswersPath = '/preferences/answers';

/** The verdicts on single answers in a comparison in one file: all, or the first of very many. */
export const preferenceAnswersSchema = z.lazy(() =>
  z.object({ rows: z.array(answerPreferenceSchema), count: wholeNumber() }),
);
