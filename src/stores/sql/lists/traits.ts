import { hash } from 'node:crypto';
import type { Filter, FilterTerm } from '../../../core/lib/filter/filter.ts';
import { isTraitField } from '../../../core/lib/filter/fields.ts';
import { compileTerm } from '../../../core/lib/filter/match-filter.ts';
import type { ScoredTrial } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { type Trait, traitsOf, traitValue } from '../../../core/trials/trial-traits.ts';
import type { SqlDatabase, SqlDialect, SqlInput, SqlSession } from '../database.ts';
import type { OpenRun } from '../records.ts';
import { insertedTable, insertRows, toValue } from '../rows.ts';
import type { ColumnTypes } from '../tables.ts';
import type { SqlPart } from './trial-columns.ts';

/**
 * Returns the statements that create the tables of the traits of scored trials. They are made from records, and can be made again
 * at any time; so they have no checksums.
 */
export function createTraitTables({ integer, text, options }: ColumnTypes, unordered: string): string {
  return `
  -- The traits that the trials of a run have, each by the beginning of the hash of its field and value.
  CREATE TABLE traits (
    run ${integer} NOT NULL,
    trait ${text} NOT NULL,
    field ${text} NOT NULL,
    value ${text} NOT NULL,
    PRIMARY KEY (run, trait)
  ) ${options};

  -- Which scored trial has which trait. The target is its place among the targets of the run.
  CREATE TABLE trial_traits (
    run ${integer} NOT NULL,
    trait ${text} NOT NULL,
    target ${integer} NOT NULL,
    ordinal ${integer} NOT NULL,
    count ${integer} NOT NULL,
    passed ${integer},
    PRIMARY KEY (run, trait, target, ordinal)
  ) ${unordered};
  CREATE INDEX trial_traits_by_trial ON trial_traits (run, ordinal, trait);

  -- The runs whose traits are still to be made from their records, before they are first asked for.
  CREATE TABLE traits_wanted (run ${integer} NOT NULL PRIMARY KEY) ${options};
  INSERT INTO traits_wanted SELECT number FROM runs;`;
}

/** The statements after which the runs that have the first traits get the later ones, too, before these are first asked for. */
export const wantLaterTraits = `
  ALTER TABLE traits_wanted ADD COLUMN is_later INTEGER NOT NULL DEFAULT 0;
  INSERT INTO traits_wanted (run, is_later)
    SELECT number, 1 FROM runs WHERE number NOT IN (SELECT run FROM traits_wanted);`;

/** Returns whether a field is one of the later traits, without which earlier layouts had traits. */
export function isLaterTrait(field: string): boolean {
  return field.startsWith('label.') || field === 'errorReport' || field === 'contradiction';
}

const traitTable = insertedTable('traits', 2, ['run', 'trait', 'field', 'value']);
const trialTraitTable = insertedTable('trial_traits', 4, [
  'run',
  'trait',
  'target',
  'ordinal',
  'count',
  'passed',
]);

/** The part of a run that determines the traits of its trials. */
export type TraitRun = Pick<Run, 'metrics' | 'targets' | 'attempts'>;

/** A run whose traits are written. */
export interface TraitPlace {
  readonly open: OpenRun;
  readonly run: TraitRun;
}

/** Removes the traits that trials had, before their scores are written again. */
export async function dropTraits(
  session: SqlSession,
  { open, dialect }: { readonly open: OpenRun; readonly dialect: SqlDialect },
  ordinals: readonly number[],
): Promise<void> {
  const sql = `DELETE FROM trial_traits WHERE run = ? AND ordinal IN (${dialect.numbersIn('?')})`;
  await session.run(sql, [open.number, JSON.stringify(ordinals)]);
}

/**
 * Writes the traits of scored trials that have none yet.
 * @param isAdded - Returns whether the traits of a field are still to be written.
 */
export async function addTraits(
  session: SqlSession,
  { open, run }: TraitPlace,
  scored: readonly ScoredTrial[],
  isAdded: (field: string) => boolean = () => true,
): Promise<void> {
  const names = new Map<string, SqlInput[]>();
  const rows: SqlInput[][] = [];
  for (const result of scored) {
    const { ordinal } = result.trial;
    const passed = result.scorecard?.passed ?? null;
    const target = Math.floor(ordinal / run.attempts) % run.targets.length;
    for (const trait of traitsOf(run, result)) {
      if (!isAdded(trait.field)) continue;
      const mark = markOf(trait);
      const value = [trait.field, trait.value].map(toValue);
      if (!names.has(mark)) names.set(mark, [open.number, mark, ...value]);
      rows.push([open.number, mark, target, ordinal, trait.count, passed === null ? null : Number(passed)]);
    }
  }
  // In one order, in which two processes do not wait for each other.
  await insertRows(
    session,
    traitTable,
    [...names].sort(byMark).map(([, row]) => row),
  );
  await insertRows(session, trialTraitTable, rows);
}

/**
 * Removes the traits of some runs, whose texts may be erased, so that they are made again from the records.
 * @param which - A condition on runs with at most one parameter.
 */
export async function retractTraits(
  session: SqlSession,
  which: string,
  values: readonly SqlInput[] = [],
): Promise<void> {
  const chosen = `SELECT number FROM runs WHERE ${which}`;
  await session.run(
    `INSERT INTO traits_wanted (run) ${chosen} ON CONFLICT (run) DO UPDATE SET is_later = 0`,
    values,
  );
  for (const table of ['trial_traits', 'traits'])
    await session.run(`DELETE FROM ${table} WHERE run IN (${chosen})`, values);
}

/** The condition on runs that have the text of a trait which no trial has any more. */
export const hasLostTraits = `number IN (SELECT run FROM traits WHERE NOT EXISTS (
  SELECT 1 FROM trial_traits WHERE trial_traits.run = traits.run AND trial_traits.trait = traits.trait))`;

function byMark([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** Returns the text of a trait in the tables. */
function markOf({ field, value }: Pick<Trait, 'field' | 'value'>): string {
  return hash('sha256', JSON.stringify([field, value]), 'base64url').slice(0, 16);
}

/** The field of the terms into which those on traits are resolved; no filter can name it. */
const resolvedField = ' trait';

/** The number of trials up to which they are looked up one by one, rather than each trial for its traits. */
const mostLookedUp = 20_000;

/**
 * Replaces the terms of a filter that are about traits by terms with the marks of the traits of the run that match them, so that
 * they match exactly what they match in memory.
 */
export async function resolveTraits(
  database: Pick<SqlDatabase, 'all' | 'dialect'>,
  { number }: Pick<OpenRun, 'number'>,
  where: Filter,
): Promise<Filter> {
  return await Promise.all(
    where.map(async (term): Promise<FilterTerm> => {
      if (!isTraitField(term.field)) return term;
      const matches = compileTerm({ ...term, operator: term.operator === '!=' ? '=' : term.operator });
      const sql = 'SELECT trait, value FROM traits WHERE run = ? AND field = ?';
      const marks = (await database.all(sql, [number, toValue(term.field)])).flatMap(([mark, value]) =>
        matches([traitValue({ field: term.field, value: value as string })]) ? [mark as string] : [],
      );
      const list = hasOneOf(marks, database.dialect);
      const few = `SELECT count(*) FROM (SELECT 1 FROM trial_traits WHERE run = ? AND ${list.sql} LIMIT ?) AS few`;
      const [row] = await database.all(few, [number, ...list.values, mostLookedUp + 1]);
      const isRare = Number(row?.[0]) <= mostLookedUp;
      return {
        field: isRare ? `${resolvedField}s` : resolvedField,
        operator: term.operator === '!=' ? '!=' : '=',
        values: marks,
      };
    }),
  );
}

function hasOneOf(marks: readonly (string | number)[], { textsIn }: SqlDialect): SqlPart {
  if (marks.length === 1) return { sql: 'trait = ?', values: [marks[0] as string] };
  return { sql: `trait IN (SELECT item FROM ${textsIn('?')})`, values: [JSON.stringify(marks)] };
}

/** Returns the condition that a trial has one of the traits of a resolved term; undefined for another term. */
export function traitCondition(
  { field, values }: FilterTerm,
  { number }: Pick<OpenRun, 'number'>,
  dialect: SqlDialect,
): SqlPart | undefined {
  if (!field.startsWith(resolvedField)) return undefined;
  if (values.length === 0) return { sql: 'FALSE', values: [] };
  const list = hasOneOf(values, dialect);
  const found = `FROM trial_traits WHERE trial_traits.run = ?`;
  const sql =
    field === resolvedField
      ? `EXISTS (SELECT 1 ${found} AND trial_traits.ordinal = trials.ordinal AND ${list.sql})`
      : // Not as an index: the list would be gone through for every row that is joined.
        `+trials.ordinal IN (SELECT ordinal ${found} AND ${list.sql})`;
  return { sql, values: [number, ...list.values] };
}
