import type { Certificate } from '../../schema/review/certificate.ts';
import type { CertificateStore } from '../certificates/certificate-store.ts';
import { storeDamaged } from '../refusals.ts';
import type { SqlDatabase } from './database.ts';
import { readRow, recordTable, toRow, toValue } from './rows.ts';
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

/** Creates the part of a store for certificates, on a database with the table above. */
export function createSqlCertificates(database: SqlDatabase): CertificateStore {
  return {
    add: async (certificate) =>
      await database.transaction(
        async (session) => (await session.run(certificateTable.insert, rowOf(certificate))) > 0,
      ),
    list: async (metric) => {
      const where = metric === undefined ? '' : 'WHERE metric = ?';
      const sql = `SELECT ${certificateTable.selected} FROM certificates ${where} ORDER BY made_at DESC, id DESC`;
      const rows = await database.all(sql, metric === undefined ? [] : [toValue(metric)]);
      if (metric === undefined) await requireAll(database, rows.length);
      return rows.map((row): Certificate => JSON.parse(readRow(certificateTable, row, database).text));
    },
  };
}

function rowOf(certificate: Certificate) {
  const { id, madeAt, validUntil, calibration } = certificate;
  const { judge, metric, run } = calibration;
  return toRow([id, judge.name, metric.name, metric.fingerprint, run, madeAt, validUntil], certificate);
}

async function requireAll(database: SqlDatabase, found: number): Promise<void> {
  const [total] = await database.all("SELECT number FROM feedback_totals WHERE name = 'certificates'");
  const written = Number(total?.[0] ?? 0);
  if (found < written)
    throw storeDamaged(database.address, `${written - found} of ${written} certificates are missing`);
}
