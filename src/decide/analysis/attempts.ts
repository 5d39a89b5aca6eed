import type { CaseRule } from '../../core/schema/expected.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { type AttemptRule, settleAttempts } from '../../core/stats/repeats/settle-attempts.ts';

/** The part of an outcome by which it is known whether the attempt passed. */
interface AttemptOutcome {
  readonly trial: Pick<Outcome['trial'], 'status'>;
  readonly scorecard: Pick<NonNullable<Outcome['scorecard']>, 'total' | 'passed'> | null;
}

/** The part of an outcome by which it is weighted. */
interface Attempt extends AttemptOutcome, Pick<Outcome, 'weight' | 'notNeeded'> {
  readonly trial: Pick<Outcome['trial'], 'status' | 'ordinal'>;
}

/** Returns whether an attempt passed; null when that was not measured. */
export function attemptResult({ trial, scorecard }: AttemptOutcome): boolean | null {
  if (trial.status !== 'completed' || scorecard === null || scorecard.total === null) return null;
  return scorecard.passed;
}

/** The number of attempts at each case, with the rule by which a case passes. */
interface RepeatedCases {
  readonly attempts: number;
  readonly caseRule?: CaseRule;
}

/** Returns the rule by which a run stops the attempts at a case; undefined when it makes them all. */
export function curtailingRule({ caseRule, attempts }: RepeatedCases): AttemptRule | undefined {
  if (caseRule?.isCurtailed !== true) return undefined;
  return { planned: attempts, required: Math.min(caseRule.passes, attempts) };
}

/**
 * Returns the number of attempts made at every case, whatever their results: before that, no verdict can be settled.
 */
export function certainAttempts({ planned, required }: AttemptRule): number {
  return Math.min(required, planned - required + 1);
}

/**
 * Yields the attempts that a run makes at every case, whatever their results: how much attempts differ can be
 * estimated from these alone. For a run that does not stop attempts early, these are all attempts.
 */
export async function* certainOutcomes(
  run: Pick<Run, 'caseRule' | 'attempts'>,
  outcomes: AsyncIterable<readonly Outcome[]>,
): AsyncGenerator<Outcome[]> {
  const isCertain = createCertainTest(run);
  for await (const some of outcomes) yield some.filter(isCertain);
}

/** Creates a test of whether an attempt is made at every case, whatever the results of the others. */
export function createCertainTest(run: Pick<Run, 'caseRule' | 'attempts'>): (outcome: Outcome) => boolean {
  const rule = curtailingRule(run);
  if (rule === undefined) return () => true;
  const certain = certainAttempts(rule);
  return ({ trial }) => trial.ordinal % run.attempts < certain;
}

/**
 * Yields the outcomes of a run in the order of the plan, in batches. When attempts stop as soon as their case is
 * settled, each outcome has the weight that keeps means unbiased, and the first of a case the number of attempts not
 * needed. Outcomes of other runs are passed through.
 *
 * In a run that scores such attempts again, they were stopped by rules other than its own: only attempts made at
 * every case count there.
 */
export function weightAttempts<Each extends Attempt = Outcome, Some extends Iterable<Each> = readonly Each[]>(
  run: Pick<Run, 'caseRule' | 'attempts' | 'rescoredFrom'>,
  outcomes: AsyncIterable<Some>,
): AsyncIterable<Some | Each[]> {
  const weigh = weighAttempts(run);
  return weigh === undefined ? outcomes : weightCases(outcomes, weigh, run.attempts);
}

/** The weights of the attempts at one case, with the number of attempts that were not needed. */
export interface AttemptWeights {
  /** The weights in the order of the attempts; an attempt without one has the weight 1. */
  readonly weights: readonly number[];
  readonly notNeeded: number;
}

/**
 * Creates the function that weighs the attempts at one case by their results, for `weightAttempts` and others that do not
 * read outcomes. Undefined for a run whose attempts all have the weight 1.
 */
export function weighAttempts(
  run: Pick<Run, 'caseRule' | 'attempts' | 'rescoredFrom'>,
): ((results: readonly (boolean | null)[]) => AttemptWeights) | undefined {
  const rule = curtailingRule(run);
  if (rule === undefined) return undefined;
  const weigh = run.rescoredFrom === undefined ? weighSettled : weighCertain;
  return (results) => weigh(results, rule);
}

async function* weightCases<Each extends Attempt>(
  outcomes: AsyncIterable<Iterable<Each>>,
  weigh: (results: readonly (boolean | null)[]) => AttemptWeights,
  planned: number,
): AsyncGenerator<Each[]> {
  let attempts: Each[] = [];
  const placeOf = ({ trial }: Attempt) => Math.floor(trial.ordinal / planned);
  for await (const some of outcomes) {
    const weighted: Each[] = [];
    for (const outcome of some) {
      const [first] = attempts;
      if (first !== undefined && placeOf(first) !== placeOf(outcome)) {
        weighted.push(...annotate(attempts, weigh(attempts.map(attemptResult))));
        attempts = [];
      }
      attempts.push(outcome);
    }
    yield weighted;
  }
  yield annotate(attempts, weigh(attempts.map(attemptResult)));
}

function annotate<Each extends Attempt>(
  attempts: readonly Each[],
  { weights, notNeeded }: AttemptWeights,
): Each[] {
  return attempts.map((outcome, place) => {
    const weight = weights[place] ?? 1;
    return { ...outcome, weight, ...(place === 0 && notNeeded > 0 && { notNeeded }) };
  });
}

function weighSettled(results: readonly (boolean | null)[], rule: AttemptRule): AttemptWeights {
  const { decision, weights } = settleAttempts({ ...rule, results });
  return { weights, notNeeded: decision === 'continue' ? 0 : rule.planned - results.length };
}

function weighCertain({ length }: readonly (boolean | null)[], rule: AttemptRule): AttemptWeights {
  const certain = certainAttempts(rule);
  if (length < certain) return { weights: [], notNeeded: 0 };
  const weights = Array.from({ length }, (_, place) => (place < certain ? rule.planned / certain : 0));
  return { weights, notNeeded: rule.planned - length };
}
