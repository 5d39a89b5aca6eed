import { z } from 'zod';

/** The numbers of trials by the values of some fields, for the filter of a list. */
export const trialFacetsSchema = z.lazy(() =>
  z.object({
    /** The number of trials that match the filter. */
    trials: z.int().nonnegative(),
    /** The number of rows of the list: one for each case and target of these trials. */
    rows: z.int().nonnegative(),
    /** The values of each field among the trials that match the other terms of the filter, the most frequent first. */
    facets: z.array(
      z.object({
        field: z.string(),
        values: z.array(z.object({ value: z.string(), trials: z.int().positive() })),
        /** The number of values that are not listed. */
        more: z.int().nonnegative(),
      }),
    ),
    /** The scores of the trials that match the other terms of the filter: all terms but those on `total`. */
    scores: z.object({
      /** The number of trials in each of equal parts of the range from 0 to 1; 1 is in the last part. */
      bins: z.array(z.int().nonnegative()),
      /** The number of trials without a score. */
      missing: z.int().nonnegative(),
    }),
    /** For each term of a filter that nothing matches: the number of trials that match without the term. */
    without: z.array(z.object({ term: z.string(), where: z.string(), trials: z.int().nonnegative() })),
  }),
);
/** The most frequent values of one field in a run that contain a text, to choose from while a filter is typed. */
export const fieldValuesSchema = z.lazy(() =>
  z.object({
    values: z.array(z.object({ value: z.string(), trials: z.int().positive() })),
    /** The number of values that are not listed. */
    more: z.int().nonnegative(),
  }),
);
/** The most frequent values of one field in a run that contain a text, to choose from while a filter is typed. */
export type FieldValueList = z.infer<typeof fieldValuesSchema>;

/** The numbers of trials by the values of some fields, for the filter of a list. */
export type TrialFacets = z.infer<typeof trialFacetsSchema>;

/** The place of a trial in a filtered and sorted list. */
export const trialPlaceSchema = z.lazy(() =>
  z.object({
    /** The row of the list, from 0; null when the filter leaves the trial out. */
    index: z.int().nonnegative().nullable(),
    rows: z.int().nonnegative(),
    /** The ordinals of the trials before and after it; null at the ends of the list. */
    previous: z.int().nonnegative().nullable(),
    next: z.int().nonnegative().nullable(),
  }),
);
/** The place of a trial in a filtered and sorted list. */
export type TrialPlace = z.infer<typeof trialPlaceSchema>;
