import { formatPlace, type Place, TouchstoneError } from '../../core/errors.ts';
import type { DatasetReader, TextSource } from './dataset.ts';
import { firstLine, peekText } from './peek-text.ts';
import { placeInText } from './text-cursor.ts';
import {
  type CsvColumns,
  type CsvFault,
  type CsvRecord,
  type CsvText,
  readCsvHeader,
  readCsvRecord,
} from './read-csv-record.ts';

/** The length in characters from which a row has lost its closing quotation mark. */
const longestRow = 2 ** 26;

/**
 * The reader of CSV with a header row. The delimiter is a comma, or a semicolon, a tab or a `|` when the header has none of those before it.
 */
export const csv: DatasetReader = {
  name: 'csv',
  extensions: ['.csv', '.tsv'],
  hasTextCells: true,
  async *read(source) {
    const { head, all } = await peekText(source.read(), firstLine());
    const stated = statedDelimiter(head);
    const delimiter = stated ?? detectDelimiter(head);
    let columns: CsvColumns | undefined;
    for await (const { text, record, place } of readRecords(all, source, delimiter)) {
      if (record.cells.every((cell) => cell === '')) continue;
      if (stated !== undefined && place.line === 1) continue;
      if (columns === undefined) columns = readCsvHeader(record, text, place);
      else yield columns.toRow(record, text, place);
    }
  },
};

/** Returns the delimiter that the first line states as Excel does, `sep=;`; undefined for any other line. */
function statedDelimiter(head: string): number | undefined {
  return /^"?sep=(.)"?\s*$/i.exec(head.split('\n', 1)[0] ?? '')?.[1]?.charCodeAt(0);
}

/** Returns the code of the character between cells, by the header. */
export function detectDelimiter(head: string): number {
  const line =
    head
      .trimStart()
      .split('\n', 1)[0]
      ?.replace(/"[^"]*"/g, '') ?? '';
  const delimiter = [',', ';', '\t', '|'].find((candidate) => line.includes(candidate)) ?? ',';
  return delimiter.charCodeAt(0);
}

interface PlacedRecord {
  readonly text: string;
  readonly record: CsvRecord;
  readonly place: Place;
}

async function* readRecords(
  pieces: AsyncIterable<string>,
  source: TextSource,
  delimiter: number,
): AsyncGenerator<PlacedRecord> {
  const reader = new RecordReader(source.name, delimiter);
  for await (const piece of pieces) yield* reader.read(piece, false);
  yield* reader.read('', true);
}

class RecordReader {
  readonly #delimiter: number;
  #place: Place;
  /** The beginning of a row that continues in the next piece. */
  #held: string[] = [];
  #heldLength = 0;
  /**
   * The length of text from which the row is worth reading again; reading it after every piece would take quadratic
   * time.
   */
  #enough = 0;

  constructor(file: string, delimiter: number) {
    this.#delimiter = delimiter;
    this.#place = { file, line: 1, column: 1 };
  }

  *read(piece: string, isWhole: boolean): Generator<PlacedRecord> {
    this.#held.push(piece);
    this.#heldLength += piece.length;
    if (this.#heldLength < this.#enough && !isWhole) return;
    const csv: CsvText = { text: this.#held.join(''), delimiter: this.#delimiter, isWhole };
    let from = 0;
    while (from < csv.text.length) {
      const record = readCsvRecord(csv, from);
      if (record === undefined) break;
      if ('message' in record) this.#refuse(csv.text, from, record);
      yield { text: csv.text, record, place: this.#place };
      this.#place = this.#placeAfter(csv.text, from, record);
      from = record.end;
    }
    this.#hold(csv.text.slice(from));
  }

  #hold(rest: string): void {
    if (rest.length > longestRow) {
      const message = 'the row that begins here does not end within 64 million characters';
      const remedy = 'Look for a quotation mark that is never closed.';
      throw new TouchstoneError('dataset-invalid', `${formatPlace(this.#place)}: ${message}`, { remedy });
    }
    this.#held = rest === '' ? [] : [rest];
    this.#heldLength = rest.length;
    this.#enough = rest.length * 2;
  }

  #placeAfter(text: string, from: number, { end }: CsvRecord): Place {
    const { file, line } = this.#place as Required<Place>;
    const isOneLine = text.indexOf('\n', from) === end - 1;
    const after = isOneLine ? line + 1 : placeInText(text.slice(from, end), end - from, this.#place).line;
    return { file, line: after, column: 1 };
  }

  #refuse(text: string, from: number, fault: CsvFault): never {
    const place = placeInText(text.slice(from), fault.offset - from, this.#place);
    throw new TouchstoneError('dataset-invalid', `${formatPlace(place)}: ${fault.message}`, {
      remedy: fault.remedy,
    });
  }
}
