import type { CasedTrial, Outcome, Result } from '../../schema/result.ts';
import type { PlanPart } from '../store.ts';
import type { CaseTable, KeptCase } from './case-table.ts';
import type { Database } from './database.ts';
import { type KeptTrial, targetAt, toTrial } from './kept-trial.ts';
import type { OpenRun } from './open-run.ts';
import { ordinalAt, pageOf, placeOf, placesPerPage } from './pages/place.ts';
import type { KeptScores, ResultTables } from './result-tables.ts';

/** Where results are longer than this, in characters, fewer are read at a time than a page has. */
const mostCharacters = 8 * 2 ** 20;

/** The first and the last of some ordinals, or of some places. */
type Range = readonly [first: number, last: number];

/** All that is kept of one trial; of its head alone, when only that was read. */
interface KeptResult {
  readonly ordinal: number;
  readonly planned: KeptCase;
  readonly trial: KeptTrial;
  readonly said: KeptScores;
}

/** How much is read, and what is made of it. */
interface Reading<Made> {
  readonly read: 'read' | 'readHeads';
  /** Whether what was said of the trials is not of interest. */
  readonly withoutScores?: boolean;
  make(kept: KeptResult, run: OpenRun): Made;
}

const whole: Reading<Result> = {
  read: 'read',
  make: ({ ordinal, planned, trial, said: { verdicts, scorecard } }, run) => {
    return { case: planned.case, trial: toTrial(trial, ordinal, { planned, run }), verdicts, scorecard };
  },
};

const trialsAlone: Reading<CasedTrial> = {
  read: 'read',
  withoutScores: true,
  make: ({ ordinal, planned, trial }, run) => {
    return { case: planned.case, trial: toTrial(trial, ordinal, { planned, run }) };
  },
};

const numbers: Reading<Outcome> = {
  read: 'readHeads',
  make: ({ ordinal, planned, trial, said: { verdicts, scorecard } }, run) => {
    const caseId = planned.case.id;
    const target = targetAt(ordinal, run);
    return { case: planned.case, trial: { ordinal, caseId, target, ...trial }, verdicts, scorecard };
  },
};

/** Reads the results of a run page by page, so that no read is open while others write. */
export function createResultReader(database: Database, cases: CaseTable, { trials, scores }: ResultTables) {
  function readRange<Made>(
    run: OpenRun,
    range: Range,
    { read, withoutScores = false, make }: Reading<Made>,
  ): Made[] {
    const places = placesOf(run, range);
    return database.read(() => {
      const planned = cases.pages[read](...places.cases);
      const said = withoutScores ? [] : scores[read](...places.scores);
      const kept = trials[read](...places.trials);
      const made: Made[] = [];
      for (const [index, trial] of kept.entries()) {
        const ordinal = range[0] + index;
        const itsCase = planned[caseOf(run, ordinal) - caseOf(run, range[0])];
        if (trial === undefined || itsCase === undefined) continue;
        const scored = said[index] ?? { verdicts: {}, scorecard: null };
        made.push(make({ ordinal, planned: itsCase, trial, said: scored }, run));
      }
      return made;
    });
  }

  /** Parts of a range that are not too much to be read at once. */
  function* portionsOf(run: OpenRun, range: Range): Generator<Range> {
    const places = placesOf(run, range);
    const weight =
      trials.weigh(...places.trials) + scores.weigh(...places.scores) + cases.pages.weigh(...places.cases);
    const step = Math.max(1, Math.floor((placesPerPage * mostCharacters) / Math.max(weight, mostCharacters)));
    const [first, last] = range;
    for (let from = first; from <= last; from += step) yield [from, Math.min(last, from + step - 1)];
  }

  function* readAt<Made>(run: OpenRun, range: Range, reading: Reading<Made>): Generator<Made[]> {
    for (const portion of portionsOf(run, range)) yield readRange(run, portion, reading);
  }

  function* pagesOf(run: OpenRun, { from = 0, to = Infinity }: PlanPart = {}): Generator<Range> {
    for (const page of trials.pages(run.trials, from)) {
      const first = ordinalAt(page);
      if (first >= to) return;
      yield [Math.max(first, from), Math.min(first + placesPerPage, to) - 1];
    }
  }

  return {
    /** Results in groups; at some ordinals, or all. */
    *readResults(run: OpenRun, ordinals?: readonly number[]): Generator<Result[]> {
      if (ordinals === undefined) for (const page of pagesOf(run)) yield* readAt(run, page, whole);
      for (const onPage of Map.groupBy(ordinals ?? [], pageOf).values()) {
        const wanted = new Set(onPage);
        const range = [onPage[0] as number, onPage.at(-1) as number] as const;
        for (const results of readAt(run, range, whole)) {
          yield results.filter(({ trial }) => wanted.has(trial.ordinal));
        }
      }
    },
    *readTrials(run: OpenRun, part?: PlanPart): Generator<CasedTrial[]> {
      for (const page of pagesOf(run, part)) yield* readAt(run, page, trialsAlone);
    },
    *readOutcomes(run: OpenRun, part?: PlanPart): Generator<Outcome[]> {
      for (const page of pagesOf(run, part)) yield readRange(run, page, numbers);
    },
  };
}

/** Where trials at some ordinals, their scores and their cases stand. */
function placesOf(run: OpenRun, [first, last]: Range): Record<'trials' | 'scores' | 'cases', Range> {
  const within = (number: number, from: number, to: number): Range => [
    placeOf(number, from),
    placeOf(number, to),
  ];
  return {
    trials: within(run.trials, first, last),
    scores: within(run.number, first, last),
    cases: within(run.trials, caseOf(run, first), caseOf(run, last)),
  };
}

/** The position of the case of a trial. */
function caseOf({ targets, attempts }: OpenRun, ordinal: number): number {
  return Math.floor(ordinal / (targets.length * attempts));
}
