import { truthOf } from '../../core/schema/expected.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Criterion, VerdictNumbers } from '../../core/schema/verdict.ts';
import type { Subject } from './phrases.ts';

/** The number of a trial or, if it was not measured, the least and greatest possible value. */
export type TrialNumber =
  | { readonly status: 'measured'; readonly value: number }
  | { readonly status: 'missing'; readonly low: number; readonly high: number }
  | { readonly status: 'not-applicable' };

/** A function that reads the numbers of a subject from outcomes, with their unit. */
export interface Reading {
  read(outcome: Outcome): TrialNumber;
  /** Returns the unit, which is known once outcomes were read; undefined for shares. */
  unit(): string | undefined;
}

/** Creates the reading of a subject; returns a reason when the run does not have it. */
export function createReading(run: Run, subject: Subject): Reading | { readonly reason: string } {
  switch (subject.measure) {
    case 'score':
    case 'passed':
      return run.scorecard === null
        ? { reason: 'the run has no scorecard' }
        : { read: (outcome) => readTotal(outcome, subject.measure === 'passed'), unit: () => undefined };
    case 'metric':
      return run.metrics.some(({ name }) => name === subject.name)
        ? readMetric(subject.name)
        : unknown('metric', subject.name, run.metrics);
    case 'criterion': {
      const criteria = run.scorecard?.criteria ?? [];
      const criterion = criteria.find(({ name }) => name === subject.name);
      if (criterion === undefined) return unknown('criterion', subject.name, criteria);
      return run.scorecard?.outcomes === undefined ? readMetric(criterion.metric) : readTruth(criterion);
    }
  }
}

function unknown(kind: string, name: string, known: readonly { name: string }[]): { reason: string } {
  const names = known.map((each) => each.name).join(', ') || 'none';
  return { reason: `the run has no ${kind} "${name}"; it has ${names}` };
}

function readTotal({ trial, scorecard }: Outcome, isPassed: boolean): TrialNumber {
  const isMeasured = trial.status === 'completed' && typeof scorecard?.total === 'number';
  if (isMeasured && scorecard.passed !== null) {
    return { status: 'measured', value: isPassed ? Number(scorecard.passed) : (scorecard.total as number) };
  }
  if (isPassed || trial.status !== 'completed') return { status: 'missing', low: 0, high: 1 };
  return { status: 'missing', low: scorecard?.lower ?? 0, high: scorecard?.upper ?? 1 };
}

function readMetric(name: string): Reading {
  let unit: string | undefined;
  return {
    unit: () => unit,
    read: ({ trial, verdicts }) => {
      const verdict = verdicts[name];
      if (verdict?.status === 'scored') unit = verdict.unit;
      return toNumber(decisive(trial, verdict), unit);
    },
  };
}

/**
 * Ignores the verdict on a trial without an answer: it is reported but decides nothing, because an outage does not
 * make a target worse.
 */
function decisive({ status }: Outcome['trial'], verdict: VerdictNumbers | undefined) {
  return status !== 'completed' && verdict?.status === 'scored' ? undefined : verdict;
}

/** Converts a verdict to a number. A quantity that was not measured could have had any value. */
function toNumber(verdict: VerdictNumbers | undefined, unit: string | undefined): TrialNumber {
  if (verdict?.status === 'scored') return { status: 'measured', value: verdict.value };
  if (verdict?.status === 'not-applicable') return { status: 'not-applicable' };
  return unit === undefined
    ? { status: 'missing', low: 0, high: 1 }
    : { status: 'missing', low: -Infinity, high: Infinity };
}

/** Reads a boolean criterion: 1 when it is met, 0 when it is not. */
function readTruth(criterion: Criterion): Reading {
  const wanted = criterion.negative === true ? 'false' : 'true';
  return {
    unit: () => undefined,
    read: ({ trial, verdicts }) => {
      const truth = truthOf(criterion, decisive(trial, verdicts[criterion.metric]));
      if (truth === 'not-applicable') return { status: 'not-applicable' };
      if (truth === 'not-measured') return { status: 'missing', low: 0, high: 1 };
      return { status: 'measured', value: Number(truth === wanted) };
    },
  };
}
