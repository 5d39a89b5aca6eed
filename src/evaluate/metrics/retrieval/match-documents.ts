import type { RetrievedDocument } from '../../../core/schema/trial.ts';
import type { RankingRules } from './measures.ts';

/** The way in which a retrieved document was recognized as an expected one. */
export type MatchKind = 'id' | 'document' | 'path';

/** A place of the ranking: an expected document that was found, or another one. */
export interface RankedDocument {
  /** The expected id, or for another document its own. */
  readonly id: string;
  /** The id under which it was retrieved, where that differs from the expected one. */
  readonly as?: string;
  readonly by?: MatchKind;
}

/** A ranking of documents, each once. */
export interface MatchedRanking {
  readonly documents: readonly RankedDocument[];
  /** The number of retrieved documents that do not count: passages or repetitions of an earlier one. */
  readonly repeated: number;
}

/**
 * Recognizes the expected documents among those that were retrieved, in their order, and counts each document once, at its first
 * rank. A passage is recognized by its id; else by its document: the source that was retrieved with it, or what its id has before
 * `#`; else by the end of a path. Files of runs for retrieval evaluation (`order: trec`) have exact ids.
 */
export function matchDocuments(
  retrieved: readonly RetrievedDocument[],
  expected: readonly string[],
  order: RankingRules['order'],
): MatchedRanking {
  const find = order === 'trec' ? findExactly(expected) : createFinder(retrieved, expected);
  const found = retrieved.map((document) => ({ document, match: find(document) }));
  // The name by which the first one was recognized: its place among the names that a document was retrieved with.
  const place = found.find(({ match }) => match !== undefined && match.by !== 'id')?.match?.place;
  const seen = new Set<string>();
  const documents: RankedDocument[] = [];
  for (const { document, match } of found) {
    // Passages of a document that is not expected are one document, too, where documents are what the case expects.
    const id = match?.id ?? (place === undefined ? document.id : documentAt(document, place));
    const key = JSON.stringify([match !== undefined, id]);
    if (seen.has(key)) continue;
    seen.add(key);
    const isOther = match !== undefined && document.id !== match.id;
    documents.push({ id, ...(isOther && { as: document.id, by: match.by }) });
  }
  return { documents, repeated: retrieved.length - documents.length };
}

interface Match {
  readonly id: string;
  readonly by: MatchKind;
  /** The place of the name that was recognized: 0 for the id, 1 and higher for the sources. */
  readonly place: number;
}

type Finder = (document: RetrievedDocument) => Match | undefined;

function findExactly(expected: readonly string[]): Finder {
  const ids = new Set(expected);
  return ({ id }) => (ids.has(id) ? { id, by: 'id', place: 0 } : undefined);
}

function createFinder(retrieved: readonly RetrievedDocument[], expected: readonly string[]): Finder {
  const byForm = new Map(expected.toReversed().map((id) => [formOf(id), id]));
  const byPath = createPathFinder(
    expected,
    retrieved.flatMap((document) => namesOf(document).map(({ name }) => name)),
  );
  return (document) => {
    const names = namesOf(document);
    const ways: readonly (readonly [MatchKind, readonly Name[], (name: string) => string | undefined])[] = [
      ['id', names.slice(0, 1), (name) => byForm.get(formOf(name))],
      ['document', names, (name) => byForm.get(formOf(name))],
      ['path', names, byPath],
    ];
    for (const [by, tried, findId] of ways) {
      for (const { name, place } of tried) {
        const id = findId(name);
        if (id !== undefined) return { id, by, place };
      }
    }
    return undefined;
  };
}

interface Name {
  readonly name: string;
  readonly place: number;
}

/** Returns the names of a retrieved document, the best first: its id, its sources, and what these have before a mark of a passage. */
function namesOf({ id, sources = [] }: RetrievedDocument): Name[] {
  const given = [id, ...sources].map((name, place) => ({ name, place }));
  const wider = given.flatMap(({ name, place }) => {
    const document = withoutPassage(name);
    return document === undefined ? [] : [{ name: document, place }];
  });
  return [...given, ...wider];
}

/** Returns the name of the document that a passage belongs to, by the name at a place; its id where it has none there. */
function documentAt({ id, sources = [] }: RetrievedDocument, place: number): string {
  const name = place === 0 ? id : sources[place - 1];
  return name === undefined ? id : (withoutPassage(name) ?? name);
}

/** The marks of a passage at the end of an id: `#2`, `#heading`; after the name of a file `:2`, `_chunk_2`; elsewhere `-chunk-2`. */
const passageMarks: readonly RegExp[] = [
  /^(?<document>[^#]*[^#\s])#(?![.\s#]).+$/su,
  /^(?<document>.*\.[a-z][a-z0-9]{0,4})(?:::|[:|_ -])(?:(?:chunk|passage|part|page|section|p)[:_. =-]?)?\d{1,6}$/isu,
  /^(?<document>.*[^\s:_.-])[:_. -]{1,2}(?:chunk|passage)[:_. -]?\d{1,6}$/isu,
];

/** Returns an id without the mark of a passage; undefined where it has none. A long text is no id of a passage. */
function withoutPassage(id: string): string | undefined {
  if (id.length > longestName) return undefined;
  for (const mark of passageMarks) {
    const document = mark.exec(id)?.groups?.['document'];
    if (document !== undefined) return document;
  }
  return undefined;
}

/** The most characters of a name of a document: a text in place of an id has only itself. */
const longestName = 1000;

/** Returns the form of an id in which two of them are compared: composed, without white space around it, a URL without its last slash. */
function formOf(id: string): string {
  const form = id.normalize('NFC').trim();
  return form.endsWith('/') && /^https?:\/\//i.test(form) ? form.slice(0, -1) : form;
}

/** Names of files that stand in many folders: by such a name alone, no file is recognized. */
const commonNames =
  /^(?:index|readme|main|default|home|page|content|document|untitled|changelog|license)\.\w+$/;

/**
 * Returns a function that finds the expected id which is the same file as a name: `docs/a.md` and `a.md`, or `/data/docs/a.md` and
 * `docs/a.md`, in upper or lower case. It finds none where several files, expected or retrieved, would fit.
 */
function createPathFinder(
  expected: readonly string[],
  retrieved: readonly string[],
): (name: string) => string | undefined {
  const wanted = groupByFile(expected);
  const found = groupByFile(retrieved);
  return (name) => {
    const path = pathOf(name);
    if (path === undefined) return undefined;
    const file = path.slice(path.lastIndexOf('/') + 1);
    const others = (wanted.get(file) ?? []).filter((each) => isSameFile(each.path, path));
    const [only] = others;
    if (only === undefined || others.length > 1) return undefined;
    const rivals = new Set(
      (found.get(file) ?? []).map((each) => each.path).filter((each) => isSameFile(only.path, each)),
    );
    return areOneFile(rivals) ? only.id : undefined;
  };
}

/** Returns whether paths are one file: each is the end of the longest one. */
function areOneFile(paths: ReadonlySet<string>): boolean {
  const [longest = '', ...rest] = [...paths].toSorted((one, other) => other.length - one.length);
  return rest.every((path) => longest.endsWith(`/${path}`));
}

interface NamedFile {
  readonly id: string;
  readonly path: string;
}

function groupByFile(names: readonly string[]): Map<string, NamedFile[]> {
  const files = names.flatMap((id): NamedFile[] => {
    const path = pathOf(id);
    return path === undefined ? [] : [{ id, path }];
  });
  return Map.groupBy(files, ({ path }) => path.slice(path.lastIndexOf('/') + 1));
}

function isSameFile(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (!short.includes('/') && commonNames.test(short)) return false;
  return long.endsWith(`/${short}`);
}

/** Returns the path of the file that a name is, in one form; undefined for a name that is none: only files have an ending. */
function pathOf(name: string): string | undefined {
  if (name.length > longestName) return undefined;
  const path = name
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^(?:file:\/\/|\.\/|\/)+/, '');
  return /[^/]\.[a-z][a-z0-9]{0,4}(?:#[^/]*)?$/.test(path) ? path : undefined;
}
