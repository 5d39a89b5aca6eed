import { formatPlace, type Place, TouchstoneError } from '../../../core/errors.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { DatasetRow } from '../dataset.ts';
import { placeInText } from '../text-cursor.ts';
import { explainFault, explainJson, findInJson, type JsonSurroundings } from './explain-json.ts';
import { type JsonChoice, type JsonPath, type JsonToken, JsonTokenizer } from './tokenizer.ts';

const endOfFile = 'the end of the file';
const inList = { after: "',' or ']'", end: endOfFile };

/**
 * Reads a JSON list element by element, keeping one in memory at a time. The text may begin in the middle of a file,
 * at `start`; with `isPart` the list may be followed by other text. Throws `dataset-invalid` at the first element
 * whose end is uncertain.
 */
export async function* readJsonArray(
  pieces: AsyncIterable<string>,
  start: Place,
  isPart: boolean = false,
): AsyncGenerator<DatasetRow> {
  const choose = (path: readonly unknown[]) => (path.length === 0 ? 'enter' : 'keep');
  const tokenizer = new JsonTokenizer({ mode: 'elements', start, choose });
  for await (const piece of pieces) {
    for (const token of tokenizer.read(piece)) yield toRow(token);
    if (isPart && tokenizer.isOver) return;
    if (tokenizer.fault !== undefined) {
      const { message, remedy } = explainFault(tokenizer.fault, { after: endOfFile, end: endOfFile });
      refuse(tokenizer.fault.place, message, tokenizer.isOver ? 'Put all questions into one list.' : remedy);
    }
  }
  for (const token of tokenizer.end()) yield toRow(token);
  const { unfinished, fault } = tokenizer;
  if (unfinished !== undefined) refuseElement(unfinished);
  if (fault !== undefined)
    refuse(fault.place, `expected ']' but found ${endOfFile}`, 'Close the list with ].');
}

function toRow({ text, place, isBroken }: JsonToken): DatasetRow {
  return isBroken ? refuseElement({ text, place }) : jsonRow(text, place, inList);
}

/** Throws for an element that is not whole: the beginning of the next one cannot be known. */
function refuseElement({ text, place }: { readonly text: string; readonly place: Place }): never {
  const { offset, message, remedy } = explainJson(text, inList);
  refuse(placeInText(text, offset, place), message, remedy);
}

/** The longest line, somewhat below the longest text that V8 can represent. */
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

/** Returns whether a line is empty or a comment that begins with `//`, as no JSON does. */
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
    { remedy: 'Put each question on a line of its own.' },
  );
}

/** Parses the text of one row. Bad text becomes the row's problem. */
function jsonRow(text: string, place: Place, surroundings: JsonSurroundings): DatasetRow {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    const { offset, message, remedy } = explainJson(text, surroundings);
    const problem = { place: placeInText(text, offset, place), message, remedy };
    return { value: undefined, place, problem, locate: () => place };
  }
  return { value, place, locate: (path) => placeInText(text, findInJson(text, path), place) };
}

/** A value that was read whole. */
export interface WalkedValue {
  readonly path: JsonPath;
  readonly value: unknown;
  readonly place: Place;
}

/** Options of {@link walkJson}. */
export interface WalkOptions {
  readonly file: string;
  /** Decides about the value at a path before it is read; only objects and lists can be entered. */
  choose(path: JsonPath): JsonChoice;
}

const aValue = { after: 'the end of the value', end: endOfFile };
const cutOff = 'The file is cut off: write it again, or remove what is not whole at its end.';

/**
 * Reads the chosen values of JSON of any size, one at a time: of one document, or of several that follow each other, as
 * the lines of JSON Lines do. Throws `dataset-invalid` with the place where the text is not JSON or is cut off.
 */
export async function* walkJson(
  pieces: AsyncIterable<string>,
  { file, choose }: WalkOptions,
): AsyncGenerator<WalkedValue> {
  const tokenizer = new JsonTokenizer({ mode: 'sequence', start: { file }, choose });
  const toValue = (token: JsonToken) => ({
    path: [...tokenizer.path],
    value: parseValue(token),
    place: token.place,
  });
  for await (const piece of pieces) {
    for (const token of tokenizer.read(piece)) yield toValue(token);
    if (tokenizer.fault !== undefined) {
      const { message, remedy } = explainFault(tokenizer.fault, aValue);
      refuse(tokenizer.fault.place, message, remedy);
    }
  }
  for (const token of tokenizer.end()) yield toValue(token);
  const { place, unfinished, closer } = tokenizer;
  if (unfinished !== undefined) {
    const begin = formatPlace(unfinished.place);
    refuse(place, `the file ends within the ${unfinished.what} that begins at ${begin}`, cutOff);
  }
  if (closer !== undefined) refuse(place, `expected '${closer}' but the file ends`, cutOff);
}

function parseValue({ text, place }: JsonToken): unknown {
  try {
    return parseJson(text);
  } catch {
    const { offset, message, remedy } = explainJson(text, aValue);
    return refuse(placeInText(text, offset, place), message, remedy);
  }
}

function refuse(place: Place, message: string, remedy: string | undefined): never {
  throw new TouchstoneError('dataset-invalid', `${formatPlace(place)}: ${message}`, remedy ? { remedy } : {});
}
