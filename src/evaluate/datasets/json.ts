import { formatPlace, TouchstoneError } from '../../core/errors.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { DatasetReader, DatasetRow, TextSource } from './dataset.ts';
import { explainJson, findInJson } from './json/explain-json.ts';
import { readJsonArray, readJsonLines } from './json/read-json.ts';
import { requireWrapperKey, wrapperKeys } from './json/wrapper-key.ts';
import { isFields } from './fields.ts';
import { pathToCases, rowsOfObject, toRow } from './forms/whole-object.ts';
import { type PeekedText, peekText } from './peek-text.ts';
import { placeInText } from './text-cursor.ts';

const end = 'the end of the file';
/** The longest text that V8 can represent. */
const longestText = 2 ** 29 - 25;

/**
 * The reader of JSON: a list of cases, streamed, or an object with the list under a name such as `cases`. A file that
 * contains one object a line is read as JSON Lines.
 */
export const json: DatasetReader = {
  name: 'json',
  extensions: ['.json'],
  async *read(source) {
    const text = await peekText(source.read(), (piece) => /\S/.test(piece));
    if (text.head.trimStart().startsWith('[')) yield* readJsonArray(text.all, { file: source.name });
    else yield* readObjects(text, source);
  },
};

/** The reader of JSON Lines: one object a line. A file that contains one JSON list is read as JSON. */
export const jsonl: DatasetReader = {
  name: 'jsonl',
  extensions: ['.jsonl', '.ndjson'],
  async *read(source) {
    const text = await peekText(source.read(), (piece) => /\S/.test(piece));
    const isList = text.head.trimStart().startsWith('[');
    yield* isList ? readJsonArray(text.all, { file: source.name }) : readJsonLines(text.all, source.name);
  },
};

async function* readObjects(text: PeekedText, source: TextSource): AsyncGenerator<DatasetRow> {
  const lines = await peekText(text.all, hasSecondLine());
  if (hasWholeObjectOnFirstLine(lines.head)) yield* readJsonLines(lines.all, source.name);
  else yield* readWrapped(await wholeText(lines.all, source.name), source.name);
}

/** Returns an `isEnough` for the first line that is not blank and the beginning of the next one. */
function hasSecondLine(): (piece: string) => boolean {
  let linesBegun = 0;
  let isLineBlank = true;
  return (piece) => {
    for (const part of piece.split(/(?<=\n)/)) {
      if (isLineBlank && /\S/.test(part)) {
        linesBegun += 1;
        isLineBlank = false;
      }
      if (part.endsWith('\n')) isLineBlank = true;
    }
    return linesBegun > 1;
  };
}

function hasWholeObjectOnFirstLine(head: string): boolean {
  const lines = /^\s*(\{[^\n]*\})[ \t\r]*(\n\s*\S|\s*$)/.exec(head);
  if (lines === null) return false;
  try {
    const value = parseJson(lines[1] as string);
    if (lines[2]?.trim() !== '') return true;
    return wrapperKeys(value).length === 0 && !(isFields(value) && rowsOfObject(value) !== undefined);
  } catch {
    return false;
  }
}

async function wholeText(pieces: AsyncIterable<string>, file: string): Promise<string> {
  const read: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    read.push(piece);
    length += piece.length;
    if (length > longestText) {
      throw new TouchstoneError(
        'dataset-unreadable',
        `${file}: more than 512 million characters in one object`,
        {
          remedy: 'Make it a list, or one object a line (.jsonl): both can have any size.',
        },
      );
    }
  }
  return read.join('');
}

async function* readWrapped(text: string, file: string): AsyncGenerator<DatasetRow> {
  if (text.trim() === '') return;
  const start = { file, line: 1, column: 1 };
  const value = parseWhole(text, file);
  const path = pathToCases(value);
  const rows = path === undefined && isFields(value) ? rowsOfObject(value) : undefined;
  if (rows !== undefined) {
    const locate = (inner: readonly PropertyKey[]) => placeInText(text, findInJson(text, inner), start);
    yield* rows.map((row, index) => ({ ...toRow(row, locate), ...(index === 0 && { whole: value }) }));
    return;
  }
  const offset = findInJson(text, path ?? [requireWrapperKey(value, start)]);
  let whole: { readonly whole?: unknown } = { whole: value };
  for await (const row of readJsonArray(
    piecesOf(text.slice(offset)),
    placeInText(text, offset, start),
    true,
  )) {
    yield { ...row, ...whole };
    whole = {};
  }
}

function parseWhole(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch {
    const { offset, message, remedy } = explainJson(text, { after: end, end });
    const place = placeInText(text, offset, { file, line: 1, column: 1 });
    throw new TouchstoneError(
      'dataset-invalid',
      `${formatPlace(place)}: ${message}`,
      remedy ? { remedy } : {},
    );
  }
}

/** Yields a text in pieces of a length, as a file is read. */
export async function* piecesOf(text: string, length: number = text.length): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}
