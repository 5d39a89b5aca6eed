import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { RowField } from '../../core/schema/api/acting/row.ts';
import { detectDelimiter } from '../../evaluate/datasets/csv.ts';
import { readCsvRecord } from '../../evaluate/datasets/read-csv-record.ts';

/**
 * Finds the texts in a row that can be edited as fields: the ones at its first level.
 * @param text - The row as it is in its file.
 * @param head - The text of the file before it, with the names of the columns where the file is a table.
 */
export function findRowFields(text: string, head: string, isTable: boolean): RowField[] {
  return isTable ? fieldsOfTable(text, head) : fieldsOfObject(text);
}

function fieldsOfTable(text: string, head: string): RowField[] {
  const header = head.replace(/^\uFEFF/, '').replace(/^"?sep=.[^\n]*\n/i, '');
  const delimiter = detectDelimiter(header);
  const names = readCsvRecord({ text: header, delimiter, isWhole: true }, 0);
  const record = readCsvRecord({ text, delimiter, isWhole: true }, 0);
  if (names === undefined || record === undefined || 'message' in names || 'message' in record) return [];
  return record.cells.flatMap((cell, index): RowField[] => {
    const [name, from] = [names.cells[index]?.trim() ?? '', record.starts[index] ?? 0];
    const to = (record.starts[index + 1] ?? text.length + 1) - 1;
    return name === ''
      ? []
      : [{ name, value: cell, from, to, form: 'cell', delimiter: String.fromCharCode(delimiter) }];
  });
}

/** Reads an object of JSON or YAML, which may be an item of a list: JSON is YAML, too. */
function fieldsOfObject(text: string): RowField[] {
  const { contents, errors } = parseDocument(text.replace(/,$/, ''), { version: '1.2' });
  const row = isSeq(contents) ? contents.items[0] : contents;
  if (errors.length > 0 || !isMap(row)) return [];
  return row.items.flatMap(({ key, value }): RowField[] => {
    if (!isScalar(key) || !isScalar(value) || typeof value.value !== 'string' || !value.range) return [];
    const [from, to] = value.range;
    return [{ name: String(key.value), value: value.value, from, to, form: 'quoted' }];
  });
}
