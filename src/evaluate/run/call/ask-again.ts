import {
  hashAnswer,
  isSaidDeterministic,
  questionsAskedTwice,
} from '../../../decide/analysis/hash-answer.ts';
import type { CasedTrial } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Trial, TrialSpec } from '../../../core/schema/trial.ts';
import { sumKnown, sumUsage } from '../../../core/schema/usage.ts';
import type { TrialMaker } from '../../executors/executor.ts';
import { sumOf } from '../limits/budget-book.ts';
import type { RunControl } from '../limits/run-control.ts';

/** The services with which a question is asked a second time. */
interface AgainNeeds {
  readonly maker: TrialMaker;
  readonly budget: RunControl['budget'];
  /** True for what a batch has answered. */
  readonly isPaid: boolean;
  /** Called with what the user should know. */
  readonly onNotice?: (notice: { readonly message: string }) => void;
}

/**
 * Asks one of the first questions of a target that is said to be deterministic a second time, and returns the trial with whether the
 * answers are equal, and with the usage and cost of both. Any other trial is returned as it is: of several attempts, each shows
 * that by itself, and what a model or an attack asks differs from attempt to attempt.
 */
export async function askAgain(
  made: CasedTrial | undefined,
  spec: TrialSpec,
  run: Pick<Run, 'targets' | 'attempts' | 'settings'>,
  { maker, budget, isPaid, onNotice }: AgainNeeds,
): Promise<CasedTrial | undefined> {
  if (made === undefined || isPaid) return made;
  const { trial } = made;
  const target = run.targets.find(({ name }) => name === spec.target);
  const position = Math.floor(spec.ordinal / run.targets.length);
  const isAskedTwice =
    target !== undefined &&
    isSaidDeterministic(target) &&
    run.attempts === 1 &&
    position < questionsAskedTwice;
  const { user, attack } = spec.case;
  if (!isAskedTwice || trial.status !== 'completed' || user?.goal !== undefined || attack !== undefined)
    return made;
  if (!isAffordable(trial, run, budget)) return made;
  // A bot that remembers keys would give the answer that it gave before.
  const again = await maker.make({ ...spec, key: `${spec.key}-again` });
  if (again === undefined) return made;
  const repeat = compareAnswers(trial, again.trial);
  if (repeat === 'different')
    onNotice?.({
      message: `"${spec.target}" is said to be deterministic, and answered "${spec.case.id}" differently when it was asked again.`,
    });
  const usage = sumUsage([trial, again.trial].flatMap((each) => each.usage ?? []));
  const cost = sumKnown([trial, again.trial].flatMap((each) => each.cost ?? []));
  return { ...made, trial: { ...trial, repeat, usage, cost } };
}

/** Returns whether the cost limit has room for another call as dear as this one beside all that may be under way. */
function isAffordable(
  { cost = 0 }: Trial,
  { targets, settings: { maxCost = Infinity, concurrency } }: Pick<Run, 'targets' | 'settings'>,
  budget: AgainNeeds['budget'],
): boolean {
  const mostUnderWay = concurrency * targets.length + questionsAskedTwice;
  return sumOf(budget.spent()) + cost * (1 + mostUnderWay) <= maxCost;
}

function compareAnswers(first: Trial, second: Trial): NonNullable<Trial['repeat']> {
  if (second.status !== 'completed') return 'failed';
  return hashAnswer(first) === hashAnswer(second) ? 'equal' : 'different';
}
