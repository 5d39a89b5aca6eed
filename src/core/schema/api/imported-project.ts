import { z } from 'zod';
import { jsonSchema, positiveInt, wholeNumber } from '../json.ts';

/**
 * The fates of a part of an imported file: taken over as it is; approximated, with the difference; stored as metadata
 * only; or dropped, with the reason.
 */
export const fates = ['taken', 'approximated', 'metadata', 'left-out'] as const;
export type Fate = (typeof fates)[number];

/** Everything of one kind in an imported file, and what became of it. */
const ledgerEntrySchema = z.lazy(() =>
  z.object({
    fate: z.enum(fates),
    part: z.string().describe('The part, in the words of the other tool: `assertion icontains`.'),
    became: z.string().optional().describe('What it became; absent if it was not imported.'),
    note: z.string().optional().describe('What differs, or why it was not imported.'),
    count: positiveInt().describe('The number of times that it was found.'),
    places: z.array(z.string()).describe('The first places where it was found.'),
    code: z.array(z.string()).optional().describe('Code that was not imported, as text: it is never run.'),
  }),
);
export type LedgerEntry = Readonly<z.infer<typeof ledgerEntrySchema>>;

/** The record of an import: what was read, and what became of every part of it. It is `import.json` of the project. */
export const importRecordSchema = z.lazy(() =>
  z.object({
    tool: z.object({
      name: z.string().describe('The name after `--from`.'),
      title: z.string(),
      version: z.string().optional().describe('The version that wrote the file, where the file says so.'),
    }),
    source: z.object({ file: z.string(), hash: z.string().describe('Of the content of the file.') }),
    found: z.string().describe('What the file is, in one line.'),
    counts: z.object({ cases: wholeNumber(), answers: wholeNumber() }),
    parts: z.record(z.enum(fates), wholeNumber()).describe('The number of parts by fate.'),
    metadata: z
      .record(z.string(), jsonSchema)
      .optional()
      .describe('Facts of the file as a whole, such as tags and arguments, in the words of the tool.'),
    ledger: z.array(ledgerEntrySchema),
  }),
);
export type ImportRecord = Readonly<z.infer<typeof importRecordSchema>>;

/** The record of an export for another tool: what was written, and what became of every part of the run. */
const exportRecordSchema = z.lazy(() =>
  z.object({
    format: z.string().describe('The name after `--to`.'),
    title: z.string(),
    run: z.string(),
    files: z
      .array(z.string())
      .describe('The files in the order in which they are written, with their folder.'),
    parts: z.record(z.enum(fates), wholeNumber()).describe('The number of parts by fate.'),
    ledger: z.array(ledgerEntrySchema),
  }),
);
/** The record of an export of a dataset: what was written, and what became of every part of its cases. */
const datasetExportRecordSchema = z.lazy(() =>
  exportRecordSchema
    .unwrap()
    .omit({ run: true })
    .extend({
      dataset: z.array(z.string()).describe('The files of the dataset.'),
    }),
);
export type DatasetExportRecord = Readonly<z.infer<typeof datasetExportRecordSchema>>;
export type ExportRecord = Readonly<z.infer<typeof exportRecordSchema>>;
