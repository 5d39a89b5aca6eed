import { isDeepStrictEqual } from 'node:util';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { erasureMark } from '../../core/schema/erasure/erasure.ts';

/** The texts that are looked for, and what is done with them. */
export interface Matcher {
  /** Returns whether a text of a record, or the name of one of its members, contains one of the texts. */
  holds(value: unknown): boolean;
  /** Returns whether a text of a record is one of the ids. */
  names(value: unknown): boolean;
  /**
   * Returns a record with the mark in place of each of the texts; the same object where it has none.
   * @param kept - Values that stay where they are a whole text.
   */
  replace<Value>(value: Value, kept?: readonly unknown[]): Value;
}

/**
 * Creates the search for exact texts and ids.
 * @param texts - Looked for anywhere in a text, in the same letters; also as JSON within a text writes them.
 * @param ids - Looked for as whole texts, and never replaced.
 */
export function createMatcher({
  texts,
  ids,
  day,
}: {
  readonly texts: readonly string[];
  readonly ids: ReadonlySet<string>;
  readonly day: string;
}): Matcher {
  // The longest first, so that no part of one remains where another one begins in it.
  const forms = [...new Set(texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]))].toSorted(
    (one, other) => other.length - one.length,
  );
  const mark = erasureMark(day);
  const isFound = (text: string) => forms.some((form) => text.includes(form));
  const replaceText = (text: string) =>
    forms.reduce((replaced, form) => replaced.replaceAll(form, () => mark), text);
  const replaceIn = (value: unknown, kept: readonly unknown[]): unknown => {
    if (typeof value === 'string') return kept.includes(value) ? value : replaceText(value);
    if (Array.isArray(value)) return value.map((each) => replaceIn(each, kept));
    if (!isContainer(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [replaceText(name), replaceIn(member, kept)]),
    );
  };
  return {
    holds: (value) => someText(value, isFound),
    names: (value) => ids.size > 0 && someText(value, (text) => ids.has(text)),
    replace: (value, kept = []) => {
      if (!someText(value, isFound)) return value;
      const replaced = replaceIn(value, kept) as typeof value;
      return isDeepStrictEqual(replaced, value) ? value : replaced;
    },
  };
}

function someText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value);
  if (Array.isArray(value)) return value.some((each) => someText(each, test));
  if (!isContainer(value)) return false;
  return Object.entries(value).some(([name, member]) => test(name) || someText(member, test));
}
