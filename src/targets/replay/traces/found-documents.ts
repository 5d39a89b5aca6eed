import type { RetrievedDocument } from '../../../schema/trial.ts';
import type { Span } from '../../../schema/recorded-trace.ts';
import { toText } from '../../reply/messages/part.ts';
import { readDocuments } from '../../reply/read-documents.ts';
import { toJson } from '../../reply/to-json.ts';
import { TargetFailure } from '../../target.ts';
import { type Fields, isFields, numbered, unpack } from './attribute-values.ts';
import type { SpanNode } from './span-tree.ts';

const lists = ['retrieval.documents', 'reranker.output_documents', 'gen_ai.retrieval.documents'];

/** The documents that a span found, in its order; undefined when it does not say so. */
function documentsOf({ attributes }: Span): RetrievedDocument[] | undefined {
  for (const name of lists) {
    const whole = unpack(attributes[name]);
    const found = Array.isArray(whole) ? whole : numbered(attributes, name);
    if (found.length > 0) return found.filter(isFields).flatMap(toDocument);
    if (Array.isArray(whole)) return [];
  }
  return undefined;
}

/** A document without an id of its own goes by one in its metadata, else by its text. */
function toDocument(document: Fields): RetrievedDocument[] {
  const part = (name: string) => document[`document.${name}`] ?? document[name] ?? undefined;
  const content = part('content') ?? part('text');
  const score = part('score');
  const value = {
    id: part('id'),
    ...(content !== undefined && { text: toText(toJson(content)) }),
    ...(typeof score === 'number' && Number.isFinite(score) && { score }),
    metadata: unpack(part('metadata')),
  };
  try {
    return readDocuments([value], 'documents') ?? [];
  } catch (error) {
    if (error instanceof TargetFailure) return []; // Neither an id nor a text: there is nothing to tell it by.
    throw error;
  }
}

/**
 * The documents of a trace, best first, each once: those that a ranking left over, where there was one, else all that were
 * found. Undefined when no span says what it found.
 */
export function documentsIn(nodes: readonly SpanNode[]): RetrievedDocument[] | undefined {
  const found = nodes.flatMap(({ kind, span }) => {
    const documents = documentsOf(span);
    return documents === undefined ? [] : [{ kind, documents }];
  });
  if (found.length === 0) return undefined;
  const ranking = found.findLast(({ kind }) => kind === 'ranking');
  const documents = ranking === undefined ? found.flatMap((each) => each.documents) : ranking.documents;
  const seen = new Set<string>();
  return documents.filter(({ id, text = '' }) => {
    const key = JSON.stringify([id, text]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
