import { attemptResult, curtailingRule } from '../../analysis/attempts.ts';
import { type GateRule, sequentialOf } from '../../../core/schema/gate.ts';
import type { Outcome, PlannedCase } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { settleAttempts } from '../../../core/stats/repeats/settle-attempts.ts';
import type { Store } from '../../../stores/store.ts';
import { matchIds } from '../match-ids.ts';

/** The random order of a run's cases, in 8 bytes for each case. */
export interface CaseOrder {
  /** Positions of the plan, with the positions of a unit side by side. */
  readonly positions: Uint32Array;
  /** The index of each unit's beginning in `positions`, followed by the end of the last unit. */
  readonly starts: Uint32Array;
  /** Positions that are asked first, because nothing is certain without them. */
  readonly first: readonly number[];
}

/** Returns the seed of a run's order if it stops once its gate is decided; undefined for any other run. */
export function orderSeed(run: Pick<Run, 'gate' | 'order'>): number | undefined {
  return sequentialOf(run.gate) === undefined ? undefined : run.order?.seed;
}

/** Draws the order of a run: the existing one, otherwise one from the gate's seed or from a new seed. */
export function drawOrder(gate: Run['gate'], known?: Run['order']): Pick<Run, 'order'> {
  if (known !== undefined) return { order: known };
  const options = sequentialOf(gate);
  if (options === undefined) return {};
  return { order: { seed: options.seed ?? (crypto.getRandomValues(new Uint32Array(1))[0] as number) } };
}

/**
 * Returns whether a rule is about all possible cases rather than only the cases of the plan: then cases that share a
 * cluster are one observation.
 */
export function isAboutPopulation(rule: GateRule): boolean {
  return 'confidence' in rule && rule.confidence !== undefined;
}

/**
 * Reads the cases of a run and shuffles them, keeping the cases of a cluster together when a rule needs that. The same
 * seed gives the same order.
 */
export async function readCaseOrder(run: Run, store: Store, seed: number): Promise<CaseOrder> {
  const rules = Object.values(run.gate.rules ?? {});
  const hasUnits = run.gate.baseline !== undefined || rules.some(isAboutPopulation);
  const isFirst = matchIds(rules.flatMap((rule) => (rule.type === 'required-cases' ? rule.ids : [])));
  const unitOf = new Uint32Array(run.dataset.cases);
  const byCluster = new Map<string, number>();
  const first: number[] = [];
  let units = 0;
  for await (const { position, case: testCase } of store.readCases(run.id)) {
    const { id, cluster } = testCase;
    if (isFirst(id)) first.push(position);
    const known = hasUnits && cluster !== undefined ? byCluster.get(cluster) : undefined;
    const unit = known ?? units;
    unitOf[position] = unit;
    if (known !== undefined) continue;
    units += 1;
    if (cluster !== undefined) byCluster.set(cluster, unit);
  }
  return { ...shuffle(unitOf, units, seed), first };
}

/**
 * Shuffles units by the algorithm of Fisher and Yates as given by Durstenfeld (Communications of the ACM 7 (1964)).
 */
function shuffle(unitOf: Uint32Array, units: number, seed: number): Omit<CaseOrder, 'first'> {
  const random = createRandom(seed).fork('case order');
  const placeOf = Uint32Array.from({ length: units }, (_, unit) => unit);
  for (let last = units - 1; last > 0; last -= 1) {
    const other = random.integer(last + 1);
    [placeOf[last], placeOf[other]] = [placeOf[other] as number, placeOf[last] as number];
  }
  const starts = new Uint32Array(units + 1);
  for (const unit of unitOf)
    starts[(placeOf[unit] as number) + 1] = (starts[(placeOf[unit] as number) + 1] as number) + 1;
  for (let place = 1; place <= units; place += 1) {
    starts[place] = (starts[place] as number) + (starts[place - 1] as number);
  }
  const next = starts.slice();
  const positions = new Uint32Array(unitOf.length);
  for (const [position, unit] of unitOf.entries()) {
    const place = placeOf[unit] as number;
    positions[next[place] as number] = position;
    next[place] = (next[place] as number) + 1;
  }
  return { positions, starts };
}

/**
 * Number of cases read at once. Shuffled cases are scattered over the store: the more are read at once, the fewer
 * pages are read for each.
 */
const casesAtOnce = 1000;

/**
 * Yields the cases of a run in the order in which they are asked: the order of the plan, unless the run has a random
 * one.
 */
export async function* readInOrder(run: Run, store: Store): AsyncGenerator<PlannedCase> {
  const seed = orderSeed(run);
  if (seed === undefined) {
    yield* store.readCases(run.id);
    return;
  }
  let page: number[] = [];
  for (const position of positionsToAsk(await readCaseOrder(run, store, seed))) {
    page.push(position);
    if (page.length < casesAtOnce) continue;
    yield* await readPage(run, store, page);
    page = [];
  }
  yield* await readPage(run, store, page);
}

/** Yields required positions first; they still count at their place in the order. */
function* positionsToAsk({ positions, first }: CaseOrder): Generator<number> {
  yield* first;
  const isFirst = new Set(first);
  for (const position of positions) if (!isFirst.has(position)) yield position;
}

async function readPage(run: Run, store: Store, page: readonly number[]): Promise<PlannedCase[]> {
  const found = new Map<number, PlannedCase>();
  const rising = page.toSorted((one, other) => one - other);
  for await (const planned of store.readCases(run.id, rising)) found.set(planned.position, planned);
  return page.map((position) => found.get(position)).filter((planned) => planned !== undefined);
}

/**
 * Creates a gatherer of attempts. In runs whose attempts at a case end once they settle it, it keeps the attempts of
 * a case until then and returns them all with their weights, because a single attempt's weight is not known before.
 * In other runs it returns every trial as it arrives.
 */
export function createAttemptGatherer(run: Run): (outcome: Outcome) => readonly Outcome[] {
  const rule = curtailingRule(run);
  if (rule === undefined) return (outcome) => [outcome];
  const open = new Map<number, Outcome[]>();
  return (outcome) => {
    const place = Math.floor(outcome.trial.ordinal / rule.planned);
    const attempts = [...(open.get(place) ?? []), outcome].toSorted(byOrdinal);
    const { decision, weights } = settleAttempts({ ...rule, results: attempts.map(attemptResult) });
    const notNeeded = rule.planned - attempts.length;
    if (decision === 'continue' && notNeeded > 0) {
      open.set(place, attempts);
      return [];
    }
    open.delete(place);
    return attempts.map((attempt, index) => ({
      ...attempt,
      weight: weights[index] ?? 1,
      ...(index === 0 && { notNeeded }),
    }));
  };
}

function byOrdinal(one: Outcome, other: Outcome): number {
  return one.trial.ordinal - other.trial.ordinal;
}
