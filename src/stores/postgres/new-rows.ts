import type { Pool } from 'pg';
import type { SqlInput } from '../sql/database.ts';
import type { RecordTable } from '../sql/rows.ts';
import type { ClaimedRun, StoreParts } from '../sql/store-parts.ts';
import type { createClaims } from './claims.ts';
import { isPassing } from './explain-fault.ts';
import type { createLayout } from './layout.ts';
import { numberMarks, query, withClient } from './pool.ts';

/** The surroundings of adding rows. */
interface NewRowsNeeds extends Pick<ReturnType<typeof createClaims>, 'tokenOf'> {
  readonly pool: Pool;
  readonly layout: Pick<ReturnType<typeof createLayout>, 'prepare'>;
  readonly patient: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** The name under which these writes are counted, which nothing else counts under: a count decides about the fate of a transaction. */
  readonly writer: string;
}

/** Rows for one statement, and whether it has added them all. */
interface Group {
  readonly rows: (readonly SqlInput[])[];
  readonly added: Promise<boolean>;
}

/** The numbers of rows for which there is a statement: few, since each connection prepares each of them. */
const statementSizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100];
const mostRows = 100;

/**
 * Creates the writer of new rows of a run: one message to the server, which counts the write and makes sure that the run and the claim
 * on it are there. For a transaction with the same in it, client and server do five times as much. Rows that come while others are on
 * their way to the same table go together in the next message.
 */
export function createNewRows({
  pool,
  layout,
  patient,
  writer,
  tokenOf,
}: NewRowsNeeds): Required<StoreParts>['addNew'] & { settled(): Promise<void> } {
  const last = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Group>();
  const statementOf = createStatements();

  const send = async (table: RecordTable<string>, rows: Group['rows'], { runId, number }: ClaimedRun) => {
    if ((await layout.prepare()) !== undefined) return false;
    const token = tokenOf(number);
    const size = statementSizes.find((each) => each >= rows.length) ?? mostRows;
    // A row that comes twice is added once.
    const filled = [...rows, ...Array.from({ length: size - rows.length }, () => rows.at(-1) ?? [])];
    const values = [writer, runId, number, ...(token === undefined ? [] : [number, token]), ...filled.flat()];
    const statement = statementOf(table, size, token !== undefined);
    const { rowCount } = await withClient(
      pool,
      async (client) => await query(client, statement.sql, { values, name: statement.name }),
    );
    return rowCount === rows.length;
  };

  const begin = (table: RecordTable<string>, run: ClaimedRun, place: string): Group => {
    const group: { rows: Group['rows']; added?: Promise<boolean> } = { rows: [] };
    const added = (last.get(table.name) ?? Promise.resolve()).then(async () => {
      if (waiting.get(place) === group) waiting.delete(place);
      try {
        return await patient(async () => await send(table, group.rows, run));
      } catch (error) {
        if (isPassing(error)) throw error;
        // A transaction finds out what is wrong.
        return false;
      }
    });
    last.set(
      table.name,
      added.catch(() => {}),
    );
    return Object.assign(group, { added });
  };

  const addNew: Required<StoreParts>['addNew'] = async (table, rows, run) => {
    if (rows.length === 0 || rows.length > mostRows) return false;
    const place = `${table.name} ${run.number} ${run.runId}`;
    const open = waiting.get(place);
    const group =
      open !== undefined && open.rows.length + rows.length <= mostRows ? open : begin(table, run, place);
    waiting.set(place, group);
    group.rows.push(...rows);
    return await group.added;
  };
  return Object.assign(addNew, { settled: async () => void (await Promise.all(last.values())) });
}

const count = `INSERT INTO writers AS own (id, writes) VALUES (?, 1)
  ON CONFLICT (id) DO UPDATE SET writes = own.writes + 1`;
const hold = `SELECT 1 FROM runs WHERE id = ? AND number = ? FOR KEY SHARE`;
const holdClaim = `SELECT 1 FROM claims WHERE run = ? AND part = '' AND token = ? FOR SHARE`;

/** Creates the statements, each once. Without the run or the claim, the number of the run is null in the first row, which no table takes. */
function createStatements() {
  const known = new Map<string, { readonly name: string; readonly sql: string }>();
  return (table: RecordTable<string>, size: number, isClaimed: boolean) => {
    const name = `touchstone_add_${table.name}_${size}${isClaimed ? '_claimed' : ''}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const held = isClaimed ? `held AS (${hold}), claimed AS (${holdClaim})` : `held AS (${hold})`;
    const run = `(SELECT CAST(? AS BIGINT) FROM held${isClaimed ? ', claimed' : ''})`;
    const sql = `WITH counted AS (${count}), ${held} ${table.addSeveral(size, run)}`;
    const made = { name, sql: numberMarks(sql) };
    known.set(name, made);
    return made;
  };
}
