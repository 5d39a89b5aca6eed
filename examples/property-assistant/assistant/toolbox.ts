import type { DatabaseSync } from 'node:sqlite';
import type { Hit, SearchIndex } from './search-index.ts';
import {
  type DocumentFilter,
  type DocumentRecord,
  listBusinessDocuments,
} from './tools/list-business-documents.ts';
import { type DatabaseQuery, queryDatabase, type Row } from './tools/query-database.ts';
import { type ContentSearch, searchDocumentContent } from './tools/search-document-content.ts';
import { ToolExecutionError } from './tool-execution-error.ts';

/** Uses a tool, as Touchstone's `request.useTool` does: it may fail, or give back something else. */
export type UseTool = <Result>(name: string, given: object, run: () => Result) => Promise<Result>;

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
  query(query: DatabaseQuery): Promise<Row[]>;
  search(search: ContentSearch): Promise<Hit[]>;
  list(filter: DocumentFilter): Promise<DocumentRecord[]>;
}

/** How the tools are reached, and how often one that did not answer is asked again. */
export interface ToolAccess {
  useTool: UseTool;
  retries: number;
}

/** Opens an empty record over the database and the search index. */
export function openToolbox(database: DatabaseSync, index: SearchIndex, access: ToolAccess): Toolbox {
  const calls: ToolCall[] = [];
  const hits: Hit[] = [];

  async function record<T>({ name, activity }: Tool, given: object, use: Use<T>): Promise<T> {
    for (let left = access.retries; ; left -= 1) {
      const call: ToolCall = { name, arguments: given };
      calls.push(call);
      try {
        const value = await access.useTool(name, given, use.run);
        call.result = use.summarize(value);
        return value;
      } catch (error) {
        const { name: kind, message } = error as Error;
        call.error = `${kind}: ${message}`;
        if (error instanceof ToolExecutionError) throw error;
        if (left === 0) throw new ToolExecutionError(activity, message);
      }
    }
  }

  return {
    calls,
    hits,
    query: (query) =>
      record({ name: 'query_database', activity: 'querying the database' }, query, {
        run: () => queryDatabase(database, query),
        summarize: (rows) => rows,
      }),
    async search(search) {
      const tool = { name: 'search_document_content', activity: 'searching the documents' };
      const run = () => searchDocumentContent(index, search);
      const found = await record(tool, search, { run, summarize: summarizeHits });
      hits.push(...found);
      return found;
    },
    list: (filter) =>
      record({ name: 'list_business_documents', activity: 'listing the documents' }, filter, {
        run: () => listBusinessDocuments(database, filter),
        summarize: (documents) => documents,
      }),
  };
}

/** A tool, and what it is doing when it fails. */
interface Tool {
  name: string;
  activity: string;
}

/** One use of a tool, and what is kept of its result. */
interface Use<T> {
  run: () => T;
  summarize: (value: T) => unknown;
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
