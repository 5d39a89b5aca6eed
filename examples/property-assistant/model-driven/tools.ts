import { openDatabase } from '../assistant/database.ts';
import { relatedWords } from '../assistant/lexicon.ts';
import { readPassages } from '../assistant/passages.ts';
import { createSearchIndex } from '../assistant/search-index.ts';
import { roundScore } from '../assistant/toolbox.ts';
import { type DocumentFilter, listBusinessDocuments } from '../assistant/tools/list-business-documents.ts';
import { type DatabaseQuery, queryDatabase } from '../assistant/tools/query-database.ts';
import { type ContentSearch, searchDocumentContent } from '../assistant/tools/search-document-content.ts';

const database = openDatabase();
const index = createSearchIndex(readPassages(), relatedWords);
const tables = database.prepare('SELECT sql FROM sqlite_schema ORDER BY name').all();
const text = (description: string) => ({ type: 'string', description });
const object = (properties: object, required: string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** The three tools of the assistant, as a model is told of them. */
export default [
  {
    name: 'query_database',
    description: `Runs one SELECT statement of SQLite on the books. Dates are texts such as 2024-08-31; amounts are positive, \`type\` says which way
they go. \`books_as_of\` of the company is today. The tables:\n${tables.map(({ sql }) => String(sql)).join('\n')}`,
    parameters: object(
      {
        sql: text('The statement, with ? for values.'),
        parameters: { type: 'array', items: { type: ['string', 'number', 'null'] } },
      },
      ['sql'],
    ),
    run: ({ sql, parameters = [] }: Partial<DatabaseQuery> & { sql: string }) =>
      queryDatabase(database, { sql, parameters }),
  },
  {
    name: 'search_document_content',
    description: 'Finds the passages of the ingested documents that are nearest to a query, best first.',
    parameters: object(
      { query: text('What to look for.'), document: text('The id of the only document to search in.') },
      ['query'],
    ),
    run({ query, document }: Pick<ContentSearch, 'query' | 'document'>) {
      const search = { query, limit: 4, ...(document !== undefined && { document }) };
      return searchDocumentContent(index, search).map(({ passage: { id, title, heading, text }, score }) => ({
        id,
        title,
        heading,
        text,
        score: roundScore(score),
      }));
    },
  },
  {
    name: 'list_business_documents',
    description:
      'Lists the catalogue of business documents, oldest first. Not every one was ingested for search.',
    parameters: object({ type: text('Only documents of this type, such as insurance.') }, []),
    run: (filter: DocumentFilter) => listBusinessDocuments(database, filter),
  },
];
