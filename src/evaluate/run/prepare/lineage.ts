import { inBatches } from '../../../core/lib/async-iterables.ts';
import type { PlannedCase, Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { TrialSpec } from '../../../core/schema/trial.ts';
import type { RunHead } from '../../../core/schema/api/run-head.ts';
import type { Store } from '../../../stores/store.ts';
import { trialsOfCase } from './trials-of-case.ts';
import { haveSameRules, isScored } from './resume.ts';

/**
 * The runs that continue each other over changing cases. An answer that one of them has paid for is not paid for again
 * by any other.
 */
export interface Lineage {
  /** The oldest run of the lineage that still exists. */
  readonly first: Run;
  /** All runs of the lineage except the one it was found for, newest first. */
  readonly others: readonly Run[];
  /** The runs among them that continue that run, directly or through others. */
  readonly later: readonly Run[];
}

/** Finds the lineage of a run. Runs whose plan is incomplete have no answers and do not belong to it. */
export async function findLineage(run: Run, store: Store): Promise<Lineage> {
  const heads = (await store.listRuns()).filter(({ id, status }) => id === run.id || status !== 'planning');
  const byId = new Map([...heads, run].map((each): [string, Descendant] => [each.id, each]));
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

type Descendant = Pick<RunHead, 'id' | 'continues'>;

/** Returns the ids of a run, of the run that it continues, and so on to the oldest. */
function idsOfAncestors(run: Descendant, runs: ReadonlyMap<string, Descendant>): string[] {
  const line = new Set<string>();
  for (let next: Descendant | undefined = run; next !== undefined && !line.has(next.id); ) {
    line.add(next.id);
    next = runs.get(next.continues ?? '');
  }
  return [...line];
}

const batchSize = 100;

/**
 * Copies the answers of the other runs of the lineage to the cases that this run has in common with them and has not
 * answered yet, so that only added or changed cases are left to ask; their scores, where both runs have the same rules. The other runs stay unchanged. Call it again when
 * it was interrupted.
 */
export async function reuseAnswers(run: Run, store: Store): Promise<void> {
  for (const other of (await findLineage(run, store)).others) await reuseAnswersOf(other, run, store);
}

async function reuseAnswersOf(other: Run, run: Run, store: Store): Promise<void> {
  // The seed is a part of what a target is asked.
  if (other.seed !== run.seed) return;
  const hasScores = haveSameRules(other, run);
  const places = await placesOfCases(other, store);
  for await (const cases of inBatches(store.readCases(run.id), batchSize)) {
    const results = await findAnswers(cases, { run, other, places, store });
    await store.addTrials(run.id, results);
    if (hasScores) await store.addScores(run.id, results.filter(isScored));
  }
}

/** Maps the content hash of each case of a run to its position in the plan. */
export async function placesOfCases(run: Run, store: Store): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  for await (const { hash, position } of store.readCases(run.id)) places.set(hash, position);
  return places;
}

interface ReuseContext {
  readonly run: Run;
  readonly other: Run;
  readonly places: ReadonlyMap<string, number>;
  readonly store: Store;
}

/** Returns the answers that the new run lacks to some cases, as trials of the new run. */
async function findAnswers(
  cases: readonly PlannedCase[],
  { run, other, places, store }: ReuseContext,
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
