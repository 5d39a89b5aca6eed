import type { Place } from '../errors.ts';
import type { DatasetRow } from './dataset.ts';
import { explainJson, type JsonSurroundings } from './explain-json.ts';
import { placeInText } from './text-cursor.ts';
import { findInJson } from './scan-json.ts';

/** Parses the text of one row. Bad text becomes the row's problem. */
export function jsonRow(text: string, place: Place, surroundings: JsonSurroundings): DatasetRow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { offset, message, remedy } = explainJson(text, surroundings);
    const problem = { place: placeInText(text, offset, place), message, remedy };
    return { value: undefined, place, problem, locate: () => place };
  }
  return { value, place, locate: (path) => placeInText(text, findInJson(text, path), place) };
}
