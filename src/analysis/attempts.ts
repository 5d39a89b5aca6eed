import type { CaseRule } from '../schema/expected.ts';
import type { Outcome } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { type AttemptRule, settleAttempts } from '../stats/repeats/settle-attempts.ts';

/** Whether an attempt passed; null where that was not measured. */
export function attemptResult({
  trial,
  scorecard,
}: {
  readonly trial: Pick<Outcome['trial'], 'status'>;
  readonly scorecard: Pick<NonNullable<Outcome['scorecard']>, 'total' | 'passed'> | null;
}): boolean | null {
  if (trial.status !== 'completed' || scorecard === null || scorecard.total === null) return null;
  return scorecard.passed;
}

/** How often cases are tried, and by which rule they pass. */
interface RepeatedCases {
  readonly attempts: number;
  readonly caseRule?: CaseRule | undefined;
}

/** The rule by which a run stops the attempts at a case; undefined where it makes them all. */
export function curtailingRule({ caseRule, attempts }: RepeatedCases): AttemptRule | undefined {
  if (caseRule?.isCurtailed !== true) return undefined;
  return { planned: attempts, required: Math.min(caseRule.passes, attempts) };
}

/** Attempts that are made at every case whatever comes of them: no verdict is settled before. */
export function certainAttempts({ planned, required }: AttemptRule): number {
  return Math.min(required, planned - required + 1);
}

/**
 * Of the attempts of a run those that are made at every case whatever comes of them: how much these differ says how much
 * attempts differ. Of a run that is not curtailed, all.
 */
export async function* certainOutcomes(
  run: Pick<Run, 'caseRule' | 'attempts'>,
  outcomes: AsyncIterable<readonly Outcome[]>,
): AsyncGenerator<Outcome[]> {
  const isCertain = createCertainTest(run);
  for await (const some of outcomes) yield some.filter(isCertain);
}

/** Whether an attempt of a run is made at every case whatever comes of the others. */
export function createCertainTest(run: Pick<Run, 'caseRule' | 'attempts'>): (outcome: Outcome) => boolean {
  const rule = curtailingRule(run);
  if (rule === undefined) return () => true;
  const certain = certainAttempts(rule);
  return ({ trial }) => trial.ordinal % run.attempts < certain;
}

/**
 * The outcomes of a run, in the order of the plan, some at a time, each with the weight that keeps means over them without
 * bias where attempts stopped as soon as their case was settled, and with how many attempts were not needed. Of other runs
 * they come as they are.
 *
 * In a run that scores such attempts anew, other rules than its own stopped them: there only those count that are made at
 * every case.
 */
export function weighAttempts(
  run: Pick<Run, 'caseRule' | 'attempts' | 'rescoredFrom'>,
  outcomes: AsyncIterable<readonly Outcome[]>,
): AsyncIterable<readonly Outcome[]> {
  const rule = curtailingRule(run);
  if (rule === undefined) return outcomes;
  const weigh = run.rescoredFrom === undefined ? weighSettled : weighCertain;
  return weighCases(outcomes, (attempts) => weigh(attempts, rule), rule.planned);
}

interface Weighed {
  readonly weights: readonly number[];
  readonly notNeeded: number;
}

async function* weighCases(
  outcomes: AsyncIterable<readonly Outcome[]>,
  weigh: (attempts: readonly Outcome[]) => Weighed,
  planned: number,
): AsyncGenerator<Outcome[]> {
  let attempts: Outcome[] = [];
  const placeOf = ({ trial }: Outcome) => Math.floor(trial.ordinal / planned);
  for await (const some of outcomes) {
    const weighed: Outcome[] = [];
    for (const outcome of some) {
      const [first] = attempts;
      if (first !== undefined && placeOf(first) !== placeOf(outcome)) {
        weighed.push(...annotate(attempts, weigh(attempts)));
        attempts = [];
      }
      attempts.push(outcome);
    }
    yield weighed;
  }
  yield annotate(attempts, weigh(attempts));
}

function annotate(attempts: readonly Outcome[], { weights, notNeeded }: Weighed): Outcome[] {
  return attempts.map((outcome, place) => {
    const weight = weights[place] ?? 1;
    return { ...outcome, weight, ...(place === 0 && notNeeded > 0 && { notNeeded }) };
  });
}

function weighSettled(attempts: readonly Outcome[], rule: AttemptRule): Weighed {
  const { decision, weights } = settleAttempts({ ...rule, results: attempts.map(attemptResult) });
  return { weights, notNeeded: decision === 'continue' ? 0 : rule.planned - attempts.length };
}

function weighCertain(attempts: readonly Outcome[], rule: AttemptRule): Weighed {
  const certain = certainAttempts(rule);
  if (attempts.length < certain) return { weights: [], notNeeded: 0 };
  const weights = attempts.map((_, place) => (place < certain ? rule.planned / certain : 0));
  return { weights, notNeeded: rule.planned - attempts.length };
}
