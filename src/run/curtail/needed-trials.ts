import type { Run } from '../../schema/run.ts';
import type { TrialSpec } from '../../schema/trial-spec.ts';
import type { Store } from '../../stores/store.ts';
import type { AttemptBoard, ScoredAttempt } from './attempt-board.ts';
import { byCase } from './by-case.ts';

/** What tells which trials are needed, and when. */
export interface TrialNeeds {
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
export async function* neededTrials(
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
