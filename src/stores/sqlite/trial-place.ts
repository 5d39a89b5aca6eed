import type { PlacedTrial } from './row-codec.ts';

/** What the tables of a run need to know of it. */
export interface OpenRun {
  readonly number: number;
  readonly targets: readonly string[];
  readonly metrics: readonly string[];
  readonly attempts: number;
  /** Whether its scorecard has outcomes. */
  readonly hasOutcomes: boolean;
}

/** A run's cases and trials stand from its number times this on, in the order of the plan. */
const placesPerRun = 2 ** 32;

/** Where the rows of a run begin. */
export function firstPlace({ number }: Pick<OpenRun, 'number'>): number {
  return number * placesPerRun;
}

/** The first and the last place that a run's rows can have. */
export function placesOf(run: Pick<OpenRun, 'number'>): [first: number, last: number] {
  return [firstPlace(run), firstPlace({ number: run.number + 1 }) - 1];
}

/** Where a case stands, by its position, or a trial, by its ordinal. */
export function placeOf(run: Pick<OpenRun, 'number'>, ordinal: number): number {
  return firstPlace(run) + ordinal;
}

/** The opposite of `placeOf`, with all that follows from the place. */
export function trialAt(run: OpenRun, place: number, caseId: string): PlacedTrial {
  const ordinal = place % placesPerRun;
  const target = run.targets[Math.floor(ordinal / run.attempts) % run.targets.length] ?? '';
  return { ordinal, caseId, target, attempt: (ordinal % run.attempts) + 1 };
}
