import { isFields } from './put-into.ts';

/**
 * Brings expected documents into our spelling: an object that gives each id its relevance becomes a list of objects,
 * and ids that are whole numbers become texts. What is neither a list nor an object is left for the check to refuse.
 */
export function readDocuments(given: unknown): unknown {
  if (isFields(given)) return Object.entries(given).map(([id, relevance]) => ({ id, relevance }));
  return Array.isArray(given) ? given.map(readDocument) : given;
}

function readDocument(document: unknown): unknown {
  if (isFields(document)) return { ...document, id: textOf(document['id']) };
  return textOf(document);
}

function textOf(id: unknown): unknown {
  return Number.isSafeInteger(id) ? String(id) : id;
}
