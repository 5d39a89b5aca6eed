import { z } from 'zod';

/** One of the two verdicts that contradict each other. */
const sideSchema = z.object({
  /** The metric's name in this run. */
  metric: z.string(),
  value: z.number(),
});

/** One answer on which metrics contradict each other. */
export const contradictionSchema = z.lazy(() =>
  z.object({
    /** Place of the trial in the plan. */
    ordinal: z.int().nonnegative(),
    caseId: z.string(),
    target: z.string(),
    high: sideSchema,
    low: sideSchema,
  }),
);
export type Contradiction = z.infer<typeof contradictionSchema>;

const countsSchema = {
  /** Answers on which both sides have a verdict. */
  compared: z.int().nonnegative(),
  /** Those on which the two contradict each other. */
  count: z.int().nonnegative(),
};

/** One way in which metrics of a run can contradict each other, and how often they did. */
export const disagreementSchema = z.lazy(() =>
  z.object({
    /** Kebab-case. */
    kind: z.string(),
    title: z.string(),
    /** What is most likely behind it. */
    reading: z.string(),
    ...countsSchema,
    targets: z.array(z.object({ target: z.string(), ...countsSchema })),
    /** The widest apart first; not all of them when there are many. */
    widest: z.array(contradictionSchema),
  }),
);
/** One way in which metrics of a run can contradict each other, and how often they did. */
export type Disagreement = z.infer<typeof disagreementSchema>;
