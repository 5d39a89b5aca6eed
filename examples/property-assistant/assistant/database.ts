import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readCsv } from './read-csv.ts';

const dataFolder = join(import.meta.dirname, '..', 'data');

const tables: Record<string, string> = {
  company: `id TEXT PRIMARY KEY, name TEXT, state TEXT, entity_number TEXT, ein TEXT, formed_on TEXT,
    taxed_as TEXT, managing_member TEXT, books_as_of TEXT`,
  properties: `id TEXT PRIMARY KEY, address TEXT, city TEXT, state TEXT, zip TEXT, county TEXT,
    parcel_number TEXT, property_type TEXT, units INTEGER, bedrooms INTEGER, square_feet INTEGER,
    lot_acres REAL, year_built INTEGER, purchase_date TEXT, purchase_price REAL, land_basis REAL,
    building_basis REAL, total_basis REAL, depreciation_method TEXT, placed_in_service TEXT`,
  transactions: `id TEXT PRIMARY KEY, date TEXT, property_id TEXT, type TEXT, category TEXT, description TEXT,
    counterparty TEXT, amount REAL`,
  obligations: `id TEXT PRIMARY KEY, property_id TEXT, name TEXT, type TEXT, frequency TEXT, due_date TEXT,
    amount REAL, status TEXT, payee TEXT`,
  documents: `id TEXT PRIMARY KEY, title TEXT, type TEXT, dated_on TEXT, added_on TEXT, pages INTEGER,
    ingested TEXT`,
};

/** Opens the business database in memory, filled from the CSV files in `data/` and then closed to writing. */
export function openDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const [table, columns] of Object.entries(tables)) {
    database.exec(`CREATE TABLE ${table} (${columns})`);
    fillTable(database, table);
  }
  database.exec('PRAGMA query_only = ON');
  return database;
}

function fillTable(database: DatabaseSync, table: string): void {
  const rows = readCsv(readFileSync(join(dataFolder, `${table}.csv`), 'utf8'));
  for (const row of rows) {
    const columns = Object.keys(row);
    const marks = columns.map(() => '?').join(', ');
    database
      .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`)
      .run(...Object.values(row));
  }
}
