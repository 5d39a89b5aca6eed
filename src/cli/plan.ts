import { TouchstoneError } from '../errors.ts';
import { certainOutcomes } from '../analysis/attempts/certain-outcomes.ts';
import { measureSpread } from '../analysis/noise/measure-spread.ts';
import { planSize } from '../analysis/noise/plan-size.ts';
import { withoutConditions } from '../schema/condition.ts';
import type { Run } from '../schema/run.ts';
import { findRun } from './find-run.ts';
import { formatSizePlan } from './format-size-plan.ts';
import { openStore } from './open-store.ts';
import { claimStdout } from './output.ts';
import { jsonDocument } from '../lib/json-document.ts';

/** The options of `touchstone plan`, as the command line gives them. */
export interface PlanFlags {
  /** In per cent points. */
  readonly difference: number;
  /** In per cent. */
  readonly power: number;
  readonly target?: string[];
  readonly json?: boolean;
  readonly store?: string;
}

/** `touchstone plan [run]`: how many questions and attempts it takes to see a difference, from what a past run shows. */
export async function planCommand(given: string | undefined, flags: PlanFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const run = await findRun(store, given);
    const targets = chooseTargets(run, flags.target);
    const measured = await measureSpread(targets, certainOutcomes(run, store.readOutcomes(run.id)));
    if (measured === undefined) throw tooLittle(run, 'fewer than two of its questions have a score');
    const { betweenVariance, withinVariance } = measured.spread;
    if (betweenVariance + (withinVariance ?? 0) === 0) throw tooLittle(run, 'its scores are all alike');
    const question = { difference: flags.difference / 100, power: flags.power / 100, confidence: 0.95 };
    const plan = planSize(run, targets, measured, question);
    await output.write(flags.json === true ? jsonDocument(plan) : formatSizePlan(plan));
    return 0;
  } finally {
    await store.close();
  }
}

/** The two targets to tell apart; the first two of the run, or the only one. */
function chooseTargets(run: Run, named: readonly string[] = []): string[] {
  const known = withoutConditions(run.targets).map(({ name }) => name);
  const unknown = named.find((name) => !known.includes(name));
  if (unknown !== undefined || named.length > 2) {
    const message =
      unknown === undefined
        ? 'A plan is about two targets at most.'
        : `Run ${run.id} has no target named "${unknown}".`;
    throw new TouchstoneError('usage-invalid', message, { remedy: `Choose from ${known.join(', ')}.` });
  }
  return (named.length === 0 ? known : [...named]).slice(0, 2);
}

function tooLittle(run: Run, reason: string): TouchstoneError {
  return new TouchstoneError('usage-invalid', `Run ${run.id} cannot be planned from: ${reason}.`, {
    remedy: 'Name another run, with scores that differ: `touchstone runs` lists them.',
  });
}
