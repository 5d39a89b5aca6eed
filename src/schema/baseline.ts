import { z } from 'zod';

/** The version of the form in which baselines are written. */
export const baselineVersion = 1;

/** What a baseline may be called: it is the name of a file, too. */
export const baselineNameSchema = z.string().regex(/^[a-zA-Z0-9](?:[\w.-]{0,62}[a-zA-Z0-9])?$/);

/** What became of one case; a mean over its attempts. What was not measured is null. */
export const baselineCaseSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    /** Of its content: a case that was changed is another one. */
    hash: z.string(),
    category: z.string().optional(),
    /** In [0, 1]. */
    score: z.number().nullable(),
    /** Share of the attempts that passed. */
    passed: z.number().nullable(),
    /** Mean value by the name of the metric; absent where it does not apply, or was not measured. */
    metrics: z.record(z.string(), z.number()),
    /** Share of the attempts with which a criterion that is true or false is as it should be, by its name. */
    criteria: z.record(z.string(), z.number()).optional(),
  }),
);
export type BaselineCase = z.infer<typeof baselineCaseSchema>;

/** A run boiled down to what later ones are held against. */
export const baselineSchema = z.lazy(() =>
  z.object({
    touchstoneBaseline: z.literal(baselineVersion),
    name: z.string(),
    run: z.object({
      id: z.string(),
      createdAt: z.string(),
      touchstoneVersion: z.string(),
      attempts: z.int().positive(),
    }),
    /** The rules that its numbers follow from. Numbers made by others are not comparable. */
    scorecard: z.object({ name: z.string(), fingerprint: z.string() }).nullable(),
    metrics: z.array(
      z.object({
        name: z.string(),
        version: z.int().positive(),
        fingerprint: z.string(),
        judge: z.string().optional().describe('The fingerprint of the judge that it asks.'),
      }),
    ),
    /** The fingerprint of who played the users. */
    user: z.string().optional(),
    targets: z.array(
      z.object({ name: z.string(), fingerprint: z.string(), cases: z.array(baselineCaseSchema) }),
    ),
  }),
);
export type Baseline = z.infer<typeof baselineSchema>;
export type BaselineTarget = Baseline['targets'][number];
