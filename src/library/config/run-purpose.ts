import { TouchstoneError } from '../../core/errors.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Evaluation } from '../../evaluate/run/evaluation.ts';
import { readFailedCases } from '../../evaluate/run/failed-cases.ts';
import { checkLabel } from '../../evaluate/run/run-label.ts';
import { findRun } from '../../look/queries/runs.ts';
import type { Store } from '../../stores/store.ts';

/** The purpose of a run, besides its config. */
export interface RunPurpose {
  /** The name of the run, by which it can be found; the newest of several that have it. */
  readonly name?: string;
  /** A remark that is shown with the run. */
  readonly note?: string;
  /** The tags of the run, by which lists are filtered: `{ prompt: 'v7' }`. */
  readonly tags?: Readonly<Record<string, string>>;
  /** An earlier run, named as every run is: only its cases that failed or were not measured are asked, again. */
  readonly failedOf?: string;
}

/** The run that is continued, and the command line that asks its questions. */
interface Begun {
  readonly resumed?: Run;
  readonly command?: Run['command'];
}

/**
 * Gives an evaluation the name, the note and the tags of its run, and narrows it to what failed in an earlier one. A run that is resumed keeps those that are not
 * given. Throws `usage-invalid` for a name that would find another run than this one, and `nothing-failed`.
 */
export async function withPurpose(
  evaluation: Evaluation,
  store: Store,
  { resumed, failedOf, command, ...given }: RunPurpose & Begun,
): Promise<Evaluation> {
  const { label, notices } = await checkLabel(given, resumed, store);
  const labelled = {
    ...evaluation,
    label: { ...label, command: resumed?.command ?? command },
    notices: [...(evaluation.notices ?? []), ...notices],
  };
  const named = resumed === undefined ? failedOf : resumed.failedOf;
  return named === undefined ? labelled : await onlyFailed(labelled, await findRun(store, named), store);
}

/** Narrows an evaluation to the cases that any of its targets failed in an earlier run. Throws `nothing-failed`. */
async function onlyFailed(evaluation: Evaluation, earlier: Run, store: Store): Promise<Evaluation> {
  const failed = await readFailedCases(earlier, store);
  const names = withoutConditions(evaluation.targets).map(({ name }) => name);
  if (!names.some((name) => failed.has(name))) {
    const known = [...failed.keys()].join(', ');
    throw new TouchstoneError('usage-invalid', `Run ${earlier.id} did not ask ${names.join(', ')}.`, {
      remedy: `Its targets are ${known}: ask one of them, or name another run: \`--failed RUN\`.`,
    });
  }
  const ids = new Set(names.flatMap((name) => [...(failed.get(name)?.keys() ?? [])]));
  if (ids.size === 0)
    throw new TouchstoneError(
      'nothing-failed',
      `Nothing to ask again: every question of run ${earlier.id} passed.`,
    );
  return {
    ...evaluation,
    failedOf: earlier.id,
    // The gate is about the whole set: it decides nothing here, and ends nothing early.
    gate: { ...evaluation.gate, sequential: false },
    selects: (testCase) => ids.has(testCase.id) && evaluation.selects(testCase),
  };
}
