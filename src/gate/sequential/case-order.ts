import { attemptResult, curtailingRule } from '../../analysis/attempts.ts';
import { type GateRule, sequentialOf } from '../../schema/gate.ts';
import type { Outcome, PlannedCase } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { createRandom } from '../../stats/random.ts';
import { settleAttempts } from '../../stats/repeats/settle-attempts.ts';
import type { Store } from '../../stores/store.ts';
import { matchIds } from '../rules/required-cases.ts';

/** The random order in which the cases of a run count, in 8 bytes a case. */
export interface CaseOrder {
  /** Positions of the plan, those of a unit side by side. */
  readonly positions: Uint32Array;
  /** Where each unit begins in `positions`, and at last where the last one ends. */
  readonly starts: Uint32Array;
  /** Positions that are asked before all others, since nothing can be certain without them. */
  readonly first: readonly number[];
}

/** The seed of the order of a run that stops once its gate is decided; undefined for any other. */
export function orderSeed(run: Pick<Run, 'gate' | 'order'>): number | undefined {
  return sequentialOf(run.gate) === undefined ? undefined : run.order?.seed;
}

/** The order for a run: the one that it has; else by the seed that its gate names, or a new one. */
export function drawOrder(gate: Run['gate'], known?: Run['order']): Pick<Run, 'order'> {
  if (known !== undefined) return { order: known };
  const options = sequentialOf(gate);
  if (options === undefined) return {};
  return { order: { seed: options.seed ?? (crypto.getRandomValues(new Uint32Array(1))[0] as number) } };
}

/**
 * Whether a rule is about all cases that there could be, not only those of the plan: then cases that share a cluster say
 * one thing together.
 */
export function isAboutPopulation(rule: GateRule): boolean {
  return 'confidence' in rule && rule.confidence !== undefined;
}

/** Shuffles the cases of a run, those of a cluster as one where a rule needs that. The same seed gives the same order. */
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

/** Fisher and Yates, as by Durstenfeld (Communications of the ACM 7 (1964)). */
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

/** In an order of its own, cases lie anywhere in the store: the more are asked for at once, the fewer pages are read for each. */
const casesAtOnce = 1000;

/** The cases of a run in the order in which they are asked: that of the plan, unless it has one of its own. */
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

/** What must be known in any case comes first; it counts in its turn all the same. */
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
 * Where attempts at a case end once they settle it, holds them until they do, and gives them all with their weights: one
 * alone does not say yet how much it counts. Of other runs, every trial is given as it comes.
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
