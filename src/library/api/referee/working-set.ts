import type { TargetVersion } from '../../../core/schema/referee/referee.ts';
import type { Run } from '../../../core/schema/run.ts';
import { compareRuns } from '../../../people/reviews/compare-runs.ts';
import { readRuns, type Store } from '../../../stores/store.ts';
import { openStoreOf } from '../../config/open-store-of.ts';
import type { RefereeProject } from './open-project.ts';

/** The difference of two versions on the working set, by their newest runs. */
export interface WorkingSetChange {
  readonly questions: number;
  /** Shares that passed, or mean scores. */
  readonly before: number;
  readonly after: number;
  readonly lower: number | null;
  readonly upper: number | null;
  /** The share of questions that the candidate breaks. */
  readonly broken: number;
}

/** Compares two versions on the working set; undefined when one of them has no complete run of it. */
export async function compareWorkingSets(
  { config, workspace, setting }: RefereeProject,
  incumbent: TargetVersion,
  candidate: TargetVersion,
): Promise<WorkingSetChange | undefined> {
  if (incumbent.fingerprint === candidate.fingerprint) return undefined;
  await using store = disposable(openStoreOf({ config, folder: workspace }, { opening: 'existing' }));
  const [before, after] = [
    await findRunOf(store.store, incumbent.fingerprint),
    await findRunOf(store.store, candidate.fingerprint),
  ];
  if (before === undefined || after === undefined) return undefined;
  const targets = [{ a: before.target, b: after.target }];
  const runs = before.run.id === after.run.id ? [before.run] : [before.run, after.run];
  try {
    const kept = runs.map((run) => ({ run, store: store.store }));
    const { comparisons } = await compareRuns(kept, { targets, flips: 0 });
    const row = comparisons[0]?.differences.find(({ measure }) => measure === setting.measure);
    if (row === undefined || row.meanA === null || row.meanB === null) return undefined;
    const { difference, lower: broken } = row;
    return {
      questions: difference.n,
      before: row.meanA,
      after: row.meanB,
      lower: difference.lower,
      upper: difference.upper,
      broken: difference.n === 0 ? 0 : broken / difference.n,
    };
  } catch {
    // What the runs of the workspace say is not part of the answer: an old or edited run there must not keep it back.
    return undefined;
  }
}

function disposable(store: Store): { readonly store: Store } & AsyncDisposable {
  return { store, [Symbol.asyncDispose]: async () => await store.close() };
}

async function findRunOf(
  store: Store,
  fingerprint: string,
): Promise<{ readonly run: Run; readonly target: string } | undefined> {
  for await (const run of readRuns(store)) {
    const target = run.targets.find(
      (each) => each.fingerprint === fingerprint && each.condition === undefined,
    );
    if (target !== undefined && run.status === 'completed' && run.failedOf === undefined)
      return { run, target: target.name };
  }
  return undefined;
}
