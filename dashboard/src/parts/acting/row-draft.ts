import type { RowField } from '../../../../src/core/schema/api/acting/row.ts';

/** A row that is being edited: its text, and the fields that stand in it. */
export interface RowDraft {
  readonly text: string;
  readonly fields: readonly RowField[];
}

/** Returns a row with another value of a field, written as the file needs it. Everything else of its text stays. */
export function replaceField({ text, fields }: RowDraft, edited: RowField, value: string): RowDraft {
  const written =
    edited.form === 'quoted' ? JSON.stringify(value) : writeCell(value, edited.delimiter ?? ',');
  const change = written.length - (edited.to - edited.from);
  return {
    text: text.slice(0, edited.from) + written + text.slice(edited.to),
    fields: fields.map((each) => {
      if (each.name === edited.name) return { ...each, value, to: each.to + change };
      return each.from < edited.from ? each : { ...each, from: each.from + change, to: each.to + change };
    }),
  };
}

/** Writes a cell of a table, in quotation marks where it needs them (RFC 4180). */
function writeCell(value: string, delimiter: string): string {
  const isPlain = !/["\r\n]/.test(value) && !value.includes(delimiter) && value.trim() === value;
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}

/** The names of what a question expects: `expected_answer`, `expected_keywords`, `expected`. */
const expectation = /^expected/i;

/** Returns the first field that says what is expected; undefined where none is a text of its own. */
export function expectationField({ fields }: RowDraft): RowField | undefined {
  return fields.find(({ name }) => expectation.test(name));
}
