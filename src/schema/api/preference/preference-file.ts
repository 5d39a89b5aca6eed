import { z } from 'zod';
import { answerPreferenceSchema } from './report.ts';

/** The path of the answer with the comparison of answers, as the page of a comparison asks for it. */
export const preferencesPath = '/preferences';

/** The path of the answer with the verdicts on single answers. */
export const preferenceAnswersPath = '/preferences/answers';

/** The verdicts on single answers in a comparison in one file: all, or the first of very many. */
export const preferenceAnswersSchema = z.lazy(() =>
  z.object({ rows: z.array(answerPreferenceSchema), count: z.int().nonnegative() }),
);
