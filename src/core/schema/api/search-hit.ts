import { z } from 'zod';
import { positiveInt, wholeNumber } from '../json.ts';

/** The part of a trial in which a text was found. */
const searchPlaces = [
  'question',
  'answer',
  'message',
  'tool call',
  'tool result',
  'document',
  'error',
] as const;

/** A trial that contains a searched text, with the first place of the text and its surroundings. */
export const searchHitSchema = z.object({
  /** The place of the trial in the plan. */
  ordinal: wholeNumber(),
  caseId: z.string(),
  target: z.string(),
  attempt: positiveInt(),
  place: z.enum(searchPlaces),
  /** The found text, as it is written there. */
  match: z.string(),
  /** Up to 60 characters before it and after it, with an ellipsis where the text is cut. */
  before: z.string(),
  after: z.string(),
});
/** A trial that contains a searched text, with the first place of the text and its surroundings. */
export type SearchHit = z.infer<typeof searchHitSchema>;

/** The progress of a search; that on the last line is its end. */
const searchProgressSchema = z.object({
  /** The ordinal after which the search continues; null when the whole run was searched. */
  next: wholeNumber().nullable(),
  /** The number of trials that this search has read. */
  searched: wholeNumber(),
});

/** One line of the answer to a search: a hit, or its progress. */
export const searchLineSchema = z.union([searchHitSchema, searchProgressSchema]);
/** One line of the answer to a search: a hit, or its progress. */
export type SearchLine = z.infer<typeof searchLineSchema>;
