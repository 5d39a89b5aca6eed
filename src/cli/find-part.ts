import { parseFilter } from '../config/parse-filter.ts';
import type { Case } from '../schema/case.ts';
import { isUnresolved, markOf } from '../schema/mark.ts';
import type { Outcome } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { areWhole } from '../schema/selection.ts';
import type { Summary } from '../schema/summary.ts';
import type { Store } from '../stores/store.ts';
import type { RunPart } from './write-report.ts';

/** What narrows a run. */
export interface PartChoices {
  readonly filter?: readonly string[] | undefined;
  /** Only what did not pass. */
  readonly failed?: boolean | undefined;
}

/** Finds the part of a run that is asked for, without reading answers; undefined for the whole. */
type PartFinder = (run: Run, summary: Summary, store: Store) => Promise<RunPart | undefined>;

/** Reads what narrows a run. Throws `usage-invalid` for a wrong filter. */
export function createPartFinder({ filter = [], failed = false }: PartChoices): PartFinder {
  const selects = filter.length === 0 ? undefined : parseFilter(filter);
  const narrowing = [...filter, ...(failed ? ['what did not pass'] : [])].join(', ');
  return async (run, summary, store) => {
    const selected = selects && placesOf(run, await findPositions(run, store, selects));
    const ofFailed = failed ? (knownFailed(summary) ?? (await findFailed(run, store))) : undefined;
    const ordinals = selected && ofFailed ? inBoth(selected, ofFailed) : (selected ?? ofFailed);
    return ordinals && { narrowing, ordinals };
  };
}

function inBoth(some: readonly number[], others: readonly number[]): number[] {
  const wanted = new Set(some);
  return others.filter((ordinal) => wanted.has(ordinal));
}

/** The positions of the cases that a filter selects. */
async function findPositions(
  { id }: Run,
  store: Store,
  selects: (testCase: Case) => boolean,
): Promise<number[]> {
  const positions: number[] = [];
  for await (const { position, case: testCase } of store.readCases(id)) {
    if (selects(testCase)) positions.push(position);
  }
  return positions;
}

/** Where the trials of cases stand in the plan. */
function placesOf({ targets, attempts }: Run, positions: readonly number[]): number[] {
  const ofCase = targets.length * attempts;
  return positions.flatMap((position) =>
    Array.from({ length: ofCase }, (_, place) => position * ofCase + place),
  );
}

/** Where the trials stand that did not pass, if the numbers of the run say it; else undefined. */
function knownFailed({ targets }: Summary): number[] | undefined {
  const unresolved = targets.map(({ selection }) => selection.unresolved);
  if (!unresolved.every(areWhole)) return undefined;
  return unresolved.flatMap(({ ordinals }) => ordinals).sort((one, other) => one - other);
}

async function findFailed(run: Run, store: Store): Promise<number[]> {
  const ordinals: number[] = [];
  const add = (outcome: Outcome): void => {
    if (isUnresolved(markOf(run, outcome))) ordinals.push(outcome.trial.ordinal);
  };
  for await (const outcomes of store.readOutcomes(run.id)) outcomes.forEach(add);
  return ordinals;
}
