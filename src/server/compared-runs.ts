import { z } from 'zod';
import {
  type ComparedRun,
  type KeptRun,
  pickTargets,
  type TargetChoice,
} from '../analysis/compare/compared-run.ts';
import { TouchstoneError } from '../errors.ts';
import { findRun } from '../queries/runs.ts';
import { withoutConditions } from '../schema/condition.ts';
import type { Store } from '../stores/store.ts';

/** The parameters of every request about two runs. The runs may be named as on the command line. */
export const comparedSchema = z.object({
  a: z.string().default('latest~1'),
  b: z.string().default('latest'),
  /** The targets to compare; those that `touchstone compare` pairs when left out. */
  targetA: z.string().optional(),
  targetB: z.string().optional(),
});

/** Two runs that a request names, and the targets if it names them. */
export interface ComparedRuns {
  readonly a: KeptRun;
  readonly b: KeptRun;
  readonly targets: TargetChoice | undefined;
}

/** Finds the runs that a request names: by an id or a part of it, `latest`, `latest~1`, or the name of a baseline. */
export async function findComparedRuns(
  store: Store,
  { a, b, targetA, targetB }: z.output<typeof comparedSchema>,
): Promise<ComparedRuns> {
  const find = async (name: string): Promise<KeptRun> => {
    const id = (await store.readBaseline(name))?.run.id ?? name;
    return { run: await findRun(store, id), store };
  };
  const isChosen = targetA !== undefined && targetB !== undefined;
  return { a: await find(a), b: await find(b), targets: isChosen ? { a: targetA, b: targetB } : undefined };
}

/** Returns the runs with the targets that a request is about: the chosen ones, or the first that belong together. */
export function firstPair({ a, b, targets }: ComparedRuns): [a: ComparedRun, b: ComparedRun] {
  const [pair] = pickTargets(a, b, targets === undefined ? [] : [targets]);
  if (pair !== undefined) return pair;
  throw new TouchstoneError('usage-invalid', 'The runs have no targets to compare.');
}

/**
 * Returns whether targets are compared without being named: then their p-values are corrected together with those of the
 * other targets.
 */
export function isUsualChoice({ a, b, targets }: ComparedRuns): boolean {
  if (targets === undefined) return true;
  if (a.run.id === b.run.id) return false;
  const [namesA, namesB] = [a, b].map(({ run }) => withoutConditions(run.targets).map(({ name }) => name));
  if (namesA === undefined || namesB === undefined) return false;
  const isSame = targets.a === targets.b || (namesA.length === 1 && namesB.length === 1);
  return isSame && namesA.includes(targets.a) && namesB.includes(targets.b);
}
