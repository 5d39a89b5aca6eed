import { z } from 'zod';
import { TouchstoneError } from '../../../core/errors.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import type { OutcomeRule } from '../../../core/schema/verdict.ts';
import { tolerance } from '../grades.ts';
import type { CriterionUse } from '../scorecard.ts';
import type { Mark, ScoreRange } from './read-marks.ts';

const ruleSchema = z.lazy(() =>
  z.strictObject({
    outcome: z.string().min(1).describe('The name in reports.'),
    from: z.number().min(0).max(1).default(0).describe('The least score with this outcome.'),
    above: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('The score must be more than this; 0 for any positive score.'),
    when: z.string().min(1).optional().describe('A criterion that must be met, too; its weight may be 0.'),
    meaning: z.string().default('').describe('The meaning, for readers of the report.'),
  }),
);

/** The options that define the outcome of a trial. */
export const outcomeOptions = {
  success: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The criterion that must be met for successful_completion, whatever the score; its weight may be 0.',
    ),
  outcomes: z
    .array(ruleSchema)
    .min(2)
    .optional()
    .describe(
      'Outcomes in order: the first that applies counts, and the last must accept every score. By default successful_completion from 0.75, graceful_failure from 0.50, partial_failure above 0, hard_failure.',
    ),
  passes: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('The outcomes with which an attempt passes; the first one when absent.'),
};

type OutcomeOptions = z.output<z.ZodObject<typeof outcomeOptions>>;

/** The outcomes of a scorecard in order, and those with which a trial passes. */
export interface OutcomeRules {
  readonly rules: readonly OutcomeRule[];
  readonly passes: readonly string[];
}

/** Returns the outcomes of the source, "Binary weighted evaluations". */
function sourceRules(success: string | undefined): OutcomeRule[] {
  return [
    {
      outcome: 'successful_completion',
      from: 0.75,
      when: success,
      meaning: 'the task was done',
    },
    { outcome: 'graceful_failure', from: 0.5, meaning: 'the task was not done, but most was right' },
    { outcome: 'partial_failure', from: 0, above: 0, meaning: 'little was right' },
    { outcome: 'hard_failure', from: 0, meaning: 'nothing was right' },
  ];
}

/** Creates the rules of the options. Throws `config-invalid` for rules that could never apply. */
export function createOutcomeRules(
  { success, outcomes, passes }: OutcomeOptions,
  criteria: readonly CriterionUse[],
): OutcomeRules {
  if (success !== undefined && outcomes !== undefined) {
    throw refusal('`success` belongs to the default outcomes; in `outcomes` of your own use `when`');
  }
  const rules = outcomes?.map(withoutAbsent) ?? sourceRules(success);
  const names = rules.map(({ outcome }) => outcome);
  checkOrder(rules);
  checkNamed(
    'criterion',
    criteria.map(({ name }) => name),
    rules.flatMap(({ when }) => when ?? []),
  );
  const passing = passes ?? names.slice(0, 1);
  checkNamed('outcome', names, [...passing, ...criteria.flatMap(({ caps }) => caps ?? [])]);
  if (passing.includes(names.at(-1) ?? '')) {
    throw refusal(`"${names.at(-1)}" is the outcome of every attempt without another one, so it cannot pass`);
  }
  return { rules, passes: passing };
}

function withoutAbsent({ outcome, from, above, when, meaning }: z.output<typeof ruleSchema>): OutcomeRule {
  return {
    outcome,
    from,
    above,
    when,
    meaning,
  };
}

function checkOrder(rules: readonly OutcomeRule[]): void {
  const twice = rules.find(
    (rule, index) => rules.findIndex(({ outcome }) => outcome === rule.outcome) < index,
  );
  if (twice !== undefined) throw refusal(`two outcomes are named "${twice.outcome}"`);
  const all = rules.findIndex(
    ({ from, above, when }) => from === 0 && above === undefined && when === undefined,
  );
  const last = rules.at(-1)?.outcome;
  if (all === -1)
    throw refusal(`the last outcome, "${last}", must accept every score: remove everything but its name`);
  if (all === rules.length - 1) return;
  throw refusal(
    `"${rules[all]?.outcome}" accepts every score, so "${rules[all + 1]?.outcome}" is never reached`,
  );
}

function checkNamed(kind: string, known: readonly string[], named: readonly string[]): void {
  const unknown = named.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, known) || ` Known are ${known.join(', ')}.`;
  throw refusal(`no ${kind} is named "${unknown}".${hint}`);
}

function refusal(message: string): TouchstoneError {
  return new TouchstoneError('config-invalid', message);
}

/** The possible outcomes of a trial as positions in the list of rules; both are equal when the outcome is known. */
export interface OutcomeRange {
  /** The outcome if all unmeasured criteria were met. */
  readonly best: number;
  /** The outcome if all unmeasured criteria were missed. */
  readonly worst: number;
}

/**
 * Returns the range of possible outcomes of a trial. Each criterion that turns out well can only raise the score, meet
 * a condition or lift a cap, and so never leads to a later rule: when the worst and the best case have the same
 * outcome, so has every case between them.
 */
export function findOutcomes(
  marks: readonly Mark[],
  { lower, upper }: Pick<ScoreRange, 'lower' | 'upper'>,
  outcomes: OutcomeRules,
): OutcomeRange {
  const placeIf = (unknown: boolean, score: number): number => {
    const missed = missedNames(marks, unknown);
    const barred = barredOutcomes(marks, missed, outcomes);
    return outcomes.rules.findIndex(
      (rule) => isReached(rule, score) && !missed.has(rule.when ?? '') && !barred.has(rule.outcome),
    );
  };
  return { best: placeIf(true, upper), worst: placeIf(false, lower) };
}

/** Returns whether a score is enough for an outcome, within a tolerance of 1e-9. */
export function isReached({ from, above }: OutcomeRule, score: number): boolean {
  return score >= from - tolerance && (above === undefined || score > above + tolerance);
}

/** Returns the criteria that are missed. An inapplicable criterion is never missed. */
function missedNames(marks: readonly Mark[], unknown: boolean): Set<string> {
  const missed = marks.filter(({ truth, isMet }) => truth !== 'not-applicable' && !(isMet ?? unknown));
  return new Set(missed.map(({ criterion }) => criterion.name));
}

/** Returns the outcomes that a trial cannot have, whatever its score, without the given criteria. */
function barredOutcomes(
  marks: readonly Mark[],
  missed: ReadonlySet<string>,
  outcomes: OutcomeRules,
): Set<string> {
  return new Set(
    marks
      .filter(({ criterion }) => missed.has(criterion.name))
      .flatMap(({ criterion }) => barredBy(criterion, outcomes)),
  );
}

/**
 * Returns the outcomes that a missed criterion bars: those that pass if it is required, and those better than its cap.
 */
export function barredBy(
  { required, caps }: Pick<Mark['criterion'], 'required' | 'caps'>,
  { rules, passes }: OutcomeRules,
): string[] {
  const names = rules.map(({ outcome }) => outcome);
  return [...(required ? passes : []), ...(caps === undefined ? [] : names.slice(0, names.indexOf(caps)))];
}

/** Returns whether a trial with one of these outcomes passes; null when only some of them pass. */
export function passesWith({ best, worst }: OutcomeRange, { rules, passes }: OutcomeRules): boolean | null {
  const possible = rules.slice(best, worst + 1).map(({ outcome }) => passes.includes(outcome));
  if (possible.every(Boolean)) return true;
  return possible.some(Boolean) ? null : false;
}
