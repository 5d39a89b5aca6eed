import { isContainer } from '../../lib/json/is-container.ts';
import { valueAtPath } from '../../lib/objects.ts';
import type { RetrievedDocument } from '../../schema/trial.ts';
import type { Usage } from '../../schema/usage.ts';
import { findField, invalidField, readScalar } from './read-text.ts';
import { documentAliases, usageAliases } from './reply-aliases.ts';

/**
 * Reads a list of retrieved documents: ids, texts or objects. A bare text is its own id, so that it can be compared
 * with an expected one; if it contains white space it is also kept as the document's text.
 */
export function readDocuments(value: unknown, field: string): RetrievedDocument[] | undefined {
  if (value === null || value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidField(field, value, 'a list of ids, texts or documents');
  return Array.from(value, (item, index) => readDocument(item, `${field}[${index}]`));
}

function readDocument(value: unknown, field: string): RetrievedDocument {
  if (isContainer(value) && !Array.isArray(value)) return readObject(value, field);
  const id = readId(value);
  if (id === undefined) throw invalidField(field, value, 'an id, a text or an object with an id');
  return /\s/.test(id) ? { id, text: id } : { id };
}

function readObject(value: object, field: string): RetrievedDocument {
  const text = readText(findField(value, documentAliases.text)?.value, `${field}.text`);
  const id = readId(findField(value, documentAliases.id)?.value) ?? readMetadataId(value) ?? text;
  if (id === undefined) throw invalidField(field, value, 'an object with an `id` or a `text`');
  const document: RetrievedDocument = { id };
  if (text !== undefined) document.text = text;
  const score = findField(value, documentAliases.score)?.value ?? undefined;
  if (score === undefined) return document;
  if (typeof score !== 'number' || !Number.isFinite(score)) {
    throw invalidField(`${field}.score`, score, 'a finite number');
  }
  return { ...document, score };
}

/** Returns the id in a document's metadata, where retrieval libraries keep it. */
function readMetadataId(value: object): string | undefined {
  const metadata = findField(value, ['metadata'])?.value;
  if (!isContainer(metadata)) return undefined;
  return readId(findField(metadata, documentAliases.id)?.value);
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
