import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { readPassages } from './passages.ts';
import { ToolExecutionError } from './tool-execution-error.ts';
import { queryDatabase, type Row } from './tools/query-database.ts';

const database = openDatabase();
const passages = readPassages();

function select(sql: string): Row[] {
  return queryDatabase(database, { sql, parameters: [] });
}

function textOf(document: string): string {
  return passages
    .filter((passage) => passage.document === document)
    .map((passage) => passage.text)
    .join(' ');
}

test('there is one property, with the address of the documents', () => {
  expect(select('SELECT address, city, state, zip FROM properties')).toEqual([
    { address: '900 S 9th St', city: 'Montrose', state: 'CO', zip: '81401' },
  ]);
  expect(textOf('closing-statement')).toContain('900 S 9th St, Montrose, CO 81401');
});

test('the basis is land plus building, and purchase price plus closing costs', () => {
  const [row] = select(
    'SELECT total_basis, land_basis + building_basis AS parts, purchase_price FROM properties',
  );
  expect(row).toEqual({ total_basis: 442300, parts: 442300, purchase_price: 435000 });
  expect(textOf('closing-statement')).toContain('Total of closing costs: $7,300');
  expect(textOf('depreciation-schedule')).toContain('$442,300');
});

test('the EIN is that of the letter', () => {
  expect(select('SELECT ein FROM company')).toEqual([{ ein: '83-4567890' }]);
  expect(textOf('ein-letter')).toContain('83-4567890');
});

test('rental income in August 2024 is 16,144 dollars in three payments', () => {
  const sql = `SELECT COUNT(*) AS count, SUM(amount) AS total FROM transactions
    WHERE category = 'rental_income' AND date LIKE '2024-08-%'`;
  expect(select(sql)).toEqual([{ count: 3, total: 16144 }]);
});

test('the transactions cover 2023 to 2025', () => {
  const sql = 'SELECT COUNT(*) AS count, MIN(date) AS first, MAX(date) AS last FROM transactions';
  expect(select(sql)).toEqual([{ count: 142, first: '2023-03-21', last: '2025-09-28' }]);
});

test('management fees are eight percent of the rents of the month', () => {
  const sql = `SELECT strftime('%Y-%m', date) AS month,
      ROUND(0.08 * SUM(CASE category WHEN 'rental_income' THEN amount END), 2) AS expected,
      ROUND(SUM(CASE category WHEN 'management_fee' THEN amount END), 2) AS paid
    FROM transactions GROUP BY 1 HAVING paid IS NOT NULL`;
  const months = select(sql);
  expect(months).toHaveLength(27);
  for (const month of months) expect(month.paid).toBe(month.expected);
});

test('contributions, distributions, premium and taxes are those of the documents', () => {
  const total = (category: string, year: string) =>
    select(
      `SELECT SUM(amount) AS total FROM transactions WHERE category = '${category}' AND date LIKE '${year}%'`,
    )[0]?.total;
  expect(total('owner_contribution', '2023')).toBe(460000);
  expect(textOf('operating-agreement')).toContain('together $460,000');
  expect(total('owner_distribution', '2024')).toBe(24000);
  expect(textOf('annual-meeting-minutes-2025')).toContain('Distributions of $24,000');
  expect(total('insurance', '2025')).toBe(3180);
  expect(textOf('insurance-policy')).toContain('The annual premium is $3,180');
  expect(total('property_tax', '2025')).toBe(2238);
  expect(textOf('property-tax-notice-2025')).toContain('The total tax is $2,238');
});

test('exactly the documents marked as ingested have a text', () => {
  const ingested = select("SELECT id FROM documents WHERE ingested = 'yes' ORDER BY id").map((row) => row.id);
  expect([...new Set(passages.map((passage) => passage.document))].sort()).toEqual(ingested);
});

test('the database refuses to be written', () => {
  expect(() => select('DELETE FROM transactions')).toThrow(ToolExecutionError);
  expect(() => select('WITH x AS (SELECT 1) DELETE FROM transactions')).toThrow(ToolExecutionError);
  expect(select('SELECT COUNT(*) AS count FROM transactions')).toEqual([{ count: 142 }]);
});
