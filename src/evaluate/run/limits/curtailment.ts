import { attemptResult, curtailingRule } from '../../../decide/analysis/attempts.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { ScorecardResult } from '../../../core/schema/verdict.ts';
import type { ScoredTrial } from '../../../core/schema/result.ts';
import type { TrialSpec } from '../../../core/schema/trial.ts';
import { type AttemptRule, settleAttempts } from '../../../core/stats/repeats/settle-attempts.ts';
import type { Store } from '../../../stores/store.ts';

/** A curtailment, which spares a run the attempts that cannot change the verdict on their case. */
export interface Curtailment {
  /**
   * Yields the pending trials that are needed, as soon as they are known to be needed. The pending trials of a
   * case must stand side by side. Ends once the run is stopped.
   */
  needed(pending: AsyncIterable<TrialSpec>, stop: AbortSignal): AsyncIterable<TrialSpec>;
  /** Adds scored trials, which decide which others are needed. */
  add(scored: readonly ScoredAttempt[]): void;
}

/** The services that a curtailment uses. */
export interface CurtailmentNeeds {
  readonly store: Pick<Store, 'readResults'>;
  /** Called with the number of trials that are not going to be made. */
  readonly onNotNeeded: (trials: number) => void;
}

/** Creates the curtailment of a run by its case rule. Without a rule that allows it, every trial is needed. */
export function createCurtailment(run: Run, { store, onNotNeeded }: CurtailmentNeeds): Curtailment {
  const rule = curtailingRule(run);
  if (rule === undefined || run.scorecard === null) return everyTrial;
  const boards = new Set<AttemptBoard>();
  /** Attempts of an earlier part of the run that were scored before their case was opened here, by ordinal. */
  const early = new Map<number, ScoredAttempt>();
  let wake = Promise.withResolvers<void>();
  const wakeAll = () => {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };

  return {
    needed: (pending, stop) => {
      const board = createAttemptBoard(rule, onNotNeeded);
      boards.add(board);
      stop.addEventListener('abort', wakeAll, { once: true });
      return neededTrials(pending, {
        run,
        store,
        board,
        early,
        ends: stop,
        changed: async () => await wake.promise,
      });
    },
    add: (scored) => {
      for (const attempt of scored) {
        const isOpen = Array.from(boards, (board) => board.add(attempt)).some(Boolean);
        if (!isOpen) early.set(attempt.trial.ordinal, withoutAnswer(attempt));
      }
      wakeAll();
    },
  };
}

/** Returns an attempt without its answer, which may be long. */
function withoutAnswer({ trial, scorecard }: ScoredAttempt): ScoredAttempt {
  const { ordinal, attempt, status } = trial;
  const passed = scorecard && { total: scorecard.total, passed: scorecard.passed };
  return { trial: { ordinal, attempt, status }, scorecard: passed };
}

/** The curtailment of a run in which every trial is needed. */
const everyTrial: Curtailment = {
  needed: (pending) => pending,
  add: () => {},
};

/** The inputs of the search for needed trials. */
interface TrialNeeds {
  readonly run: Run;
  readonly store: Pick<Store, 'readResults'>;
  readonly board: AttemptBoard;
  /** Attempts that were scored before their case was opened here, by ordinal. */
  readonly early: ReadonlyMap<number, ScoredAttempt>;
  /** Aborted when nothing is needed any more. */
  readonly ends: AbortSignal;
  /** Resolves once the board may have changed, or nothing is needed any more. */
  readonly changed: () => Promise<void>;
}

/**
 * Yields the pending trials that are needed, as soon as they are. Cases that have been opened come first; new
 * cases are opened while none of these can continue.
 */
async function* neededTrials(
  pending: AsyncIterable<TrialSpec>,
  needs: TrialNeeds,
): AsyncGenerator<TrialSpec> {
  const { run, board, ends, changed } = needs;
  const cases = byCase(run, pending);
  let isOver = false;
  while (!ends.aborted) {
    const spec = board.take();
    if (spec !== undefined) yield spec;
    else if (!isOver) {
      const next = await cases.next();
      if (next.done === true) isOver = true;
      else await openCase(next.value, needs);
    } else if (board.isWaiting()) await changed();
    else return;
  }
}

/** Opens a case for one target on the board, and adds the attempts that were made before. */
async function openCase(
  pending: readonly TrialSpec[],
  { run, store, board, early }: TrialNeeds,
): Promise<void> {
  // The case is opened first, so that attempts scored from here on reach the board directly.
  board.open(pending);
  const made = madeBefore(run, pending);
  if (made.length === 0) return;
  for (const ordinal of made) {
    const scored = early.get(ordinal);
    if (scored !== undefined) board.add(scored);
  }
  for await (const result of store.readResults(run.id, made)) {
    const isScored = result.scorecard !== null || result.trial.status === 'failed';
    if (isScored && !early.has(result.trial.ordinal)) board.add(result);
  }
}

/** Returns the ordinals of the attempts of the same target at the same case that are not pending. */
function madeBefore({ attempts }: Pick<Run, 'attempts'>, pending: readonly TrialSpec[]): number[] {
  const [first] = pending;
  if (first === undefined || pending.length === attempts) return [];
  const start = first.ordinal - (first.attempt - 1);
  const open = new Set(pending.map(({ ordinal }) => ordinal));
  return Array.from({ length: attempts }, (_, place) => start + place).filter(
    (ordinal) => !open.has(ordinal),
  );
}

/** Groups trials by case and target. The groups of a case stand side by side, in the order of their first attempts. */
async function* byCase(
  { targets, attempts }: Pick<Run, 'targets' | 'attempts'>,
  trials: AsyncIterable<TrialSpec>,
): AsyncGenerator<TrialSpec[]> {
  let ofCase: TrialSpec[] = [];
  const caseOf = ({ ordinal }: TrialSpec) => Math.floor(ordinal / (targets.length * attempts));
  for await (const spec of trials) {
    const [first] = ofCase;
    if (first !== undefined && caseOf(first) !== caseOf(spec)) {
      yield* byTarget(ofCase);
      ofCase = [];
    }
    ofCase.push(spec);
  }
  yield* byTarget(ofCase);
}

function byTarget(trials: readonly TrialSpec[]): TrialSpec[][] {
  return [...Map.groupBy(trials, ({ target }) => target).values()];
}

/** A scored attempt. */
interface ScoredAttempt {
  readonly trial: Pick<ScoredTrial['trial'], 'ordinal' | 'attempt' | 'status'>;
  readonly scorecard: Pick<ScorecardResult, 'total' | 'passed'> | null;
}

/** A board of the attempts at all open cases, which decides which attempt is made next. */
interface AttemptBoard {
  /**
   * Opens a case for one target with the attempts that are still to be made. All other attempts were made before and
   * are added sooner or later.
   */
  open(pending: readonly TrialSpec[]): void;
  /** Adds a scored attempt. Returns false when its case is not open, because it has not begun or is settled. */
  add(scored: ScoredAttempt): boolean;
  /**
   * Takes the next attempt that has to be made whatever the outcome of those under way; undefined while there is none.
   */
  take(): TrialSpec | undefined;
  /** Returns true while attempts are under way that others may depend on. */
  isWaiting(): boolean;
}

interface OpenCase {
  readonly pending: ReadonlyMap<number, TrialSpec>;
  /** The results by attempt number: true when it passed, null when that was not measured. */
  readonly results: Map<number, boolean | null>;
  /** The number of attempts that are needed so far, counted from the first. */
  needed: number;
}

/**
 * Creates a board. It makes as many attempts at a case at a time as are needed at least to settle the verdict, so that
 * none is made in vain and the result is the same as if they were made one after the other.
 * @param onSpared - Called with the number of attempts at a case that are not going to be made.
 */
function createAttemptBoard(rule: AttemptRule, onSpared: (attempts: number) => void): AttemptBoard {
  const cases = new Map<number, OpenCase>();
  const ready: TrialSpec[] = [];
  const placeOf = ({ ordinal }: Pick<TrialSpec, 'ordinal'>) => Math.floor(ordinal / rule.planned);

  const startNextRound = (place: number, open: OpenCase): void => {
    while (isRoundOver(open)) {
      const results = Array.from({ length: open.needed }, (_, index) => open.results.get(index + 1) ?? null);
      const more = Math.min(leastNeeded(results, rule), rule.planned - open.needed);
      if (more === 0) {
        cases.delete(place);
        const spared = open.pending.keys().filter((attempt) => attempt > open.needed);
        onSpared(Array.from(spared).length);
        return;
      }
      for (let attempt = open.needed + 1; attempt <= open.needed + more; attempt += 1) {
        const spec = open.pending.get(attempt);
        if (spec !== undefined) ready.push(spec);
      }
      open.needed += more;
    }
  };

  return {
    open: (pending) => {
      const [first] = pending;
      if (first === undefined) return;
      const open = {
        pending: new Map(pending.map((spec) => [spec.attempt, spec])),
        results: new Map<number, boolean | null>(),
        needed: 0,
      };
      cases.set(placeOf(first), open);
      startNextRound(placeOf(first), open);
    },
    add: (scored) => {
      const place = placeOf(scored.trial);
      const open = cases.get(place);
      if (open === undefined) return false;
      open.results.set(scored.trial.attempt, attemptResult(scored));
      startNextRound(place, open);
      return true;
    },
    take: () => ready.shift(),
    isWaiting: () => cases.size > 0,
  };
}

function isRoundOver({ results, needed }: OpenCase): boolean {
  for (let attempt = 1; attempt <= needed; attempt += 1) if (!results.has(attempt)) return false;
  return true;
}

/** Returns the least number of further attempts that can settle the verdict; 0 when it is settled. */
function leastNeeded(results: readonly (boolean | null)[], rule: AttemptRule): number {
  if (settleAttempts({ ...rule, results }).decision !== 'continue') return 0;
  const count = (wanted: boolean) => results.filter((result) => result === wanted).length;
  return Math.min(rule.required - count(true), rule.planned - rule.required + 1 - count(false));
}
