import { readers } from '../../config/read-data-file.ts';
import { createFieldMapping, type FieldMapping } from '../../datasets/field-mapping.ts';
import { readAllRows } from '../../datasets/open-dataset.ts';
import { type RecordAliases, withColumns } from '../../targets/replay/record-aliases.ts';
import { fieldsOf, type RecordedFields, splitFields } from './recorded-fields.ts';
import { type Survey, surveyRecording } from './survey-recording.ts';

/** A file of recorded answers that was looked at, with the meaning of its columns. */
export interface OpenRecording {
  readonly survey: Survey;
  readonly fields: RecordedFields;
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
}

/** Looks at a file of recorded answers, with what a config says of its columns. Throws `TouchstoneError`. */
export async function openRecording(file: string, written: unknown): Promise<OpenRecording> {
  const fields = splitFields(fieldsOf(written));
  const aliases = withColumns(fields.answers);
  const mapping = createFieldMapping(fields.cases);
  const rows = readAllRows({ path: file, folder: process.cwd(), readers });
  const survey = await surveyRecording(rows, { aliases, mapping, kept: fields.kept });
  return { survey, fields, aliases, mapping };
}
