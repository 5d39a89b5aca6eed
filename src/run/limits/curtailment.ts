import { attemptResult, curtailingRule } from '../../analysis/attempts.ts';
import type { Run } from '../../schema/run.ts';
import type { ScorecardResult } from '../../schema/verdict.ts';
import type { ScoredTrial } from '../../schema/result.ts';
import type { TrialSpec } from '../../schema/trial.ts';
import { type AttemptRule, settleAttempts } from '../../stats/repeats/settle-attempts.ts';
import type { Store } from '../../stores/store.ts';

/** Keeps a run from making attempts that cannot change the verdict on their case. */
export interface Curtailment {
  /**
   * Of trials that are not made yet, those of a case side by side: the ones that are needed, when they are. Ends once the
   * run is stopped.
   */
  needed(pending: AsyncIterable<TrialSpec>, stop: AbortSignal): AsyncIterable<TrialSpec>;
  /** Trials were scored. */
  tell(scored: readonly ScoredAttempt[]): void;
}

/** What curtailing works with. */
export interface CurtailmentNeeds {
  readonly store: Pick<Store, 'readResults'>;
  /** Told how many trials are not going to be made. */
  readonly onNotNeeded: (trials: number) => void;
}

/** Curtails a run by its rule; without one, every trial is needed. */
export function createCurtailment(run: Run, { store, onNotNeeded }: CurtailmentNeeds): Curtailment {
  const rule = curtailingRule(run);
  if (rule === undefined || run.scorecard === null) return everyTrial;
  const boards = new Set<AttemptBoard>();
  /** Attempts of an earlier part of the run that were scored before their case was taken up again. */
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
    tell: (scored) => {
      for (const attempt of scored) {
        const isOpen = Array.from(boards, (board) => board.tell(attempt)).some(Boolean);
        if (!isOpen) early.set(attempt.trial.ordinal, inShort(attempt));
      }
      wakeAll();
    },
  };
}

/** Without the answer, which may be long. */
function inShort({ trial, scorecard }: ScoredAttempt): ScoredAttempt {
  const { ordinal, attempt, status } = trial;
  const passed = scorecard && { total: scorecard.total, passed: scorecard.passed };
  return { trial: { ordinal, attempt, status }, scorecard: passed };
}

/** Of a run that is not curtailed. */
const everyTrial: Curtailment = {
  needed: (pending) => pending,
  tell: () => {},
};

/** What tells which trials are needed, and when. */
interface TrialNeeds {
  readonly run: Run;
  readonly store: Pick<Store, 'readResults'>;
  readonly board: AttemptBoard;
  /** Attempts by their ordinals that were scored before their case was begun with here. */
  readonly early: ReadonlyMap<number, ScoredAttempt>;
  /** Nothing is needed any more. */
  readonly ends: AbortSignal;
  /** Resolves once the board may have been told something, or nothing is needed any more. */
  readonly changed: () => Promise<void>;
}

/**
 * Of trials that are not made yet, those that are needed, as soon as they are. Cases that have been begun come before new
 * ones, and new ones are begun as long as none of these can go on.
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
      else await open(next.value, needs);
    } else if (board.isWaiting()) await changed();
    else return;
  }
}

/** Begins with the attempts of one target at a case; those that were made before are told. */
async function open(pending: readonly TrialSpec[], { run, store, board, early }: TrialNeeds): Promise<void> {
  // First of all: what is scored from here on is told to the board itself.
  board.open(pending);
  const made = madeBefore(run, pending);
  if (made.length === 0) return;
  for (const ordinal of made) {
    const scored = early.get(ordinal);
    if (scored !== undefined) board.tell(scored);
  }
  for await (const result of store.readResults(run.id, made)) {
    const isScored = result.scorecard !== null || result.trial.status === 'failed';
    if (isScored && !early.has(result.trial.ordinal)) board.tell(result);
  }
}

/** The ordinals of the attempts at the same case by the same target that are not pending. */
function madeBefore({ attempts }: Pick<Run, 'attempts'>, pending: readonly TrialSpec[]): number[] {
  const [first] = pending;
  if (first === undefined || pending.length === attempts) return [];
  const start = first.ordinal - (first.attempt - 1);
  const open = new Set(pending.map(({ ordinal }) => ordinal));
  return Array.from({ length: attempts }, (_, place) => start + place).filter(
    (ordinal) => !open.has(ordinal),
  );
}

/**
 * Trials in groups: the attempts of one target at one case. Those of a case stand side by side, in the order of
 * their first attempts.
 */
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

/** An attempt that was scored. */
interface ScoredAttempt {
  readonly trial: Pick<ScoredTrial['trial'], 'ordinal' | 'attempt' | 'status'>;
  readonly scorecard: Pick<ScorecardResult, 'total' | 'passed'> | null;
}

/** What is known of the attempts at the cases that are being tried. */
interface AttemptBoard {
  /**
   * Begins with a case: the attempts of one target at it that are still to be made. All others were made before, and are
   * told sooner or later.
   */
  open(pending: readonly TrialSpec[]): void;
  /** An attempt was scored. False where nothing is known of its case, which has not begun or is settled. */
  tell(scored: ScoredAttempt): boolean;
  /** The next attempt that has to be made whatever comes of those under way; undefined while there is none. */
  take(): TrialSpec | undefined;
  /** Whether attempts are under way that others may depend on. */
  isWaiting(): boolean;
}

interface OpenCase {
  readonly pending: ReadonlyMap<number, TrialSpec>;
  /** By attempt: whether it passed, null where that was not measured. */
  readonly results: Map<number, boolean | null>;
  /** Attempts that are needed so far: from the first to this one. */
  needed: number;
}

/**
 * Decides which attempts are made. Of every case so many are made at a time as it takes at least to settle its verdict, so
 * that none is made in vain and the result is the same as if they were made one after the other.
 * @param onSpared - Told how many attempts at a case are not going to be made.
 */
function createAttemptBoard(rule: AttemptRule, onSpared: (attempts: number) => void): AttemptBoard {
  const cases = new Map<number, OpenCase>();
  const ready: TrialSpec[] = [];
  const placeOf = ({ ordinal }: Pick<TrialSpec, 'ordinal'>) => Math.floor(ordinal / rule.planned);

  const goOn = (place: number, open: OpenCase): void => {
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
      goOn(placeOf(first), open);
    },
    tell: (scored) => {
      const place = placeOf(scored.trial);
      const open = cases.get(place);
      if (open === undefined) return false;
      open.results.set(scored.trial.attempt, attemptResult(scored));
      goOn(place, open);
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

/** How many more attempts it takes at least to settle the verdict; 0 when it is. */
function leastNeeded(results: readonly (boolean | null)[], rule: AttemptRule): number {
  if (settleAttempts({ ...rule, results }).decision !== 'continue') return 0;
  const count = (wanted: boolean) => results.filter((result) => result === wanted).length;
  return Math.min(rule.required - count(true), rule.planned - rule.required + 1 - count(false));
}
