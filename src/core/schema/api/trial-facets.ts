import { z } from 'zod';
import { positiveInt, wholeNumber } from '../json.ts';

/** The numbers of trials by the values of some fields, for the filter of a list. */
export const trialFacetsSchema = z.lazy(() =>
  z.object({
    /** The number of trials that match the filter. */
    trials: wholeNumber(),
    /** The number of rows of the list: one for each case and target of these trials. */
    rows: wholeNumber(),
    /** The values of each field among the trials that match the other terms of the filter, the most frequent first. */
    facets: z.array(
      z.object({
        field: z.string(),
        values: z.array(z.object({ value: z.string(), trials: positiveInt() })),
        /** The number of values that are not listed. */
        more: wholeNumber(),
      }),
    ),
    /** The scores of the trials that match the other terms of the filter: all terms but those on `total`. */
    scores: z.object({
      /** The number of trials in each of equal parts of the range from 0 to 1; 1 is in the last part. */
      bins: z.array(wholeNumber()),
      /** The number of trials without a score. */
      missing: wholeNumber(),
    }),
    /** For each term of a filter that nothing matches: the number of trials that match without the term. */
    without: z.array(z.object({ term: z.string(), where: z.string(), trials: wholeNumber() })),
  }),
);
/** The most frequent values of one field in a run that contain a text, to choose from while a filter is typed. */
export const fieldValuesSchema = z.lazy(() =>
  z.object({
    values: z.array(z.object({ value: z.string(), trials: positiveInt() })),
    /** The number of values that are not listed. */
    more: wholeNumber(),
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
    index: wholeNumber().nullable(),
    rows: wholeNumber(),
    /** The ordinals of the trials before and after it; null at the ends of the list. */
    previous: wholeNumber().nullable(),
    next: wholeNumber().nullable(),
  }),
);
/** The place of a trial in a filtered and sorted list. */
export type TrialPlace = z.infer<typeof trialPlaceSchema>;
