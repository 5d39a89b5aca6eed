import { formatPlace, TouchstoneError } from '../errors.ts';
import type { DatasetRow } from './dataset.ts';
import { jsonRow } from './wrapper-key.ts';

/** Somewhat below what V8 can hold in one text. */
const longestLine = 2 ** 28;
const aLine = { after: 'the end of the line', end: 'the end of the line' };

/** Reads one JSON value a line; blank lines and comments are skipped, and a line may be many megabytes long. */
export async function* readJsonLines(
  pieces: AsyncIterable<string>,
  file: string,
): AsyncGenerator<DatasetRow> {
  const held: string[] = [];
  let heldLength = 0;
  let line = 0;
  for await (const piece of pieces) {
    let start = 0;
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', start)) {
      const text = piece.slice(start, at);
      start = at + 1;
      line += 1;
      const whole = held.length === 0 ? text : held.splice(0).join('') + text;
      if (!isBlank(whole)) yield jsonRow(withoutReturn(whole), { file, line, column: 1 }, aLine);
    }
    if (start > 0) heldLength = 0;
    if (start < piece.length) held.push(start === 0 ? piece : piece.slice(start));
    heldLength += piece.length - start;
    if (heldLength > longestLine) refuseLine(file, line + 1);
  }
  const last = held.join('');
  if (!isBlank(last)) yield jsonRow(withoutReturn(last), { file, line: line + 1, column: 1 }, aLine);
}

/** Whether a line holds nothing: it is empty, or a comment of `//`, which no JSON begins with. */
function isBlank(line: string): boolean {
  if (line.charCodeAt(0) === 0x7b) return false;
  const text = line.trim();
  return text === '' || text.startsWith('//');
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function refuseLine(file: string, line: number): never {
  throw new TouchstoneError(
    'dataset-invalid',
    `${formatPlace({ file, line, column: 1 })}: this line has more than 256 million characters`,
    { remedy: 'Put each case on a line of its own.' },
  );
}
