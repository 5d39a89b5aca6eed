import { readInOrder } from '../../gate/sequential/case-order.ts';
import { hashText } from '../../lib/content-hash.ts';
import { readAhead } from '../../lib/async-iterables.ts';
import type { Run } from '../../schema/run.ts';
import type { TrialSpec } from '../../schema/trial.ts';
import type { Store } from '../../stores/store.ts';
import { trialsOfCase } from './plan.ts';

/** So many trials are looked for in the store at a time. */
const trialsAtOnce = 200;

/**
 * What is to be asked of some targets: the trials of the plan, in the order of its cases or that of the run, without those
 * that are kept and done. As many as are asked at a time are at hand before they are asked for.
 */
export function pendingTrials(
  run: Run,
  targets: ReadonlySet<string>,
  store: Store,
): AsyncIterable<TrialSpec> {
  return readAhead(pendingGroups(run, targets, store), Math.max(trialsAtOnce, run.settings.concurrency));
}

async function* pendingGroups(
  run: Run,
  targets: ReadonlySet<string>,
  store: Store,
): AsyncGenerator<TrialSpec[]> {
  let group: TrialSpec[] = [];
  for await (const planned of readInOrder(run, store)) {
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
 * The trials of a case in the order in which targets take turns: attempt by attempt, all targets next to each other. Who
 * comes first is drawn by lot from the seed of the run, in blocks of as many turns as there are targets, in which each has
 * each place once (permuted blocks; Zelen, "The randomization and stratification of patients to clinical trials", 1974).
 * @param position - Of the case in the plan, from 0.
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

/** Each turn of a block begins one target further on in the order that was drawn for the block. */
function drawOrder(turn: readonly TrialSpec[], place: number, seed: number): TrialSpec[] {
  const block = Math.floor(place / turn.length);
  const lots = new Map(turn.map((spec) => [spec, hashText(`${seed} ${block} ${spec.target}`)]));
  const lotOf = (spec: TrialSpec) => lots.get(spec) ?? '';
  const drawn = turn.toSorted((one, other) => (lotOf(one) < lotOf(other) ? -1 : 1));
  const first = place % turn.length;
  return [...drawn.slice(first), ...drawn.slice(0, first)];
}
