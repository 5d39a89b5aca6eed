import type { Hit, SearchIndex } from '../search-index.ts';
import { ToolExecutionError } from '../tool-execution-error.ts';

/** Arguments of the `search_document_content` tool; `document` is the id of the only document to search. */
export interface ContentSearch {
  query: string;
  document?: string;
  limit: number;
}

/** Finds the passages nearest to a query; throws a ToolExecutionError for a document never ingested. */
export function searchDocumentContent(index: SearchIndex, search: ContentSearch): Hit[] {
  if (search.document !== undefined && !index.documents.has(search.document)) {
    const activity = `searching the document ${search.document}`;
    throw new ToolExecutionError(activity, `Document not found in the search index: ${search.document}`);
  }
  return index.search(search.query, search);
}
