import type { DatabaseSync } from 'node:sqlite';

/** A document of the catalogue, by name. */
export interface CatalogueEntry {
  id: string;
  title: string;
}

/** Names that occur in the data, so that questions can be read with them. */
export interface Vocabulary {
  asOf: string;
  catalogue: CatalogueEntry[];
  counterparties: string[];
  /** Words of transaction descriptions that single out a few of them, such as "roof". */
  descriptionWords: string[];
}

/** Reads the names in the data once, when the assistant starts. */
export function readVocabulary(database: DatabaseSync): Vocabulary {
  const column = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
  const descriptions = column(
    `SELECT DISTINCT description FROM transactions WHERE category IN ('repairs', 'furnishings')`,
  );
  return {
    asOf: column('SELECT books_as_of FROM company')[0] ?? '',
    catalogue: database
      .prepare('SELECT id, title FROM documents ORDER BY id')
      .all() as unknown as CatalogueEntry[],
    counterparties: column('SELECT DISTINCT counterparty FROM transactions ORDER BY 1'),
    descriptionWords: findRareWords(descriptions),
  };
}

function findRareWords(descriptions: string[]): string[] {
  const words = descriptions.flatMap((text) => text.toLowerCase().match(/[a-z]{4,}/g) ?? []);
  const generic = new Set([
    'repair',
    'replace',
    'unit',
    'units',
    'house',
    'between',
    'tenants',
    'main',
    'over',
    'three',
  ]);
  return [...new Set(words)].filter((word) => !generic.has(word)).sort();
}
