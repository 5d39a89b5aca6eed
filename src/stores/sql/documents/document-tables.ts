import { type AnyKind, type ColumnType, type KindIndex, keyColumns } from '../../documents/kind.ts';
import { type RecordTable, recordTable } from '../rows.ts';
import type { ColumnTypes } from '../tables.ts';

/**
 * Returns the statement that creates the table in which documents are counted by triggers, so that a lost one is noticed:
 * a row for each kind, or for each value of its `part`.
 */
export function createDocumentTotals({ integer, text, options }: ColumnTypes): string {
  return `
  -- The numbers of documents of each kind, counted by triggers, so that a lost one is noticed.
  CREATE TABLE document_totals (
    kind ${text} NOT NULL,
    -- The review task of items and labels, else empty.
    part ${text} NOT NULL,
    number ${integer} NOT NULL,
    -- Those that were removed.
    removed ${integer} NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, part)
  ) ${options};
`;
}

/** Returns the statements that create the table of a kind. */
export function createKindTable(kind: AnyKind, types: ColumnTypes): string {
  const { integer, record, options } = types;
  const key = keyColumns(kind);
  const columns = Object.entries(kind.columns).map(([name, type]) => `${name} ${typeOf(type, types)}`);
  return `
  -- ${kind.about}
  CREATE TABLE ${kind.table} (
    ${[...columns, `record ${record} NOT NULL`, `checksum ${integer} NOT NULL`].join(',\n    ')},
    PRIMARY KEY (${key.join(', ')})
  ) ${options};
  ${createKindIndexes(kind, types)}
`;
}

/** Returns the statements that create the indexes of a kind. */
export function createKindIndexes({ table, indexes = [] }: AnyKind, types: ColumnTypes): string {
  const create = ({ on, with: others = [], isLong = false }: KindIndex) => {
    const name = `${table}_by_${on.join('_')}`;
    if (isLong) return types.textIndex(name, table, on);
    if (others.length > 0) return types.columnsIndex({ name, table, key: on, others, isPrimary: false });
    return `CREATE INDEX ${name} ON ${table} (${on.join(', ')});`;
  };
  return indexes.map(create).join('\n  ');
}

function typeOf(type: ColumnType, types: ColumnTypes): string {
  const name = type.replace('?', '') as 'text' | 'integer' | 'real';
  return `${types[name]}${type.endsWith('?') ? '' : ' NOT NULL'}`;
}

const tables = new Map<AnyKind, RecordTable<string>>();

/** Returns the description of the table of a kind. */
export function tableOf(kind: AnyKind): RecordTable<string> {
  const known = tables.get(kind);
  if (known !== undefined) return known;
  const made = recordTable(kind.table, kind.keyLength, Object.keys(kind.columns));
  tables.set(kind, made);
  return made;
}
