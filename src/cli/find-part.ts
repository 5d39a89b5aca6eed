import { parseFilter } from '../config/parse-filter.ts';
import { TouchstoneError } from '../errors.ts';
import { nearestName } from '../lib/nearest-name.ts';
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
  /** Ids of cases. */
  readonly case?: readonly string[] | undefined;
  /** Only what did not pass. */
  readonly failed?: boolean | undefined;
}

/** Finds the part of a run that is asked for, without reading answers; undefined for the whole. */
type PartFinder = (run: Run, summary: Summary, store: Store) => Promise<RunPart | undefined>;

/** Reads what narrows a run. Throws `usage-invalid` for a wrong filter. */
export function createPartFinder({ filter = [], case: ids = [], failed = false }: PartChoices): PartFinder {
  const selects = filter.length === 0 ? undefined : parseFilter(filter);
  const named = ids.length === 0 ? [] : [`${ids.length === 1 ? 'case' : 'cases'} ${ids.join(', ')}`];
  const narrowing = [...named, ...filter, ...(failed ? ['what did not pass'] : [])].join(', ');
  return async (run, summary, store) => {
    const parts = [
      ...(ids.length === 0 ? [] : [placesOf(run, await findNamed(run, store, ids))]),
      ...(selects === undefined ? [] : [placesOf(run, await findPositions(run, store, selects))]),
      ...(failed ? [knownFailed(summary) ?? (await findFailed(run, store))] : []),
    ];
    if (parts.length === 0) return undefined;
    return { narrowing, ordinals: parts.reduce(inBoth) };
  };
}

function inBoth(some: readonly number[], others: readonly number[]): number[] {
  const wanted = new Set(some);
  return others.filter((ordinal) => wanted.has(ordinal));
}

/** The positions of cases by their ids, in rising order. Throws `case-not-found`. */
async function findNamed({ id }: Run, store: Store, ids: readonly string[]): Promise<number[]> {
  const positions = new Map<string, number>();
  for await (const { position, case: testCase } of store.readCases(id)) {
    if (!positions.has(testCase.id)) positions.set(testCase.id, position);
  }
  const found = ids.map((name) => positions.get(name) ?? refuseUnknown(name, id, [...positions.keys()]));
  return [...new Set(found)].sort((one, other) => one - other);
}

function refuseUnknown(name: string, runId: string, known: readonly string[]): never {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw new TouchstoneError('case-not-found', `Run ${runId} has no case "${name}".${hint}`, {
    remedy: `List the ids of the cases: \`touchstone show ${runId}\`, or with wildcards: \`--filter 'id=refund-*'\`.`,
  });
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
