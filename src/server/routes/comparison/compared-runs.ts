import { z } from 'zod';
import {
  type ComparedRun,
  type KeptRun,
  pickTargets,
  type TargetChoice,
} from '../../../decide/analysis/compare/compared-run.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { findRun } from '../../../look/queries/runs.ts';
import type { Store } from '../../../stores/store.ts';

/** The parameters of every request about two runs. The runs may be named as on the command line. */
export const comparedSchema = z.object({
  a: z.string().default('latest~1'),
  b: z.string().default('latest'),
  /** The targets to compare; those that `touchstone compare` pairs by default. */
  targetA: z.string().optional(),
  targetB: z.string().optional(),
});

export type ComparedRequest = z.output<typeof comparedSchema>;

/** Two runs that a request names, and the targets if it names them. */
export interface ComparedRuns {
  readonly a: KeptRun;
  readonly b: KeptRun;
  readonly targets: TargetChoice | undefined;
}

/** Finds the runs that a request names; see `findRun`. */
export async function findComparedRuns(
  store: Store,
  { a, b, targetA, targetB }: ComparedRequest,
): Promise<ComparedRuns> {
  const find = async (name: string): Promise<KeptRun> => ({ run: await findRun(store, name), store });
  const isChosen = targetA !== undefined && targetB !== undefined;
  return { a: await find(a), b: await find(b), targets: isChosen ? { a: targetA, b: targetB } : undefined };
}

/** Returns the runs with the targets that a request is about: the chosen ones, or the first that belong together. */
export function firstPair({ a, b, targets }: ComparedRuns): [a: ComparedRun, b: ComparedRun] {
  const [pair] = pickTargets(a, b, targets === undefined ? [] : [targets]);
  if (pair !== undefined) return pair;
  throw new TouchstoneError('usage-invalid', 'The runs have no targets to compare.');
}
