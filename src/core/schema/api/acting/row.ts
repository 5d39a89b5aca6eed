import { z } from 'zod';
import { nonEmpty, positiveInt, wholeNumber } from '../../json.ts';

/** A text of a row that can be edited as a field. */
const rowFieldSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    value: z.string(),
    /** Its place in the text of the row, with its quotation marks. */
    from: wholeNumber(),
    to: wholeNumber(),
    /** The way in which it is written: a cell of a table, or a text in quotation marks as in JSON. */
    form: z.enum(['cell', 'quoted']),
    /** The character between the cells of a table. */
    delimiter: z.string().length(1).optional(),
  }),
);
export type RowField = z.infer<typeof rowFieldSchema>;

/** The row of a question in its file. */
export const rowViewSchema = z.lazy(() =>
  z.object({
    /** The id of the question. */
    id: z.string(),
    file: z.string(),
    line: positiveInt(),
    text: z.string(),
    fields: z.array(rowFieldSchema),
    /** The hash of the whole file: an edit is refused once it is another. */
    version: z.string(),
    /** True when the question is no longer what the run asked. */
    hasChanged: z.boolean(),
  }),
);
export type RowView = z.infer<typeof rowViewSchema>;

/** The edit of a row: its new text. */
export const rowEditSchema = z.object({
  text: nonEmpty().max(90_000),
  version: z.string(),
});
export type RowEdit = z.infer<typeof rowEditSchema>;
