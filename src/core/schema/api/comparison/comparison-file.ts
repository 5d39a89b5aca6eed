import { z } from 'zod';
import { wholeNumber } from '../../json.ts';

/**
 * The content of a comparison in one file. The file also contains the answers of the server that its page asks for, each as
 * JSON in a `script` element whose attribute `data-answer` is one of the paths below. No path contains a text from outside.
 */
export const comparisonFileSchema = z.lazy(() =>
  z.object({
    /** For each pair of targets, in the order of the comparison. */
    pairs: z.array(
      z.object({
        /** The number of cases whose answers are in the file. */
        shown: wholeNumber(),
        /** The number of cases of both runs. */
        cases: wholeNumber(),
      }),
    ),
  }),
);
export type ComparisonFile = z.infer<typeof comparisonFileSchema>;

/** The path of the answer that describes the file itself. */
export const comparisonFilePath = '/comparison';

/** The path of the answer with the comparison. */
export const comparisonPath = '/compare';

/** Returns the path of the answer with the cases of a pair of targets, numbered from 0. */
export function pairsPath(pair: number): string {
  return `${comparisonPath}/${pair}/cases`;
}

/** Returns the path of the answer with the answers to a case, named by its position in run B. */
export function pairedCasePath(pair: number, position: number): string {
  return `${pairsPath(pair)}/${position}`;
}

/** Returns the path of the answer with the paired differences on a measure, numbered as in the comparison. */
export function differencesPath(pair: number, measure: number): string {
  return `${comparisonPath}/${pair}/differences/${measure}`;
}
