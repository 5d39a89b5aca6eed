import { TouchstoneError } from '../errors.ts';
import { nearestName } from '../lib/text/nearest-name.ts';
import type { Case } from '../schema/case.ts';
import { isUnresolved, type Outcome, outcomeOfTrial } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { areWhole } from '../schema/selection.ts';
import type { Summary } from '../schema/summary.ts';
import type { Store } from '../stores/store.ts';

/** The conditions that select trials of a run; a trial must meet all of them. */
export interface PartRules {
  /** The filter of cases. */
  readonly selects?: ((testCase: Case) => boolean) | undefined;
  /** The ids of the selected cases. */
  readonly cases?: readonly string[];
  /** True to select only trials that did not pass. */
  readonly failed?: boolean;
}

/**
 * Returns the ordinals of the trials that the given rules select, without reading answers; undefined when there is no rule.
 * Throws `case-not-found` for an unknown id.
 */
export async function findPart(
  { run, summary, store }: { readonly run: Run; readonly summary: Summary; readonly store: Store },
  { selects, cases = [], failed = false }: PartRules,
): Promise<number[] | undefined> {
  const parts = [
    ...(cases.length === 0 ? [] : [placesOf(run, await findNamed(run, store, cases))]),
    ...(selects === undefined ? [] : [placesOf(run, await findPositions(run, store, selects))]),
    ...(failed ? [knownFailed(summary) ?? (await findFailed(run, store))] : []),
  ];
  return parts.length === 0 ? undefined : parts.reduce(inBoth);
}

function inBoth(some: readonly number[], others: readonly number[]): number[] {
  const wanted = new Set(some);
  return others.filter((ordinal) => wanted.has(ordinal));
}

/** Returns the positions of the cases with the given ids, in rising order. Throws `case-not-found`. */
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

/** Returns the positions of the cases that a filter selects. */
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

/** Returns the ordinal of a trial; undefined for a target or an attempt that the run does not have. */
export function placeOf(
  { targets, attempts }: Run,
  {
    position,
    target,
    attempt,
  }: { readonly position: number; readonly target: string | undefined; readonly attempt: number },
): number | undefined {
  const index = targets.findIndex(({ name }) => name === target);
  const isPlanned = index >= 0 && Number.isInteger(attempt) && attempt >= 1 && attempt <= attempts;
  return isPlanned ? (position * targets.length + index) * attempts + attempt - 1 : undefined;
}

/** Returns the ordinals of all trials of the cases at the given positions. */
function placesOf({ targets, attempts }: Run, positions: readonly number[]): number[] {
  const ofCase = targets.length * attempts;
  return positions.flatMap((position) =>
    Array.from({ length: ofCase }, (_, place) => position * ofCase + place),
  );
}

/** Returns the ordinals of the trials that did not pass if the summary lists all of them; else undefined. */
function knownFailed({ targets }: Summary): number[] | undefined {
  const unresolved = targets.map(({ selection }) => selection.unresolved);
  if (!unresolved.every(areWhole)) return undefined;
  return unresolved.flatMap(({ ordinals }) => ordinals).sort((one, other) => one - other);
}

async function findFailed(run: Run, store: Store): Promise<number[]> {
  const ordinals: number[] = [];
  const add = (outcome: Outcome): void => {
    if (isUnresolved(outcomeOfTrial(run, outcome))) ordinals.push(outcome.trial.ordinal);
  };
  for await (const outcomes of store.readOutcomes(run.id)) outcomes.forEach(add);
  return ordinals;
}
