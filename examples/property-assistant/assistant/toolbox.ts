import type { DatabaseSync } from 'node:sqlite';
import type { Hit, SearchIndex } from './search-index.ts';
import {
  type DocumentFilter,
  type DocumentRecord,
  listBusinessDocuments,
} from './tools/list-business-documents.ts';
import { type DatabaseQuery, queryDatabase, type Row } from './tools/query-database.ts';
import { type ContentSearch, searchDocumentContent } from './tools/search-document-content.ts';

/** A tool call as it was made: with its result, or with the error it ended in. */
export interface ToolCall {
  name: string;
  arguments: object;
  result?: unknown;
  error?: string;
}

/** The three tools, with a record of what was called and found while one question is answered. */
export interface Toolbox {
  calls: ToolCall[];
  hits: Hit[];
  query(query: DatabaseQuery): Row[];
  search(search: ContentSearch): Hit[];
  list(filter: DocumentFilter): DocumentRecord[];
}

/** Opens an empty record over the database and the search index. */
export function openToolbox(database: DatabaseSync, index: SearchIndex): Toolbox {
  const calls: ToolCall[] = [];
  const hits: Hit[] = [];

  function record<T>(call: ToolCall, run: () => T, summarize: (value: T) => unknown): T {
    calls.push(call);
    try {
      const value = run();
      call.result = summarize(value);
      return value;
    } catch (error) {
      call.error = `${(error as Error).name}: ${(error as Error).message}`;
      throw error;
    }
  }

  return {
    calls,
    hits,
    query: (query) =>
      record(
        { name: 'query_database', arguments: query },
        () => queryDatabase(database, query),
        (rows) => rows,
      ),
    search(search) {
      const call = { name: 'search_document_content', arguments: search };
      const found = record(call, () => searchDocumentContent(index, search), summarizeHits);
      hits.push(...found);
      return found;
    },
    list: (filter) =>
      record(
        { name: 'list_business_documents', arguments: filter },
        () => listBusinessDocuments(database, filter),
        (documents) => documents,
      ),
  };
}

function summarizeHits(hits: Hit[]): object[] {
  return hits.map(({ passage, score }) => ({
    id: passage.id,
    title: passage.title,
    score: roundScore(score),
  }));
}

/** Rounds a search score to three decimals, enough to rank by. */
export function roundScore(score: number): number {
  return Math.round(score * 1000) / 1000;
}
