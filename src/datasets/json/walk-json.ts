import { formatPlace, type Place, TouchstoneError } from '../../errors.ts';
import { placeInText } from '../text-cursor.ts';
import { explainFault, explainJson } from './explain-json.ts';
import { type JsonChoice, type JsonPath, type JsonToken, JsonTokenizer } from './tokenizer.ts';

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

const surroundings = { after: 'the end of the value', end: 'the end of the file' };
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
    value: parse(token),
    place: token.place,
  });
  for await (const piece of pieces) {
    for (const token of tokenizer.read(piece)) yield toValue(token);
    if (tokenizer.fault !== undefined) {
      const { message, remedy } = explainFault(tokenizer.fault, surroundings);
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

function parse({ text, place }: JsonToken): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { offset, message, remedy } = explainJson(text, surroundings);
    return refuse(placeInText(text, offset, place), message, remedy);
  }
}

function refuse(place: Place, message: string, remedy: string | undefined): never {
  throw new TouchstoneError('dataset-invalid', `${formatPlace(place)}: ${message}`, remedy ? { remedy } : {});
}
