import type { CellKind } from '../field-table.ts';
import { type Fields, isFields } from '../fields.ts';

/** The names under which an object of an expected answer contains the answer alone. */
const answerNames = ['answer', 'answers', 'output', 'text', 'content', 'response', 'value'];

/**
 * Returns an expected answer as a text, or as a list of texts of which any one will do. A number, a truth value, an object
 * and a list of anything else become their JSON, as 42 becomes `42`. An object with nothing but the answer under a
 * usual name, such as `{ text: ['Paris'], answer_start: [3] }` of SQuAD, is that answer.
 */
export function readAnswer(raw: unknown): unknown {
  if (typeof raw === 'string' || raw === null || raw === undefined) return raw;
  if (typeof raw === 'number' && Number.isInteger(raw) && !Number.isSafeInteger(raw)) return raw;
  if (Array.isArray(raw)) return readAlternatives(raw);
  if (!isFields(raw)) return textOf(raw);
  const inner = innerAnswer(raw);
  return inner === undefined ? textOf(raw) : readAnswer(inner);
}

function readAlternatives(list: readonly unknown[]): unknown {
  const texts = list.map((item) => (isFields(item) ? (innerAnswer(item) ?? item) : item));
  if (texts.length === 0 || !texts.some((item) => typeof item === 'string')) {
    return list.length === 0 ? [] : textOf(list);
  }
  return texts.map((item) => (typeof item === 'string' ? item : textOf(item)));
}

/** Returns the answer in an object that contains nothing else, under a usual name; undefined for any other object. */
export function innerAnswer(value: Fields): unknown {
  const { value: main, aliases } = value;
  // TriviaQA: the answer with its other names, next to forms of both that are made from them.
  if (typeof main === 'string' && Array.isArray(aliases)) return [...new Set([main, ...aliases])];
  const others = Object.keys(value).filter((name) => !/^(?:role|type|answer_start|_\w+|id)$/.test(name));
  const [only] = others;
  if (others.length !== 1 || only === undefined || !answerNames.includes(only.toLowerCase()))
    return undefined;
  const inner = value[only];
  if (Array.isArray(inner) && inner.length === 0) return '';
  return typeof inner === 'string' || Array.isArray(inner) ? inner : undefined;
}

/** Returns the text of a value: the digits of a number, the word of a truth value, and the JSON of anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return String(value);
  }
}

/** The rank of `expected_answer`, after `expected.answer`. */
const lastOwnName = 1;

/** Returns whether a column of references is empty in a row, as in `reference: []`. Our own name says that silence is right. */
export function isWithoutReference(
  { cell, rank }: { readonly cell: CellKind; readonly rank: number },
  raw: unknown,
): boolean {
  return cell === 'answer' && rank > lastOwnName && Array.isArray(raw) && raw.length === 0;
}
