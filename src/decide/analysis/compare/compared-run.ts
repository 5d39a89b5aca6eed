import { TouchstoneError } from '../../../core/errors.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import type { ComparedSide } from '../../../core/schema/run-comparison.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';

/** A run to compare, with the store that contains it. */
export interface KeptRun {
  readonly run: Run;
  readonly store: Store;
  /**
   * True to read columns in place of records where they say everything: a page is there sooner, but only records are verified by
   * their checksums. What decides, such as a check for regressions, reads records.
   */
  readonly hasColumnsRead?: boolean;
}

/** One target of a run to compare. */
export interface ComparedRun extends KeptRun {
  readonly target: string;
}

/** Describes a run and its target for a comparison. */
export function describeSide({ run, target }: ComparedRun): ComparedSide {
  return {
    run: run.id,
    name: run.name,
    target,
    createdAt: run.createdAt,
    description: run.description,
    sources: run.dataset.sources,
    cases: run.dataset.cases,
    attempts: run.attempts,
  };
}

/** A pair of targets of two runs to compare. */
export interface TargetChoice {
  readonly a: string;
  readonly b: string;
}

/**
 * Pairs the targets of two runs: the chosen ones, otherwise the only ones, otherwise the ones with equal names without a
 * condition. Throws `usage-invalid` when a target does not exist or no targets match.
 */
export function pickTargets(
  a: KeptRun,
  b: KeptRun,
  choices: readonly TargetChoice[] = [],
): [a: ComparedRun, b: ComparedRun][] {
  const pairs = choices.length > 0 ? choices : matchTargets(a.run, b.run);
  return pairs.map((pair) => {
    checkTarget(a.run, pair.a);
    checkTarget(b.run, pair.b);
    return [
      { ...a, target: pair.a },
      { ...b, target: pair.b },
    ];
  });
}

function matchTargets(a: Run, b: Run): TargetChoice[] {
  const [namesA, namesB] = [namesOf(a), namesOf(b)];
  const [onlyA, onlyB] = [namesA[0], namesB[0]];
  if (namesA.length === 1 && namesB.length === 1 && onlyA !== undefined && onlyB !== undefined) {
    return [{ a: onlyA, b: onlyB }];
  }
  const shared = namesA.filter((name) => namesB.includes(name)).map((name) => ({ a: name, b: name }));
  if (shared.length > 0) return shared;
  const listed = `${a.id} has ${namesA.join(', ')}; ${b.id} has ${namesB.join(', ')}`;
  throw new TouchstoneError(
    'usage-invalid',
    `No target of one run has the name of one of the other: ${listed}.`,
    {
      remedy: 'Name the targets to compare: `--target NAME-IN-A=NAME-IN-B`.',
    },
  );
}

function namesOf({ targets }: Run): string[] {
  return withoutConditions(targets).map(({ name }) => name);
}

function checkTarget({ id, targets }: Run, name: string): void {
  if (targets.some((target) => target.name === name)) return;
  const names = targets.map((target) => target.name).join(', ');
  throw new TouchstoneError('usage-invalid', `Run ${id} has no target "${name}"; it has ${names}.`);
}
