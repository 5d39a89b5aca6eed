import { inBatches } from '../../lib/async-iterables.ts';
import type { PlannedCase, Result } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { TrialSpec } from '../../schema/trial.ts';
import type { RunHead, Store } from '../../stores/store.ts';
import { trialsOfCase } from './plan.ts';
import { isScored } from './resume.ts';

/** Runs that go on with each other over cases that changed: where one has paid for an answer, no other pays for it again. */
export interface Lineage {
  /** Goes on with none that is still there. */
  readonly first: Run;
  /** All but the run that was asked about, the newest first. */
  readonly others: readonly Run[];
  /** Those among them that go on with the run, or with one that does. */
  readonly later: readonly Run[];
}

/** Finds the family of a run. Runs whose plan is not complete have no answers and do not belong to it. */
export async function findLineage(run: Run, store: Store): Promise<Lineage> {
  const heads = (await store.listRuns()).filter(({ id, status }) => id === run.id || status !== 'planning');
  const byId = new Map([...heads, run].map((each) => [each.id, each]));
  const [first] = idsOfAncestors(run, byId).slice(-1);
  const lines = heads.filter(({ id }) => id !== run.id).map((each) => idsOfAncestors(each, byId));
  const read = async (found: readonly string[][]): Promise<Run[]> => {
    const runs = await Promise.all(found.map(async ([id = '']) => await store.readRun(id)));
    return runs.filter((each) => each !== undefined);
  };
  const others = lines.filter((line) => line.at(-1) === first);
  const [oldest = run] = first === run.id ? [] : await read([[first ?? '']]);
  return {
    first: oldest,
    others: await read(others),
    later: await read(others.filter((line) => line.includes(run.id))),
  };
}

/** The ids of a run, the one that it goes on with, and so on. */
function idsOfAncestors(run: RunHead, runs: ReadonlyMap<string, RunHead>): string[] {
  const line = new Set<string>();
  for (let next: RunHead | undefined = run; next !== undefined && !line.has(next.id); ) {
    line.add(next.id);
    next = runs.get(next.continues ?? '');
  }
  return [...line];
}

const batchSize = 100;

/**
 * Gives a run the answers that others of its family have to the same cases, as far as it has none yet: only what was added or
 * changed is left to be asked. The others stay as they are. To be called again when it was ended half way.
 */
export async function reuseAnswers(run: Run, store: Store): Promise<void> {
  for (const other of (await findLineage(run, store)).others) await reuseAnswersOf(other, run, store);
}

async function reuseAnswersOf(other: Run, run: Run, store: Store): Promise<void> {
  const places = await placesOfCases(other, store);
  for await (const cases of inBatches(store.readCases(run.id), batchSize)) {
    const results = await findAnswers(cases, { run, other, places, store });
    await store.addTrials(run.id, results);
    await store.addScores(run.id, results.filter(isScored));
  }
}

/** Where a run has each case, by the hash of its content. */
export async function placesOfCases(run: Run, store: Store): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  for await (const { hash, position } of store.readCases(run.id)) places.set(hash, position);
  return places;
}

interface Plans {
  readonly run: Run;
  readonly other: Run;
  readonly places: ReadonlyMap<string, number>;
  readonly store: Store;
}

/** The answers to some cases that the new run does not have, as trials of it. */
async function findAnswers(
  cases: readonly PlannedCase[],
  { run, other, places, store }: Plans,
): Promise<Result[]> {
  const specs = new Map<string, TrialSpec>();
  const ordinals: number[] = [];
  for (const planned of cases) {
    const position = places.get(planned.hash);
    if (position === undefined) continue;
    for (const spec of trialsOfCase(run, planned)) specs.set(spec.key, spec);
    ordinals.push(...trialsOfCase(other, { ...planned, position }).map(({ ordinal }) => ordinal));
  }
  for (const key of await store.findDone(run.id, [...specs.values()])) specs.delete(key);
  if (specs.size === 0) return [];
  const sorted = ordinals.toSorted((one, other) => one - other);
  const answers: Result[] = [];
  for await (const result of store.readResults(other.id, sorted)) {
    const spec = specs.get(result.trial.key);
    if (spec === undefined || result.trial.status === 'cancelled') continue;
    const { ordinal, case: testCase } = spec;
    answers.push({ ...result, case: testCase, trial: { ...result.trial, ordinal, caseId: testCase.id } });
  }
  return answers;
}
