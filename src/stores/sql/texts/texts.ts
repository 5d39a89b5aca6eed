import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { TextChange, TextKind, TextRecord, TextRecords } from '../../texts/text-records.ts';
import type { SqlDatabase, SqlInput, SqlRow } from '../database.ts';
import { hasLostTraits, retractTraits } from '../lists/traits.ts';
import { readByKey } from '../read-rows.ts';
import { caseTable, judgementTable, scoreTable, trialTable } from '../records.ts';
import { type KeptRow, readRow, type RecordTable, toRow } from '../rows.ts';

const tables: Readonly<Record<TextKind, RecordTable<string>>> = {
  case: caseTable,
  trial: trialTable,
  scores: scoreTable,
  judgement: judgementTable,
};

/** The number of rows that are read at a time. */
const size = 200;

/** The plans of a store: the runs by the number under which their cases and trials stand, and the number of each run. */
interface Plans {
  readonly sharing: ReadonlyMap<number, readonly string[]>;
  readonly runs: ReadonlyMap<number, { readonly id: string; readonly trialsOf: number }>;
}

/** Creates the part of a store by which texts are erased, on a database with the tables of `tables.ts`. */
export function createSqlTexts(database: SqlDatabase): TextRecords {
  return {
    read: async function* (kind) {
      const plans = await readPlans(database);
      for await (const rows of readByKey(database, tables[kind], size))
        yield rows.map((row) => heldIn(kind, readRow(tables[kind], row, database), plans));
    },
    rewrite: async (kind, change) => {
      const table = tables[kind];
      const plans = await readPlans(database);
      const next = (row: SqlRow) => changedRow(kind, readRow(table, row, database), { change, plans });
      let changed = 0;
      for await (const rows of readByKey(database, table, size)) {
        const keys = rows
          .filter((row) => next(row) !== undefined)
          .map((row) => row.slice(0, table.keyLength));
        if (keys.length > 0) changed += await rewriteRows(database, kind, { keys, next });
      }
      return changed;
    },
    purge: async () => {
      await database.transaction(async (session) => await retractTraits(session, hasLostTraits));
      return await database.purge();
    },
  };
}

/** Changes rows in one transaction, by what they contain at that time. Returns the number of those that changed. */
async function rewriteRows(
  database: SqlDatabase,
  kind: TextKind,
  {
    keys,
    next,
  }: { readonly keys: readonly SqlRow[]; readonly next: (row: SqlRow) => SqlInput[] | undefined },
): Promise<number> {
  const table = tables[kind];
  const where = table.columns
    .slice(0, table.keyLength)
    .map((column) => `${column} = ?`)
    .join(' AND ');
  const find = `SELECT ${table.selected} FROM ${table.name} WHERE ${where}${database.dialect.lockRows}`;
  return await database.transaction(async (session) => {
    let changed = 0;
    for (const key of keys) {
      const [row] = await session.all(find, key);
      const values = row && next(row);
      if (values === undefined) continue;
      await session.run(table.upsert, values);
      changed += 1;
    }
    if (changed > 0 && kind !== 'judgement') {
      const which = kind === 'scores' ? 'number = ?' : 'trials_of = ?';
      for (const run of new Set(keys.map(([first]) => first ?? null)))
        await retractTraits(session, which, [run]);
    }
    return changed;
  });
}

/** Returns the values of a changed row; undefined for one that stays as it is. */
function changedRow(
  kind: TextKind,
  row: KeptRow<string>,
  { change, plans }: { readonly change: TextChange; readonly plans: Plans },
): SqlInput[] | undefined {
  const table = tables[kind];
  const held = heldIn(kind, row, plans);
  const record = change.record(held);
  const columns = table.columns.map((column, index) => {
    const value = row.columns[column] ?? null;
    return typeof value === 'string' && index >= table.keyLength ? change.column(value) : value;
  });
  const isSame =
    record === held.record && table.columns.every((name, index) => row.columns[name] === columns[index]);
  if (isSame) return undefined;
  return toRow(columns, record);
}

function heldIn(kind: TextKind, { columns, text }: KeptRow<string>, plans: Plans): TextRecord {
  const place = { kind, record: parseJson(text) as object };
  const [run, position, ordinal] = ['run', 'position', 'ordinal'].map(
    (name) => columns[name] as number | undefined,
  );
  if (kind !== 'case' && kind !== 'trial' && kind !== 'scores')
    return { ...place, runs: [], plan: '', position: null, ordinal: null };
  const scored = kind === 'scores' ? plans.runs.get(run ?? 0) : undefined;
  const plan = scored?.trialsOf ?? run ?? 0;
  const runs = scored === undefined ? (plans.sharing.get(plan) ?? []) : [scored.id];
  return { ...place, runs, plan: String(plan), position: position ?? null, ordinal: ordinal ?? null };
}

async function readPlans(database: SqlDatabase): Promise<Plans> {
  const rows = await database.all('SELECT number, trials_of, id FROM runs ORDER BY number');
  const runs = rows.map(([number, trialsOf, id]) => ({
    number: number as number,
    trialsOf: trialsOf as number,
    id: id as string,
  }));
  const sharing = new Map<number, string[]>();
  for (const { trialsOf, id } of runs) sharing.set(trialsOf, [...(sharing.get(trialsOf) ?? []), id]);
  return { runs: new Map(runs.map((run) => [run.number, run])), sharing };
}
