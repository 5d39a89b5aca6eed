import { isTraitField } from '../../../core/lib/filter/fields.ts';
import type { Filter } from '../../../core/lib/filter/filter.ts';
import type { Result, ScoredTrial } from '../../../core/schema/result.ts';
import type { TraitCount, TraitQuery } from '../../../core/trials/trial-queries.ts';
import { traitsOf } from '../../../core/trials/trial-traits.ts';
import type { SqlRow, SqlSession } from '../database.ts';
import { createResultReader } from '../read-results.ts';
import type { OpenRun } from '../records.ts';
import type { RunTables } from '../run-table.ts';
import type { SelectedRun } from './select-trials.ts';
import type { StoredCounts } from './stored-counts.ts';
import { addTraits, dropTraits, isLaterTrait, resolveTraits, type TraitRun } from './traits.ts';

/** The largest number of values of a field that are listed for a target by default. */
const mostValues = 1000;

/** The number of trials whose traits are made in one transaction. */
const filledAtOnce = 500;

/** Creates the part of a store that keeps the traits of scored trials. */
export function createTraits({ database, runs, write }: RunTables, stored: StoredCounts) {
  /** The run whose scores were written last. It is not read again for each of them. */
  let last: { readonly runId: string; readonly number: number; readonly run: TraitRun } | undefined;
  const fill = createFilling({ database, write });

  async function runOf(
    session: Pick<SqlSession, 'all'>,
    { runId, open: { number } }: { readonly runId: string; readonly open: OpenRun },
  ): Promise<TraitRun> {
    if (last?.number === number) return last.run;
    const { metrics, targets, attempts } = await runs.readNumber(session, number);
    last = { runId, number, run: { metrics, targets, attempts } };
    return last.run;
  }

  return {
    /** Forgets what is known of runs, since one was changed. */
    forget: (): void => {
      last = undefined;
    },
    /** Returns whether trials may have traits, which are written with their scores; true for a run that was not written to last. */
    areIn: (runId: string, scored: readonly ScoredTrial[]): boolean => {
      const run = last?.runId === runId ? last.run : undefined;
      return run === undefined || scored.some((result) => traitsOf(run, result).length > 0);
    },
    /** Writes the traits of trials in place of those that they had. */
    replace: async (
      session: SqlSession,
      place: { readonly runId: string; readonly open: OpenRun },
      scored: readonly ScoredTrial[],
    ): Promise<void> => {
      const { open } = place;
      const run = await runOf(session, place);
      const ordinals = scored.map(({ trial }) => trial.ordinal);
      await dropTraits(session, { open, dialect: database.dialect }, ordinals);
      await addTraits(session, { open, run }, scored);
    },
    /** Returns a run and a query with the terms of its filter resolved that are about traits. */
    resolve: async <Query extends { readonly where?: Filter }>(
      runId: string,
      query: Query,
    ): Promise<[SelectedRun, Query]> => {
      const of = await runs.open(database, runId);
      const { where = [] } = query;
      if (!where.some(({ field }) => isTraitField(field))) return [of, query];
      await fill(
        of,
        where.map(({ field }) => field),
      );
      return [of, { ...query, where: await resolveTraits(database, of.open, where) }];
    },
    count: async (runId: string, { most = mostValues, fields }: TraitQuery = {}): Promise<TraitCount[]> => {
      const of = await runs.open(database, runId);
      return await stored.keep(of, JSON.stringify({ traits: fields ?? 'all', most }), async () => {
        await fill(of, fields);
        const counted = await database.all(countAll, [of.open.number, most]);
        return counted.map(toCount).filter(({ field }) => fields?.includes(field) ?? true);
      });
    },
  };
}

/** Creates the function that makes the traits of a run that some fields need from its records, if it was stored before there were any. */
function createFilling({ database, write }: Pick<RunTables, 'database' | 'write'>) {
  const reader = createResultReader(database);
  const filling = new Map<number, Promise<void>>();
  return fill;

  async function fill({ run, open }: SelectedRun, fields: readonly string[] | undefined): Promise<void> {
    const sql = 'SELECT is_later FROM traits_wanted WHERE run = ?';
    const [wanted] = await database.all(sql, [open.number]);
    if (wanted === undefined) return;
    const isLater = Number(wanted[0]) === 1;
    if (isLater && fields?.some(isLaterTrait) === false) return;
    const known = filling.get(open.number);
    const filled = known ?? fillAll({ run, open }, isLater ? isLaterTrait : undefined);
    filling.set(open.number, filled);
    try {
      await filled;
    } finally {
      filling.delete(open.number);
    }
  }

  async function fillAll(
    { run, open }: SelectedRun,
    isAdded: Parameters<typeof addTraits>[3],
  ): Promise<void> {
    let waiting: Result[] = [];
    const writeWaiting = async (): Promise<void> => {
      const results = waiting;
      waiting = [];
      await write(run.id, async (session) => await addTraits(session, { open, run }, results, isAdded));
    };
    for await (const group of reader.readResults(open)) {
      waiting.push(...group);
      if (waiting.length >= filledAtOnce) await writeWaiting();
    }
    await writeWaiting();
    await write(run.id, async (session) => {
      await session.run('DELETE FROM traits_wanted WHERE run = ?', [open.number]);
    });
  }
}

/** Returns the sum of a column over the values that the trials of a target have for a field. */
const sumOfField = (column: string) =>
  `CAST(sum(${column}) OVER (PARTITION BY target, field) AS BIGINT) AS ${column}_of_field`;

const countAll = `
  SELECT target, field, value, trials, calls, measured, passed, first, values_of_field, trials_of_field, measured_of_field,
    passed_of_field
  FROM (
    SELECT counted.*, traits.field, traits.value,
      row_number() OVER (PARTITION BY target, field ORDER BY trials DESC, value) AS place,
      count(*) OVER (PARTITION BY target, field) AS values_of_field,
      ${['trials', 'measured', 'passed'].map(sumOfField).join(', ')}
    FROM (
      SELECT run, trait, target, count(*) AS trials, CAST(sum(count) AS BIGINT) AS calls, count(passed) AS measured,
        CAST(coalesce(sum(passed), 0) AS BIGINT) AS passed, min(ordinal) AS first
      FROM trial_traits WHERE run = ? GROUP BY run, trait, target
    ) AS counted JOIN traits ON traits.run = counted.run AND traits.trait = counted.trait
  ) AS listed WHERE place <= ? ORDER BY target, field, place`;

function toCount([target, field, value, ...numbers]: SqlRow): TraitCount {
  const [trials = 0, count = 0, measured = 0, passed = 0, first = 0, ...ofField] = numbers.map(Number);
  const [values = 0, allTrials = 0, allMeasured = 0, allPassed = 0] = ofField;
  return {
    target: target as number,
    field: field as string,
    value: value as string,
    trials,
    count,
    measured,
    passed,
    first,
    ofField: { values, trials: allTrials, measured: allMeasured, passed: allPassed },
  };
}
