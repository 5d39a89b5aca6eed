import { isContainer } from '../../../core/lib/json/is-container.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { RetrievedDocument } from '../../../core/schema/trial.ts';
import type { Usage } from '../../../core/schema/usage.ts';
import { findField, invalidField, readScalar } from './read-text.ts';
import { documentAliases, usageAliases } from './reply-aliases.ts';

/**
 * Reads a list of retrieved documents: ids, texts or objects. A bare text is its own id, so that it can be compared
 * with an expected one; if it contains white space it is also stored as the document's text.
 */
export function readDocuments(value: unknown, field: string): RetrievedDocument[] | undefined {
  if (value === null || value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidField(field, value, 'a list of ids, texts or documents');
  return Array.from(value, (item, index) => readDocument(item, `${field}[${index}]`));
}

/** Retrieved documents, and the member of the reply that holds them. */
export interface FoundDocuments {
  readonly key: string;
  readonly documents: RetrievedDocument[] | undefined;
}

/** The names of lists that may also hold something else: they are read where every item is a document. */
const looseNames = ['chunks', 'context', 'search_results', 'searchResults', 'hits', 'passages'];

/**
 * Finds retrieved documents under a name that may also mean something else, or in the `metadata` of a reply of Dify.
 * Undefined when there are none.
 */
export function findDocuments(reply: object): FoundDocuments | undefined {
  const fields = reply as Readonly<Record<string, unknown>>;
  const { metadata } = fields;
  const resources = isFields(metadata) ? findField(metadata, ['retriever_resources']) : undefined;
  const lists = [
    ...looseNames.map((key) => ({ key, list: fields[key] })),
    { key: 'metadata', list: resources?.value },
  ];
  for (const { key, list } of lists) {
    if (!Array.isArray(list) || !list.every(isFields)) continue;
    try {
      return { key, documents: list.map((item, index) => readObject(item, `${key}[${index}]`)) };
    } catch {
      // It is a list of something else.
    }
  }
  return undefined;
}

function readDocument(value: unknown, field: string): RetrievedDocument {
  if (isContainer(value) && !Array.isArray(value)) return readObject(value, field);
  const id = readId(value);
  if (id === undefined) throw invalidField(field, value, 'an id, a text or an object with an id');
  return /\s/.test(id) ? { id, text: id } : { id };
}

function readObject(given: object, field: string): RetrievedDocument {
  const value = withInner(given);
  const text = readText(findField(value, documentAliases.text)?.value, `${field}.text`);
  const metadata = metadataOf(value);
  const id = readId(findField(value, documentAliases.id)?.value) ?? readMetadataId(metadata) ?? text;
  if (id === undefined) throw invalidField(field, value, 'an object with an `id` or a `text`');
  const document: RetrievedDocument = { id };
  if (text !== undefined) document.text = text;
  const sources = readSources([value, metadata], id);
  if (sources.length > 0) document.sources = sources;
  const score = findField(value, documentAliases.score)?.value ?? undefined;
  if (score === undefined) return document;
  if (typeof score !== 'number' || !Number.isFinite(score)) {
    throw invalidField(`${field}.score`, score, 'a finite number');
  }
  return { ...document, score };
}

/** Returns a document with the parts of the one that it holds, as in LlamaIndex: `{ node: { … }, score }`. */
function withInner(value: object): object {
  const inner = findField(value, ['node', 'document'])?.value;
  return isFields(inner) ? { ...inner, ...value } : value;
}

/** Returns the metadata of a document, where retrieval libraries keep what it belongs to. */
function metadataOf(value: object): object {
  const metadata = findField(value, documentAliases.metadata)?.value;
  return isFields(metadata) ? metadata : {};
}

function isFields(value: unknown): value is object {
  return isContainer(value) && !Array.isArray(value);
}

function readMetadataId(metadata: object): string | undefined {
  return readId(findField(metadata, documentAliases.id)?.value);
}

/** The most other names of a document that are stored, and the most characters of one. */
const mostSources = 6;
const longestSource = 1000;

/** Returns the names of the document that a passage belongs to, the nearest first, each once; those that are not its id. */
function readSources(places: readonly object[], id: string): string[] {
  const names = places.flatMap((place) => {
    const fields = place as Readonly<Record<string, unknown>>;
    // `sources` is the list that Touchstone itself writes.
    const listed = Array.isArray(fields['sources']) ? fields['sources'] : [];
    return [...listed, ...documentAliases.source.map((name) => fields[name])].map(readId);
  });
  const known = names.filter((name) => name !== undefined && name !== id && name.length <= longestSource);
  return [...new Set(known as string[])].slice(0, mostSources);
}

function readId(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value.toWellFormed();
  return readScalar(value);
}

function readText(value: unknown, field: string): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value.toWellFormed();
  throw invalidField(field, value, 'text');
}

/** Reads token counts under the names of any of the large model APIs. A count that is not reported stays absent. */
export function readUsage(value: unknown, field: string): Usage | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidField(field, value, 'an object with token counts');
  }
  const usage: Usage = {};
  for (const count of Object.keys(usageAliases) as (keyof Usage)[]) {
    const amount = readFirst(value, usageAliases[count], field);
    if (amount !== undefined) usage[count] = amount;
  }
  return usage;
}

function readFirst(source: object, paths: readonly string[], field: string): number | undefined {
  const record = source as Readonly<Record<string, unknown>>;
  for (const path of paths) {
    const value = path.includes('.') ? valueAtPath(source, path) : record[path];
    const amount = readAmount(value, `${field}.${path}`);
    if (amount !== undefined) return amount;
  }
  return undefined;
}

/** Reads a number that cannot be negative; null and undefined mean that it was not reported. */
export function readAmount(value: unknown, field: string): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  throw invalidField(field, value, 'a number that is not negative');
}

/** Reads a text such as the reason why a model stopped; anything else counts as not reported. */
export function readWord(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
}
