import { ExactNumber, isNumber, isSameNumber } from '../json/exact-number.ts';
import { parseJson } from '../json/parse-json.ts';
import { foldForComparison } from '../text/fold.ts';
import { findJson } from '../json/find-json.ts';
import type { TextComparison } from './comparison.ts';
import { withoutThoughts } from './prepare-text.ts';

const deepest = 200;
const most = 400;
const shown = 3;

/**
 * Compares an answer with an expected JSON object or list by content: the order of keys is free, numbers are equal by
 * their value to the last digit, texts by their letters whatever their typography, and lists have their order. Code
 * fences, thoughts and sentences around the JSON of the answer do not count; of several values the last one does.
 * Returns undefined when the expected text is no JSON object or list.
 */
export function compareJson(answer: string, expected: string): TextComparison | undefined {
  const wanted = /^\s*[[{]/.test(expected.slice(0, 1000)) ? parse(expected) : undefined;
  if (wanted === undefined) return undefined;
  const said = withoutThoughts(answer);
  const found = parse(said)?.value;
  const text = found === undefined ? findJson(said, ['object', 'array']).at(-1) : undefined;
  const given = found ?? (text === undefined ? undefined : parse(text)?.value);
  if (given === undefined || given === null || typeof given !== 'object' || given instanceof ExactNumber) {
    return {
      outcome: 'different',
      value: 0,
      by: 'json',
      explanation: 'the answer contains no JSON object or list',
    };
  }
  const tally = { leaves: 0, equal: 0, differences: [] as string[] };
  compareAt(given, wanted.value, { path: '', depth: 0, tally });
  if (tally.differences.length === 0) return { outcome: 'same', value: 1, by: 'json' };
  const rest = tally.differences.length - shown;
  const listed = tally.differences.slice(0, shown).join('; ');
  return {
    outcome: 'different',
    value: (0.2 * tally.equal) / Math.max(1, tally.leaves),
    by: 'json',
    explanation: rest > 0 ? `${listed}; and ${rest} more` : listed,
  };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) as unknown };
  } catch {
    return undefined; // Not JSON: a text like any other.
  }
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly tally: { leaves: number; equal: number; readonly differences: string[] };
}

function compareAt(given: unknown, wanted: unknown, place: Place): void {
  const { path, depth, tally } = place;
  if (tally.differences.length >= most) return;
  const note = (problem: string) => tally.differences.push(path === '' ? problem : `${path}: ${problem}`);
  if (depth > deepest) {
    note('nested too deeply to be compared');
  } else if (Array.isArray(given) && Array.isArray(wanted)) {
    if (given.length !== wanted.length) note(`${given.length} items given, ${wanted.length} expected`);
    for (const [index, item] of wanted.entries()) {
      if (index < given.length)
        compareAt(given[index], item, { tally, path: `${path}[${index}]`, depth: depth + 1 });
      else tally.leaves++;
    }
  } else if (isObject(given) && isObject(wanted)) compareMembers(given, wanted, place);
  else {
    tally.leaves++;
    if (areEqual(given, wanted)) tally.equal++;
    else note(`${show(given)} given, ${show(wanted)} expected`);
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

function compareMembers(given: JsonObject, wanted: JsonObject, { path, depth, tally }: Place): void {
  // Keys are names of code, of which only the Unicode form is free.
  const said = new Map(Object.entries(given).map(([key, value]) => [key.normalize('NFC'), value]));
  for (const [name, value] of Object.entries(wanted)) {
    const key = name.normalize('NFC');
    const inside = path === '' ? key : `${path}.${key}`;
    if (said.has(key)) compareAt(said.get(key), value, { tally, path: inside, depth: depth + 1 });
    else {
      tally.leaves++;
      tally.differences.push(`${inside} is missing`);
    }
    said.delete(key);
  }
  for (const key of said.keys()) {
    tally.leaves++;
    tally.differences.push(`${path === '' ? key : `${path}.${key}`} was not expected`);
  }
}

function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

function areEqual(given: unknown, wanted: unknown): boolean {
  if (isNumber(given) && isNumber(wanted)) return isSameNumber(given, wanted);
  if (typeof given === 'string' && typeof wanted === 'string') {
    return given === wanted || foldForComparison(given) === foldForComparison(wanted);
  }
  return given === wanted;
}

function show(value: unknown): string {
  if (isNumber(value)) return String(value);
  const text = Array.isArray(value)
    ? 'a list'
    : isObject(value)
      ? 'an object'
      : (JSON.stringify(value) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
