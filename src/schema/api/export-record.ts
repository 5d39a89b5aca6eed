import { z } from 'zod';
import { fates, ledgerEntrySchema } from './imported-project.ts';

/** The record of an export for another tool: what was written, and what became of every part of the run. */
export const exportRecordSchema = z.lazy(() =>
  z.object({
    format: z.string().describe('The name after `--to`.'),
    title: z.string(),
    run: z.string(),
    files: z
      .array(z.string())
      .describe('The files in the order in which they are written, with their folder.'),
    parts: z.record(z.enum(fates), z.int().nonnegative()).describe('The number of parts by fate.'),
    ledger: z.array(ledgerEntrySchema),
  }),
);
/** The record of an export of a dataset: what was written, and what became of every part of its cases. */
export const datasetExportRecordSchema = z.lazy(() =>
  exportRecordSchema
    .unwrap()
    .omit({ run: true })
    .extend({
      dataset: z.array(z.string()).describe('The files of the dataset.'),
    }),
);
export type DatasetExportRecord = Readonly<z.infer<typeof datasetExportRecordSchema>>;
export type ExportRecord = Readonly<z.infer<typeof exportRecordSchema>>;
