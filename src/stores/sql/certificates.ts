import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { Certificate, RefusedCalibration } from '../../core/schema/review/certificate.ts';
import type { CertificateStore } from '../certificates/certificate-store.ts';
import { storeDamaged } from '../refusals.ts';
import type { SqlDatabase, SqlInput } from './database.ts';
import { readRow, type RecordTable, recordTable, toRow, toValue } from './rows.ts';
import type { ColumnTypes } from './tables.ts';

/** Returns the statements that create the table of certificates. None of its rows belongs to a run. */
export function createCertificateTable({ integer, text, record, options }: ColumnTypes): string {
  return `
  -- Statements that a judge met all conditions: events that never change.
  CREATE TABLE certificates (
    id ${text} NOT NULL PRIMARY KEY,
    judge ${text} NOT NULL,
    metric ${text} NOT NULL,
    fingerprint ${text} NOT NULL,
    run_id ${text} NOT NULL,
    made_at ${text} NOT NULL,
    valid_until ${text} NOT NULL,
    record ${record} NOT NULL,
    checksum ${integer} NOT NULL
  ) ${options};
  CREATE INDEX certificates_by_metric ON certificates (metric, made_at);
`;
}

/** Returns the statements that create the table of calibrations that gave no certificate. */
export function createRefusalTable({ integer, text, record, options }: ColumnTypes): string {
  return `
  -- Calibrations of judges that did not meet all conditions: events that never change.
  CREATE TABLE refused_calibrations (
    id ${text} NOT NULL PRIMARY KEY,
    judge ${text} NOT NULL,
    metric ${text} NOT NULL,
    fingerprint ${text} NOT NULL,
    run_id ${text} NOT NULL,
    made_at ${text} NOT NULL,
    record ${record} NOT NULL,
    checksum ${integer} NOT NULL
  ) ${options};
  CREATE INDEX refused_calibrations_by_metric ON refused_calibrations (metric, made_at);
`;
}

/** The table of certificates. */
export const certificateTable = recordTable('certificates', 1, [
  'id',
  'judge',
  'metric',
  'fingerprint',
  'run_id',
  'made_at',
  'valid_until',
]);

/** The table of calibrations that gave no certificate. */
export const refusalTable = recordTable('refused_calibrations', 1, [
  'id',
  'judge',
  'metric',
  'fingerprint',
  'run_id',
  'made_at',
]);

/** Creates the part of a store for certificates, on a database with the tables above. */
export function createSqlCertificates(database: SqlDatabase): CertificateStore {
  const insert = async (sql: string, row: SqlInput[]) =>
    await database.transaction(async (session) => (await session.run(sql, row)) > 0);
  return {
    add: async (certificate) =>
      await insert(
        certificateTable.insert,
        toRow([...headOf(certificate), certificate.validUntil], certificate),
      ),
    list: async (metric) => await readAll<Certificate>(database, certificateTable, metric),
    addRefusal: async (refusal) => await insert(refusalTable.insert, toRow(headOf(refusal), refusal)),
    listRefusals: async (metric) => await readAll<RefusedCalibration>(database, refusalTable, metric),
  };
}

function headOf({ id, madeAt, calibration }: RefusedCalibration): string[] {
  const { judge, metric, run } = calibration;
  return [id, judge.name, metric.name, metric.fingerprint, run, madeAt];
}

async function readAll<T>(
  database: SqlDatabase,
  table: RecordTable<string>,
  metric: string | undefined,
): Promise<T[]> {
  const where = metric === undefined ? '' : 'WHERE metric = ?';
  const sql = `SELECT ${table.selected} FROM ${table.name} ${where} ORDER BY made_at DESC, id DESC`;
  const rows = await database.all(sql, metric === undefined ? [] : [toValue(metric)]);
  if (metric === undefined) await requireAll(database, table.name, rows.length);
  return rows.map((row): T => parseJson(readRow(table, row, database).text));
}

async function requireAll(database: SqlDatabase, table: string, found: number): Promise<void> {
  const [total] = await database.all('SELECT number FROM feedback_totals WHERE name = ?', [table]);
  const written = Number(total?.[0] ?? 0);
  const what = table.replace('_', ' ');
  if (found < written)
    throw storeDamaged(database.address, `${written - found} of ${written} ${what} are missing`);
}
