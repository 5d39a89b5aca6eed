import { getOrCreate } from '../../../core/lib/objects.ts';
import { isUnresolved, type TrialOutcome } from '../../../core/schema/result.ts';
import { areWhole } from '../../../core/schema/selection.ts';
import { mergeOutcomes } from '../../../core/trials/merge-outcomes.ts';
import type { ReportedTarget } from '../findings.ts';
import type { QuestionRow } from './question-row.ts';

/** A question that a target did not pass, or scored low on where nothing passes or fails, with the outcome of every target. */
export interface FailedQuestion {
  /** The worst attempt at it of those that ended as the question did: failed, with an error, or not measured. */
  readonly row: QuestionRow;
  /** The place of that attempt in the plan. */
  readonly ordinal: number;
  /** The target that made it. */
  readonly target: string;
  /** The place of that target in the run. */
  readonly place: number;
  /** The attempts of that target that did not pass. */
  readonly attempts: number;
  /** The outcome of each target, in the order of the run; undefined where a report of this size does not know it. */
  readonly outcomes: readonly (TrialOutcome | undefined)[];
  /** The other questions that ended alike: with the same error, or not measured for the same reason. */
  readonly alike: number;
}

/** The questions of a run that some target did not pass. */
export interface FailedQuestions {
  /** The known ones, the worst first. */
  readonly questions: readonly FailedQuestion[];
  /** The number of questions that a target did not pass, at least; of several targets, of the one with the most. */
  readonly count: number;
}

/**
 * Collects the questions that a target did not pass, the worst first: errors, then those that most targets did not pass, then by
 * score; without a scorecard, those with the lowest values. Reports of every kind choose and order what did not pass by this function.
 */
export function failedQuestions(reported: readonly ReportedTarget[]): FailedQuestions {
  const byId = new Map<string, Attempt[]>();
  for (const [place, { target, findings }] of reported.entries()) {
    for (const [index, row] of findings.unresolved.entries()) {
      const ordinal = target.selection.unresolved.ordinals[index] ?? 0;
      getOrCreate(byId, row.id, () => []).push({ row, place, ordinal });
    }
    for (const low of findings.lowest) getOrCreate(byId, low.row.id, () => []).push({ ...low, place });
  }
  const described = Array.from(byId.values(), (attempts) => describeQuestion(reported, attempts));
  // By the rule of a run, a question can pass although an attempt at it did not.
  const questions = described.filter(({ outcomes }) => outcomes.some((outcome) => outcome !== 'passed'));
  const passed = described.length - questions.length;
  const counts = reported.map(({ target }) => target.selection.questions.count - passed);
  return {
    questions: withoutAlike(questions.toSorted(byWorth)),
    count: Math.max(questions.length, 0, ...counts),
  };
}

/** Returns whether a question did not pass for any of several targets: what is expected of it may be wrong. */
export function failsForAll({ outcomes }: Outcomes): boolean {
  return outcomes.length > 1 && outcomes.every((outcome) => outcome === 'failed');
}

/** The advice on a question that fails for all targets. */
export const failsForAllWords = 'fails for all targets: look at the expectation';

/** The outcome of a question for each target; without one where it is not known. */
interface Outcomes {
  readonly outcomes: readonly (TrialOutcome | null | undefined)[];
}

/** An attempt that did not pass: the place of its target in the run, and its own in the plan. */
interface Attempt {
  readonly row: QuestionRow;
  readonly place: number;
  readonly ordinal: number;
}

function describeQuestion(reported: readonly ReportedTarget[], attempts: readonly Attempt[]): FailedQuestion {
  const [worst] = attempts.toSorted((a, b) => worth(a.row) - worth(b.row)) as [Attempt, ...Attempt[]];
  const outcomes = reported.map((one, place) => {
    const unresolved = attempts.filter((attempt) => attempt.place === place).map(({ row }) => row.outcome);
    return outcomeOf(one, unresolved, worst.ordinal);
  });
  const own = attempts.filter(({ place }) => place === worst.place);
  const isTelling = ({ row }: Attempt) => row.outcome === outcomes[worst.place];
  // Of several attempts, one that ended as the question did says why.
  const { row, ordinal } = own.filter(isTelling).toSorted((a, b) => worth(a.row) - worth(b.row))[0] ?? worst;
  return {
    row,
    ordinal,
    target: reported[worst.place]?.target.target ?? '',
    place: worst.place,
    attempts: own.length,
    outcomes,
    alike: 0,
  };
}

/** Returns the outcome of a target from the outcomes of its attempts that did not pass: the others did, where all were made. */
function outcomeOf(
  one: ReportedTarget,
  unresolved: readonly TrialOutcome[],
  ordinal: number,
): TrialOutcome | undefined {
  const { attempts, caseRule, scorecard } = one.run;
  if (scorecard === null) return worstOf(unresolved);
  if (unresolved.length === 0) return isKnown(one, ordinal) ? 'passed' : undefined;
  const passed = Array.from({ length: attempts - unresolved.length }, () => 'passed' as const);
  return mergeOutcomes([...unresolved, ...passed], attempts, caseRule);
}

/** Returns the outcome of a target that passes and fails nothing: an error, where there is one. */
function worstOf(outcomes: readonly TrialOutcome[]): TrialOutcome | undefined {
  return outcomes.find((outcome) => outcome === 'error') ?? outcomes[0];
}

/** Returns whether a target without a row about a question passed it: it was asked, and is not beyond the last row. */
function isKnown({ target: { selection, counts } }: ReportedTarget, ordinal: number): boolean {
  if (counts.notRun > 0 || counts.cancelled > 0) return false;
  const { unresolved } = selection;
  return areWhole(unresolved) || ordinal < (unresolved.ordinals.at(-1) ?? 0);
}

/** Orders attempts by what is worth a look: an error first, then the lowest score, then what was not measured. */
function worth({ outcome, total, lowest }: QuestionRow): number {
  return outcome === 'error' ? -1 : (total ?? lowest ?? 2);
}

function byWorth(a: FailedQuestion, b: FailedQuestion): number {
  const errors = Number(b.row.outcome === 'error') - Number(a.row.outcome === 'error');
  return errors || failedBy(b) - failedBy(a) || worth(a.row) - worth(b.row) || a.ordinal - b.ordinal;
}

function failedBy({ outcomes }: FailedQuestion): number {
  return outcomes.filter((outcome) => outcome !== undefined && isUnresolved(outcome)).length;
}

/** Leaves one of the questions that ended alike without a score, and counts the others there. */
function withoutAlike(questions: readonly FailedQuestion[]): FailedQuestion[] {
  const kept = new Map<string, FailedQuestion>();
  for (const question of questions) {
    const { row, outcomes } = question;
    const key =
      (row.total ?? row.lowest) === null ? JSON.stringify([row.outcome, row.missing, outcomes]) : row.id;
    const first = kept.get(key);
    kept.set(key, first === undefined ? question : { ...first, alike: first.alike + 1 });
  }
  return [...kept.values()];
}
