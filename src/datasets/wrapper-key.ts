import { formatPlace, type Place, TouchstoneError } from '../errors.ts';
import { shorten } from '../lib/text/terminal-text.ts';
import type { DatasetRow } from './dataset.ts';
import { explainJson, type JsonSurroundings } from './explain-json.ts';
import { findInJson } from './scan-json.ts';
import { placeInText } from './text-cursor.ts';

/** Under which name an object may hold the list of cases. */
const wrappers = [
  'cases',
  'questions',
  'examples',
  'data',
  'samples',
  'tests',
  'goldens',
  'items',
  'results',
  'simulations',
  'trajectories',
  'conversations',
  'transcripts',
];

/** The names under which a value holds a list of objects that could be the cases. */
export function wrapperKeys(value: unknown): string[] {
  if (!isObject(value)) return [];
  return wrappers.filter((key) => {
    const list = Object.hasOwn(value, key) ? value[key] : undefined;
    return Array.isArray(list) && (list.length === 0 || list.some(isObject));
  });
}

/** The one name under which a file's object holds its cases. Throws `dataset-invalid` when there is none, or more than one. */
export function requireWrapperKey(value: unknown, place: Place): string {
  const [key, ...others] = wrapperKeys(value);
  if (key !== undefined && others.length === 0) return key;
  const found = key === undefined ? describe(value) : `lists under ${[key, ...others].join(' and ')}`;
  throw new TouchstoneError(
    'dataset-invalid',
    `${formatPlace(place)}: expected a list of cases, or an object with one such list under ${wrappers.slice(0, -1).join(', ')} or ${wrappers.at(-1)}, but found ${found}`,
    { remedy: 'Put the cases into one list at the top of the file, or under `cases`.' },
  );
}

function describe(value: unknown): string {
  if (!isObject(value)) return `the value ${shorten(JSON.stringify(value) ?? 'nothing', 40)}`;
  const names = Object.keys(value);
  return names.length === 0 ? 'an empty object' : `an object with ${shorten(names.join(', '), 100)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
