import type { CasedTrial } from '../../schema/result.ts';
import type { TrialSpec } from '../../schema/trial.ts';
import type { ScoresOfTrial } from '../store.ts';
import type { Database } from './database.ts';
import { isBodyOfTrial, type KeptTrial, toKept } from './kept-trial.ts';
import type { OpenRun } from './open-run.ts';
import { createPageTable } from './pages/page-table.ts';
import type { Placed } from './pages/piece.ts';
import { ordinalAt, placeOf } from './pages/place.ts';

/** Trials as rows of a run that is the owner of its trials. */
export function toRows(run: OpenRun, trials: readonly CasedTrial[]): Placed<KeptTrial>[] {
  return trials.map((cased) => {
    return { place: placeOf(run.trials, cased.trial.ordinal), value: toKept(cased) };
  });
}

/** What is said of a trial, as it is kept. */
export type KeptScores = Pick<ScoresOfTrial, 'verdicts' | 'scorecard'>;

/** The trials of all runs, and what was said of them. */
export function createResultTables(database: Database) {
  const trials = createPageTable<KeptTrial>(database, 'trials', isBodyOfTrial);
  const scores = createPageTable<KeptScores>(database, 'scores', isBodyOfScores);
  const selectSharing = database.prepare('SELECT number FROM runs WHERE trials = ?');

  function removeScores(trialsOf: number, ordinals: readonly number[]): void {
    if (ordinals.length === 0) return;
    for (const { number } of selectSharing.all(trialsOf)) {
      scores.remove(ordinals.map((ordinal) => placeOf(Number(number), ordinal)));
    }
  }

  return {
    trials,
    scores,
    addTrials: (number: number, rows: readonly Placed<KeptTrial>[]): void =>
      removeScores(number, trials.add(rows).map(ordinalAt)),
    findDone: (run: OpenRun, specs: readonly Pick<TrialSpec, 'key' | 'ordinal'>[]): Set<string> => {
      const kept = trials.readAt(specs.map(({ ordinal }) => placeOf(run.trials, ordinal)));
      const keys = new Set(kept.filter(({ status }) => status !== 'cancelled').map(({ key }) => key));
      return new Set(keys.size === 0 ? [] : specs.flatMap(({ key }) => (keys.has(key) ? [key] : [])));
    },
    addScores: (run: OpenRun, added: readonly ScoresOfTrial[]): void => {
      scores.add(
        added.map(({ trial, verdicts, scorecard }) => {
          return { place: placeOf(run.number, trial.ordinal), value: { verdicts, scorecard } };
        }),
      );
    },
  };
}

export type ResultTables = ReturnType<typeof createResultTables>;

const wordsOfVerdict = new Set(['explanation', 'evidence', 'judgements', 'reason']);

/** The words of verdicts and scorecards: `verdicts.keywords.explanation`, `scorecard.explanation`. */
function isBodyOfScores([part, name, word = '']: readonly string[]): boolean {
  return part === 'scorecard' ? name === 'explanation' : wordsOfVerdict.has(word);
}
