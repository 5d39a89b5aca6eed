import { z } from 'zod';
import { attachmentKinds } from '../message.ts';
import { resultSchema } from '../result.ts';
import { positiveInt, wholeNumber } from '../json.ts';

/** The numbers of files of questions and answers that are not in a report, by kind. */
const leftOutSchema = z.lazy(() => z.partialRecord(z.enum(attachmentKinds), positiveInt()));
export type LeftOut = z.infer<typeof leftOutSchema>;

/**
 * The content of a report in one file. The file also contains the answers of the server that its pages ask for, each as
 * JSON in a `script` element whose attribute `data-answer` is the path of the request.
 */
export const reportFileSchema = z.lazy(() =>
  z.object({
    /** The id of the run. */
    run: z.string(),
    /** The number of cases whose trials are in the file. */
    shown: wholeNumber(),
    /** The number of cases with a trial. */
    cases: wholeNumber(),
    /** The filter that the cases were narrowed to, as it was typed; absent when all were reported. */
    narrowing: z.string().optional(),
    /** The pictures, PDFs and sounds that are not in the file; absent when all are. */
    leftOut: leftOutSchema.optional(),
    /** True when the answers of the targets are in the file side by side, too. */
    hasMatrix: z.literal(true).optional(),
  }),
);
export type ReportFile = z.infer<typeof reportFileSchema>;

/** The path of the answer that describes the file itself. */
export const reportFilePath = '/report';

/** Returns the path of the answer with a run. */
export function runPath(run: string): string {
  return `/runs/${encodeURIComponent(run)}`;
}

/** Returns the path of the answer with a trial. */
export function trialPath(run: string, ordinal: number): string {
  return `${runPath(run)}/trials/${ordinal}`;
}

/** Returns the path of the answer with a picture, as a data URL. */
export function blobPath(hash: string): string {
  return `/blobs/${hash}`;
}

/** A trial in a report in one file. */
export const reportedTrialSchema = z.lazy(() => z.object({ result: resultSchema }));
