import { type FilterField, fieldNames, findField, type Vocabulary } from './fields.ts';

/** The part of a filter in which one is typing. */
export interface Unfinished {
  /** The place of the part in the text. */
  readonly from: number;
  readonly to: number;
  /** The text that is typed of it, without quotation marks. */
  readonly typed: string;
  /** The field whose value it is; absent for the name of a field. */
  readonly field?: FilterField;
}

/** The characters before the caret that are looked at: no name and no value that is typed is longer. */
const mostRead = 1000;

const name = /(?:^|\s)((?:[a-h]\.)?(?:"[^"]*"?|[\w.-]*))$/is;
const value =
  /(?:^|\s)((?:[a-h]\.)?(?:"[^"]*"|[\w.-]+))(?:<=|>=|!=|=|<|>|~)([^\s"|]*\||"[^"]*"\|)*("[^"]*|[^\s"|]*)$/is;

/** Finds the part of a filter that ends at a place and is not finished; undefined where nothing can be suggested. */
export function findUnfinished(text: string, caret: number, vocabulary: Vocabulary): Unfinished | undefined {
  const before = text.slice(Math.max(0, caret - mostRead), caret);
  const [, of, , part] = value.exec(before) ?? [];
  if (of !== undefined && part !== undefined) {
    const { field } = findField(of.replaceAll('"', ''), vocabulary) ?? {};
    if (field === undefined) return undefined;
    return { from: caret - part.length, to: caret, typed: part.replace(/^"/, ''), field };
  }
  const typed = name.exec(before)?.[1];
  return typed === undefined
    ? undefined
    : { from: caret - typed.length, to: caret, typed: typed.replaceAll('"', '') };
}

/** Returns the names of fields that begin with what is typed, then those that contain it. */
export function suggestFields(typed: string, vocabulary: Vocabulary, most: number): string[] {
  const wanted = typed.toLowerCase();
  const names = fieldNames(vocabulary).filter(
    (each) => each.toLowerCase().includes(wanted) && !each.endsWith('.NAME'),
  );
  const ofMetrics = ['gap', 'label'].flatMap((kind) =>
    vocabulary.metrics.map((metric) => `${kind}.${metric}`),
  );
  const all =
    wanted === '' ? names : [...names, ...ofMetrics.filter((each) => each.toLowerCase().startsWith(wanted))];
  const begins = (each: string) => each.toLowerCase().startsWith(wanted);
  return [...all.filter(begins), ...all.filter((each) => !begins(each))].slice(0, most);
}
