import { readInOrder } from '../../../decide/gate/watch/case-order.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import { readAhead } from '../../../core/lib/async-iterables.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { TrialSpec } from '../../../core/schema/trial.ts';
import type { Store } from '../../../stores/store.ts';
import { trialsOfCase } from './trials-of-case.ts';
import { type PlanPart, positionsOf } from './plan-parts.ts';

/** So many trials are looked for in the store at a time. */
const trialsAtOnce = 200;

/**
 * Yields the trials that some targets still have to make, in the order of the cases in the plan or in the order of the
 * run. At least as many trials as are made at a time are read ahead.
 * @param part - The part of the plan to look at; all of it by default.
 */
export function pendingTrials(
  run: Run,
  targets: ReadonlySet<string>,
  store: Store,
  part?: PlanPart,
): AsyncIterable<TrialSpec> {
  return readAhead(
    pendingGroups(run, targets, store, part),
    Math.max(trialsAtOnce, run.settings.concurrency),
  );
}

async function* pendingGroups(
  run: Run,
  targets: ReadonlySet<string>,
  store: Store,
  part: PlanPart | undefined,
): AsyncGenerator<TrialSpec[]> {
  let group: TrialSpec[] = [];
  const cases = part === undefined ? readInOrder(run, store) : store.readCases(run.id, positionsOf(part));
  for await (const planned of cases) {
    const specs = trialsOfCase(run, planned).filter((spec) => targets.has(spec.target));
    group.push(...(run.isInterleaved === true ? inTurns(run, planned.position, specs) : specs));
    if (group.length < trialsAtOnce) continue;
    yield await dropDone(run, group, store);
    group = [];
  }
  yield await dropDone(run, group, store);
}

async function dropDone(run: Run, specs: readonly TrialSpec[], store: Store): Promise<TrialSpec[]> {
  const done = await store.findDone(run.id, specs);
  return specs.filter(({ key }) => !done.has(key));
}

/**
 * Orders the trials of a case so that targets take turns: attempt by attempt, with all targets next to each other. The
 * order within a turn is drawn from the seed of the run, in blocks of as many turns as there are targets, in which each
 * target has each place once (permuted blocks; Zelen, "The randomization and stratification of patients to clinical
 * trials", 1974).
 * @param position - The position of the case in the plan, from 0.
 * @param trials - All trials of that case.
 */
export function inTurns(
  { seed, attempts }: Pick<Run, 'seed' | 'attempts'>,
  position: number,
  trials: readonly TrialSpec[],
): TrialSpec[] {
  const byAttempt = Map.groupBy(trials, ({ attempt }) => attempt);
  return Array.from(byAttempt.entries())
    .toSorted(([one], [other]) => one - other)
    .flatMap(([attempt, turn]) => drawOrder(turn, position * attempts + attempt - 1, seed));
}

/** Rotates the order that was drawn for a block by one target for each of its turns. */
function drawOrder(turn: readonly TrialSpec[], place: number, seed: number): TrialSpec[] {
  const block = Math.floor(place / turn.length);
  const lots = new Map(turn.map((spec) => [spec, hashText(`${seed} ${block} ${spec.target}`)]));
  const lotOf = (spec: TrialSpec) => lots.get(spec) ?? '';
  const drawn = turn.toSorted((one, other) => (lotOf(one) < lotOf(other) ? -1 : 1));
  const first = place % turn.length;
  return [...drawn.slice(first), ...drawn.slice(0, first)];
}
