import type { DatabaseSync } from 'node:sqlite';
import type { Outcome, Result } from '../../schema/result.ts';
import type { CasedTrial } from '../../schema/scored-trial.ts';
import type { TrialSpec } from '../../schema/trial-spec.ts';
import type { ScoresOfTrial } from '../store.ts';
import { inTransaction } from './open-database.ts';
import { createResultReader } from './read-results.ts';
import { encodeSpent, encodeTrial, toHex } from './row-codec.ts';
import { encodeFlag, packScores } from './score-codec.ts';
import { type OpenRun, placeOf, placesOf } from './trial-place.ts';

/** Trials of all runs, and what was said of them. */
export function createResultTables(database: DatabaseSync) {
  const insertTrial = database.prepare(
    'INSERT INTO trials (place, key, status, spent, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const replaceTrial = database.prepare(
    'UPDATE trials SET key = ?, status = ?, spent = ?, record = ? WHERE place = ?',
  );
  const replaceScores = database.prepare(
    `INSERT OR REPLACE INTO scores (place, total, lower, upper, grade, outcome, passed, numbers, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const deleteRows = (table: string) => database.prepare(`DELETE FROM ${table} WHERE place BETWEEN ? AND ?`);
  const deleteTrials = deleteRows('trials');
  const deleteScores = deleteRows('scores');
  const selectDone = database.prepare(
    "SELECT key FROM trials WHERE place BETWEEN ? AND ? AND status <> 'cancelled'",
  );
  const reader = createResultReader(database);

  function addTrial(run: OpenRun, { case: { input }, trial }: CasedTrial): void {
    const place = placeOf(run, trial.ordinal);
    const key = Buffer.from(trial.key, 'hex');
    const spent = encodeSpent(trial);
    const record = encodeTrial(trial, input);
    if (insertTrial.run(place, key, trial.status, spent, record).changes === 1) return;
    replaceTrial.run(key, trial.status, spent, record, place);
    deleteScores.run(place, place);
  }

  function addScoresOfTrial(run: OpenRun, scored: ScoresOfTrial): void {
    const { numbers, details } = packScores(scored, run.metrics);
    const { total = null, lower = null, upper = null, passed } = scored.scorecard ?? {};
    const { grade = null, outcome = null } = scored.scorecard ?? {};
    const place = placeOf(run, scored.trial.ordinal);
    replaceScores.run(place, total, lower, upper, grade, outcome, encodeFlag(passed), numbers, details);
  }

  return {
    addTrials: (run: OpenRun, trials: readonly CasedTrial[]): void =>
      inTransaction(database, () => {
        for (const trial of trials) addTrial(run, trial);
      }),

    findDone: (run: OpenRun, specs: readonly Pick<TrialSpec, 'key' | 'ordinal'>[]): Set<string> => {
      const ordinals = specs.map(({ ordinal }) => ordinal);
      const range = [placeOf(run, Math.min(...ordinals)), placeOf(run, Math.max(...ordinals))] as const;
      const kept = specs.length === 0 ? [] : selectDone.all(...range);
      const keys = new Set(kept.map(({ key }) => toHex(key as Uint8Array)));
      return new Set(specs.flatMap(({ key }) => (keys.has(key) ? [key] : [])));
    },

    addScores: (run: OpenRun, scored: readonly ScoresOfTrial[]): void =>
      inTransaction(database, () => {
        for (const row of scored) addScoresOfTrial(run, row);
      }),

    read: (run: OpenRun, ordinals?: readonly number[]): Generator<Result> =>
      reader.readResults(run, ordinals),
    readOutcomes: (run: OpenRun): Generator<Outcome> => reader.readOutcomes(run),

    deleteRun: (run: OpenRun): void =>
      inTransaction(database, () => {
        for (const statement of [deleteScores, deleteTrials]) statement.run(...placesOf(run));
      }),
  };
}
