import { firstUnits } from '../../../core/lib/text/terminal-text.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import { isUnresolved, type Result, type TrialOutcome } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Summary } from '../../../core/schema/summary.ts';
import { mergeOutcomes } from '../case-outcome.ts';
import { joinPhrases, type Phrase } from '../phrase.ts';
import { type QuestionRow, questionRow } from './question-row.ts';

/** A question that did not pass for some target, with what was said and what that lacks. */
export interface FailingQuestion {
  readonly id: string;
  readonly question: string;
  /** The outcome for each target without a condition, in the order of the run; null where it was not asked. */
  readonly outcomes: readonly (TrialOutcome | null)[];
  /** The place in the plan of the first attempt that did not pass, which the texts are about. */
  readonly ordinal: number;
  /** The target of that attempt. */
  readonly target: string;
  /** The beginning of its answer; null without one. */
  readonly said: string | null;
  /** The things that the answer lacks, or why there is none; empty when that is not known. */
  readonly lacks: Phrase;
}

/** The source of a list of failing questions: a run with its numbers and its results. */
interface FailingSource {
  readonly run: Run;
  readonly summary: Summary;
  results(ordinals: readonly number[]): AsyncIterable<Result>;
}

/** The most results that are read for a list, however many targets and attempts a run has. */
const mostRead = 400;

/**
 * Lists the questions to look at first: those that did not pass for most targets, then those with the lowest scores; errors come
 * before answers. Only the chosen questions are read in full.
 */
export async function listFailing(source: FailingSource, most: number): Promise<FailingQuestion[]> {
  const { run, summary } = source;
  if (run.scorecard === null) return [];
  const ofCase = run.targets.length * run.attempts;
  const plain = new Set(withoutConditions(run.targets).map(({ name }) => name));
  const first = summary.targets.flatMap(({ target, selection }) =>
    plain.has(target) ? selection.unresolved.ordinals : [],
  );
  const known = await readAttempts(source, [...new Set(first)]);
  const few = Math.max(1, Math.min(most, Math.floor(mostRead / ofCase)));
  const chosen = Array.from(known, ([position, attempts]) => rankOf(position, attempts))
    .toSorted(compareRanks)
    .slice(0, few);
  const places = chosen.flatMap(({ position }) =>
    Array.from({ length: ofCase }, (_, place) => position * ofCase + place),
  );
  const read = await readAttempts(source, places);
  return chosen.flatMap(({ position }) => describeQuestion(run, read.get(position) ?? [], [...plain]));
}

/** The outcome of a question for each target; without one where it is not known. */
interface Outcomes {
  readonly outcomes: readonly (TrialOutcome | null | undefined)[];
}

/** Returns whether a question did not pass for any of several targets: what is expected of it may be wrong. */
export function failsForAll({ outcomes }: Outcomes): boolean {
  return outcomes.length > 1 && outcomes.every((outcome) => outcome === 'failed');
}

/** The advice on a question that fails for all targets. */
export const failsForAllWords = 'fails for all targets: look at the expectation';

/** The little that a list keeps of an attempt, whatever the size of its answer. */
interface Attempt {
  readonly position: number;
  readonly ordinal: number;
  readonly target: string;
  readonly row: QuestionRow;
}

/** Reads attempts by their places, and groups them by the place of the question. */
async function readAttempts(
  { run, results }: FailingSource,
  ordinals: readonly number[],
): Promise<Map<number, Attempt[]>> {
  const ofCase = run.targets.length * run.attempts;
  const attempts = await Array.fromAsync(results(ordinals.toSorted((a, b) => a - b)), (result): Attempt => {
    const { ordinal, target } = result.trial;
    return {
      position: Math.floor(ordinal / ofCase),
      ordinal,
      target,
      row: questionRow(run, result),
    };
  });
  return Map.groupBy(attempts, ({ position }) => position);
}

/** The rank of a question: how badly it turned out. */
interface Rank {
  readonly position: number;
  readonly targets: number;
  readonly total: number;
}

function rankOf(position: number, attempts: readonly Attempt[]): Rank {
  const targets = new Set(attempts.map(({ target }) => target)).size;
  const totals = attempts.map(({ row: { outcome, total } }) => (outcome === 'error' ? -1 : (total ?? 2)));
  return { position, targets, total: Math.min(...totals) };
}

function compareRanks(one: Rank, other: Rank): number {
  return other.targets - one.targets || one.total - other.total || one.position - other.position;
}

function describeQuestion(
  run: Run,
  attempts: readonly Attempt[],
  targets: readonly string[],
): FailingQuestion[] {
  const shown = attempts.find(({ row, target }) => isUnresolved(row.outcome) && targets.includes(target));
  if (shown === undefined) return [];
  const { row, ordinal, target } = shown;
  const outcomes = targets.map((name) => {
    const own = attempts.flatMap((attempt) => (attempt.target === name ? [attempt.row.outcome] : []));
    return own.length === 0 ? null : mergeOutcomes(own, run.attempts, run.caseRule);
  });
  const question = inOneLine(row.question, longestQuestion);
  const said = row.said === '' ? null : row.said;
  const lacks = joinPhrases(row.missing.slice(0, mostNamed), ' · ');
  return [{ id: row.id, question, outcomes, ordinal, target, said, lacks }];
}

const longestQuestion = 300;
/** The most things that are named. */
const mostNamed = 3;

/** Returns the beginning of a text with its white space as single blanks. */
function inOneLine(text: string, most: number): string {
  const start = firstUnits(text, most * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const shown = firstUnits(start, most);
  return shown.length < start.length || text.length > most * 4 ? `${shown.trimEnd()} …` : shown;
}
