import { weighAttempts } from '../analysis/attempts.ts';
import type { ComparedRun } from '../analysis/compare/compared-run.ts';
import { findFixedField, metricOf } from '../lib/filter/fields.ts';
import type { ColumnValue } from '../stores/store.ts';

/** An attempt of one side of a pair. */
export interface Attempt {
  readonly ordinal: number;
  /** The values of the columns of its {@link Sides}. */
  readonly values: readonly ColumnValue[];
  /** Its weight in a mean over the attempts of its case; see `weightAttempts`. */
  readonly weight: number;
}

/** The attempts of one target of a run, by the case. */
export interface Sides {
  /** Returns the attempts at the case at a position of the plan. */
  attemptsAt(position: number): readonly Attempt[];
  valueOf(attempt: Attempt, field: string): ColumnValue;
  /** Returns the weighted mean of a number; null when no attempt with an answer has it. */
  meanOf(attempts: readonly Attempt[], field: string): number | null;
  /** Returns whether an attempt passed; null when that was not measured. */
  isPassed(attempt: Attempt): boolean | null;
  /** Returns the weighted share of passes among the attempts that were measured; null when there are none. */
  passShareOf(attempts: readonly Attempt[]): number | null;
}

const always = ['target', 'status', 'total', 'passed'] as const;

/**
 * Reads the attempts of a target, with the values of some fields. Their means are those that `compareRuns` compares: of
 * attempts with an answer, weighted where attempts stop as soon as their case is settled.
 */
export async function readSides(
  { run, store, target }: ComparedRun,
  fields: readonly string[],
): Promise<Sides> {
  const known = fields.filter((field) => findFixedField(field)?.isSortable ?? metricOf(field) !== undefined);
  const columns = [...new Set([...always, ...known])];
  const trialsPerCase = run.targets.length * run.attempts;
  const byPosition = new Map<number, Attempt[]>();
  for await (const trials of store.readColumns(run.id, { columns })) {
    for (const { ordinal, values } of trials) {
      if (values[0] !== target) continue;
      const position = Math.floor(ordinal / trialsPerCase);
      const attempts = byPosition.get(position);
      const attempt = { ordinal, values, weight: 1 };
      if (attempts === undefined) byPosition.set(position, [attempt]);
      else attempts.push(attempt);
    }
  }
  const weigh = weighAttempts(run);
  if (weigh !== undefined) {
    for (const [position, attempts] of byPosition) {
      const { weights } = weigh(attempts.map(resultOf));
      byPosition.set(
        position,
        attempts.map((attempt, place) => ({ ...attempt, weight: weights[place] ?? 1 })),
      );
    }
  }
  const valueOf = ({ values }: Attempt, field: string): ColumnValue => values[columns.indexOf(field)] ?? null;
  return {
    attemptsAt: (position) => byPosition.get(position) ?? [],
    valueOf,
    meanOf: (attempts, field) => {
      const isOfAnswer = !withoutAnswer.has(field);
      return weightedMean(attempts, (attempt) => {
        const value = isOfAnswer && attempt.values[1] !== 'completed' ? null : valueOf(attempt, field);
        return typeof value === 'number' ? value : null;
      });
    },
    isPassed,
    passShareOf: (attempts) =>
      weightedMean(attempts, (attempt) => {
        const passed = isPassed(attempt);
        return passed === null ? null : Number(passed);
      }),
  };
}

/** The numbers that a trial without an answer has as well. */
const withoutAnswer: ReadonlySet<string> = new Set([
  'attempt',
  'cost',
  'inputTokens',
  'outputTokens',
  'retries',
  'steps',
  'toolCalls',
]);

/** Returns whether an attempt passed, as `compareRuns` reads it: a total that did not pass has failed. */
function isPassed({ values: [, status, total, passed] }: Attempt): boolean | null {
  return status === 'completed' && total !== null ? passed === 'true' : null;
}

/** Returns whether an attempt passed, as the rule reads it by which attempts stop; see `attemptResult`. */
function resultOf({ values: [, status, total, passed] }: Attempt): boolean | null {
  if (status !== 'completed' || total === null || passed === null) return null;
  return passed === 'true';
}

function weightedMean(
  attempts: readonly Attempt[],
  read: (attempt: Attempt) => number | null,
): number | null {
  let [sum, weights] = [0, 0];
  for (const attempt of attempts) {
    const value = read(attempt);
    if (value === null) continue;
    sum += attempt.weight * value;
    weights += attempt.weight;
  }
  return weights === 0 ? null : sum / weights;
}
