import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { ProposalDecision, ProposalExport } from '../../../core/schema/proposal/decision.ts';
import { type KeptProposal, stateOf } from '../../../core/schema/proposal/kept-proposal.ts';
import type { Proposal } from '../../../core/schema/proposal/proposal.ts';
import { proposalNotFound, requireDecision } from '../../proposals/admit-decision.ts';
import type { AddedProposals, ProposalChoice, ProposalStore } from '../../proposals/proposal-store.ts';
import { storeDamaged } from '../../refusals.ts';
import type { SqlDatabase, SqlRow, SqlSession } from '../database.ts';
import { readRow, type RecordTable } from '../rows.ts';
import {
  countedProposalTables,
  decisionRow,
  decisionTable,
  exportRow,
  exportTable,
  proposalRow,
  proposalTable,
} from './proposal-tables.ts';

/** The number of proposals that are read at a time. */
const batchSize = 200;

/** Creates the part of a store for proposed cases, on a database with the tables of `proposal-tables.ts`. */
export function createSqlProposals(database: SqlDatabase): ProposalStore {
  return {
    add: async (proposals) =>
      await database.transaction((session) => addAll(session, proposals), 'proposals'),
    decide: async (decision, rules) =>
      await database.transaction(async (session) => {
        const known = await session.all('SELECT 1 FROM proposal_decisions WHERE id = ?', [decision.id]);
        if (known.length > 0) return;
        requireDecision(await require(database, session, decision.proposal), decision, rules);
        await session.run(decisionTable.insert, decisionRow(decision));
      }, 'proposals'),
    addExports: async (exports) =>
      await database.transaction(async (session) => {
        let added = 0;
        for (const each of exports) {
          await require(database, session, each.proposal);
          added += await session.run(exportTable.insert, exportRow(each));
        }
        return added;
      }, 'proposals'),
    find: async (id) => await findOne(database, database, id),
    read: async function* (choice = {}, onLost) {
      const isChosen = matches(choice);
      for await (const kept of readAll(database, choice, onLost)) if (isChosen(kept)) yield kept;
    },
    erase: async (ids) => {
      const erased = await database.transaction((session) => eraseAll(session, ids), 'proposals');
      if (erased > 0) await database.shrink();
      return erased;
    },
  };
}

async function addAll(session: SqlSession, proposals: readonly Proposal[]): Promise<AddedProposals> {
  let added = 0;
  for (const proposal of proposals) added += await session.run(proposalTable.insert, proposalRow(proposal));
  return { added, known: proposals.length - added };
}

async function eraseAll(session: SqlSession, ids: readonly string[]): Promise<number> {
  let erased = 0;
  for (const id of ids) {
    await session.run('DELETE FROM proposal_decisions WHERE proposal = ?', [id]);
    await session.run('DELETE FROM proposal_exports WHERE proposal = ?', [id]);
    erased += await session.run('DELETE FROM proposals WHERE id = ?', [id]);
  }
  return erased;
}

/** A place to read rows from: a database, or a transaction. */
type Reader = Pick<SqlSession, 'all'>;

async function require(database: SqlDatabase, session: Reader, id: string): Promise<KeptProposal> {
  const kept = await findOne(database, session, id);
  if (kept === undefined) throw proposalNotFound(id);
  return kept;
}

async function findOne(
  { address }: SqlDatabase,
  reader: Reader,
  id: string,
): Promise<KeptProposal | undefined> {
  const [row] = await reader.all(`SELECT ${proposalTable.selected} FROM proposals WHERE id = ?`, [id]);
  if (row === undefined) return undefined;
  const rowsOf = async (table: RecordTable<string>, time: string) =>
    await reader.all(`SELECT ${table.selected} FROM ${table.name} WHERE proposal = ? ORDER BY ${time}, id`, [
      id,
    ]);
  const decisions = await rowsOf(decisionTable, 'decided_at');
  const exports = await rowsOf(exportTable, 'written_at');
  const read = (table: RecordTable<string>, row: SqlRow): unknown =>
    parseJson(readRow(table, row, { address }).text);
  return {
    proposal: read(proposalTable, row) as Proposal,
    decisions: decisions.map((each) => read(decisionTable, each) as ProposalDecision),
    exports: exports.map((each) => read(exportTable, each) as ProposalExport),
  };
}

/** The receiver of descriptions of what is lost; the error is thrown where there is none. */
type OnLost = ((what: string) => void) | undefined;

/** Yields proposals with their events; they are found by what the columns know of the choice. */
async function* readAll(
  database: SqlDatabase,
  choice: ProposalChoice,
  onLost: OnLost,
): AsyncGenerator<KeptProposal> {
  const isWhole = choice.dataset === undefined && choice.traceId === undefined;
  const written = isWhole ? await countWritten(database) : new Map<string, number>();
  const found = { proposals: 0, proposal_decisions: 0, proposal_exports: 0 };
  for await (const key of readKeys(database, choice)) {
    found.proposals += 1;
    const kept = await readOne(database, key, onLost);
    if (kept === undefined) continue;
    found.proposal_decisions += kept.decisions.length;
    found.proposal_exports += kept.exports.length;
    yield kept;
  }
  for (const table of countedProposalTables) {
    const all = written.get(table) ?? 0;
    if (found[table] < all)
      report(database, `${all - found[table]} of ${all} rows of ${table} are missing`, onLost);
  }
}

function report({ address }: SqlDatabase, what: string, onLost: OnLost): void {
  if (onLost === undefined) throw storeDamaged(address, what);
  onLost(what);
}

/** The id of a proposal and the time at which it was made. */
type ProposalKey = readonly [id: string, madeAt: string];

/** Yields the keys of proposals by time, some at a time. */
async function* readKeys(
  database: SqlDatabase,
  { dataset, traceId }: ProposalChoice,
): AsyncGenerator<ProposalKey> {
  const chosen: readonly (readonly [rule: string, value: string | undefined])[] = [
    ['dataset = ?', dataset],
    ['trace_id = ?', traceId],
  ];
  const given = chosen.filter(([, value]) => value !== undefined);
  const rules = [...given.map(([rule]) => rule), '(made_at, id) > (?, ?)'].join(' AND ');
  const values = given.map(([, value]) => value ?? null);
  const sql = `SELECT id, made_at FROM proposals WHERE ${rules} ORDER BY made_at, id LIMIT ${batchSize}`;
  for (let last: ProposalKey = ['', '']; ; ) {
    const rows = await database.all(sql, [...values, last[1], last[0]]);
    const keys = rows.map(([id, madeAt]): ProposalKey => [id as string, madeAt as string]);
    yield* keys;
    if (keys.length < batchSize) return;
    last = keys.at(-1) as ProposalKey;
  }
}

async function readOne(
  database: SqlDatabase,
  [id, madeAt]: ProposalKey,
  onLost: OnLost,
): Promise<KeptProposal | undefined> {
  try {
    return await findOne(database, database, id);
  } catch (error) {
    if (onLost === undefined) throw error;
    onLost(`proposal ${id} of ${madeAt}`);
    return undefined;
  }
}

/** Counts the rows that were written and not erased since. */
async function countWritten(database: SqlDatabase): Promise<ReadonlyMap<string, number>> {
  const rows = await database.all('SELECT name, number FROM proposal_totals');
  return new Map(rows.map(([name, number]) => [name as string, Number(number)]));
}

/** Returns a function that checks whether a proposal meets the conditions. */
function matches({ dataset, state, traceId }: ProposalChoice): (kept: KeptProposal) => boolean {
  return (kept) => {
    const { source } = kept.proposal;
    return (
      (dataset === undefined || kept.proposal.dataset === dataset) &&
      (traceId === undefined || (source.type === 'trace' && source.traceId === traceId)) &&
      (state === undefined || stateOf(kept) === state)
    );
  };
}
