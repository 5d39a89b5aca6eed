import type { DatabaseSync } from 'node:sqlite';

/** Arguments of the `list_business_documents` tool: an optional document type such as `insurance`. */
export interface DocumentFilter {
  type?: string;
}

/** One document of the catalogue. Not every document has been ingested for search. */
export interface DocumentRecord {
  id: string;
  title: string;
  type: string;
  dated: string;
}

/** Lists the catalogue of business documents, oldest first. */
export function listBusinessDocuments(database: DatabaseSync, filter: DocumentFilter): DocumentRecord[] {
  const sql = `SELECT id, title, type, dated_on AS dated FROM documents
    WHERE ? IS NULL OR type = ? ORDER BY dated_on, id`;
  const rows = database.prepare(sql).all(filter.type ?? null, filter.type ?? null);
  return rows.map((row) => ({ ...row }) as unknown as DocumentRecord);
}
