import type { RatedList, RatedRow } from '../../core/schema/api/feedback-view.ts';
import type { SaidChoice } from '../../core/schema/api/record-counts.ts';
import type { RunHead } from '../../core/schema/api/run-head.ts';
import { uncategorized } from '../../core/schema/case.ts';
import { type Feedback, type Opinion, opinionOf } from '../../core/schema/feedback/feedback.ts';
import type { Result } from '../../core/schema/result.ts';
import type { KeptFeedback } from '../../stores/kinds/feedback.ts';
import type { Store } from '../../stores/store.ts';
import { metricValues } from '../../core/trials/trial-values.ts';
import { feedbackKind } from '../../stores/kinds/feedback.ts';
import { matchFeedback } from '../../stores/feedback/feedback-records.ts';

/** An answer of a run that users were given, with what they did. */
export interface RatedAnswer {
  readonly run: string;
  /** Its place in the plan of the run. */
  readonly ordinal: number;
  readonly caseId: string;
  readonly category: string;
  readonly target: string;
  /** ISO 8601. */
  readonly answeredAt: string;
  /** The total of the scorecard, from 0 to 1; null where it was not measured. */
  readonly score: number | null;
  /** The value of each metric that a judge decides, by its name; null where it could not be measured. */
  readonly judged: Readonly<Record<string, number | null>>;
  /** The last thumb or stars of each answer; null where no user gave an opinion. */
  readonly opinion: Opinion | null;
  /** The number of opinions: all but the last one are replaced by it. */
  readonly opinions: number;
  /** The texts that users wrote, in order. */
  readonly comments: readonly string[];
  /** All signals about it, in the order in which they were given. */
  readonly signals: readonly Feedback['signal'][];
}

/** Everything that users said, and all answers of the runs that they said it about. */
export interface UserRecord {
  readonly feedback: readonly KeptFeedback[];
  readonly answers: readonly RatedAnswer[];
}

/**
 * Reads the feedback of a store with all answers of the runs that it is about, those without feedback included. Waiting
 * feedback is matched first. Where a run was scored again, the newest scores count.
 */
export async function readUserRecord(store: Store, now: string): Promise<UserRecord> {
  await matchFeedback(store, now);
  const feedback = await Array.fromAsync(store.documents.list(feedbackKind));
  const heads = await store.listRuns();
  const byRun = Map.groupBy(
    feedback.filter(({ match }) => match !== null),
    ({ match }) => firstRunOf(match?.run ?? '', heads),
  );
  const answers: RatedAnswer[] = [];
  for (const [run, kept] of byRun) {
    const scored = newestScoringOf(run, heads);
    if (scored === undefined) continue;
    answers.push(...(await readAnswers(store, scored, kept)));
  }
  return { feedback, answers };
}

async function readAnswers(
  store: Store,
  runId: string,
  feedback: readonly KeptFeedback[],
): Promise<RatedAnswer[]> {
  const byOrdinal = Map.groupBy(feedback, ({ match }) => match?.ordinal);
  const run = await store.readRun(runId);
  const judged = (run?.metrics ?? []).filter(({ judge }) => judge !== undefined).map(({ name }) => name);
  const answers: RatedAnswer[] = [];
  for await (const result of store.readResults(runId)) {
    if (result.trial.status !== 'completed') continue;
    const given = (byOrdinal.get(result.trial.ordinal) ?? []).map((each) => each.feedback);
    answers.push(rate(result, { run: runId, judged, given }));
  }
  return answers;
}

function rate(
  { case: testCase, trial, verdicts, scorecard }: Result,
  {
    run,
    judged,
    given,
  }: { readonly run: string; readonly judged: readonly string[]; readonly given: readonly Feedback[] },
): RatedAnswer {
  const values = metricValues(verdicts);
  const opinions = given.map(opinionOf).filter((opinion) => opinion !== null);
  return {
    run,
    ordinal: trial.ordinal,
    caseId: testCase.id,
    category: testCase.category ?? uncategorized,
    target: trial.target,
    answeredAt: trial.startedAt,
    score: scorecard?.total ?? null,
    judged: Object.fromEntries(
      judged.filter((name) => name in values).map((name) => [name, values[name] ?? null]),
    ),
    opinion: opinions.at(-1) ?? null,
    opinions: opinions.length,
    comments: given.flatMap(({ text }) => text ?? []),
    signals: given.map(({ signal }) => signal),
  };
}

/** Returns the run whose answers a run has scored again; the run itself when it asked the questions. */
function firstRunOf(runId: string, heads: readonly RunHead[]): string {
  const from = heads.find(({ id }) => id === runId)?.rescoredFrom;
  return from === undefined ? runId : firstRunOf(from, heads);
}

/** Returns the newest run with scores of the answers of a run; undefined when none is left. */
function newestScoringOf(first: string, heads: readonly RunHead[]): string | undefined {
  const isFinished = ({ status }: RunHead) => status === 'completed';
  const all = heads.filter(({ id }) => firstRunOf(id, heads) === first);
  return (all.find(isFinished) ?? all[0])?.id;
}

/** The length of the periods of a summary. */
export type PeriodLength = 'day' | 'week' | 'month';

/**
 * Returns the period of a time, in UTC: `2026-01-31`, the week `2026-W05` of ISO 8601, or `2026-01`.
 * @param time - ISO 8601.
 */
export function periodOf(time: string, length: PeriodLength): string {
  const day = new Date(time).toISOString().slice(0, 10);
  if (length === 'day') return day;
  return length === 'month' ? day.slice(0, 7) : weekOf(day);
}

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the week of ISO 8601: it begins on a Monday, and belongs to the year of its Thursday. */
function weekOf(day: string): string {
  const time = Date.parse(day);
  const thursday = time + (3 - ((new Date(time).getUTCDay() + 6) % 7)) * dayMs;
  const year = new Date(thursday).getUTCFullYear();
  const number = Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}

/** The answers to list. Absent conditions hold for all. */
export interface RatedChoice {
  readonly period?: string;
  readonly length?: PeriodLength;
  readonly category?: string;
  readonly target?: string;
  readonly said?: SaidChoice;
}

/** Returns whether users did to an answer what is asked for. */
const hasSaid: Readonly<Record<SaidChoice, (answer: RatedAnswer) => boolean>> = {
  reacted: ({ signals }) => signals.length > 0,
  every: () => true,
  rated: ({ opinion }) => opinion !== null,
  negative: ({ opinion }) => opinion === 'negative',
  neutral: ({ opinion }) => opinion === 'neutral',
  positive: ({ opinion }) => opinion === 'positive',
  unrated: ({ opinion }) => opinion === null,
  edited: ({ signals }) => signals.includes('edit'),
  escalated: ({ signals }) => signals.includes('escalated'),
};

/** Returns the answers of a period, category and target about which users said something, as numbers of a summary count them. */
export function selectRated(
  answers: readonly RatedAnswer[],
  { period, length = 'week', category, target, said = 'every' }: RatedChoice,
): RatedAnswer[] {
  return answers.filter(
    (answer) =>
      (category === undefined || answer.category === category) &&
      (target === undefined || answer.target === target) &&
      (period === undefined || periodOf(answer.answeredAt, length) === period) &&
      hasSaid[said](answer),
  );
}

/** The longest comment in a list, in UTF-16 code units. */
const longestComment = 300;

/** Lists answers, the newest first. */
export function listRated(answers: readonly RatedAnswer[], limit: number): RatedList {
  const newest = answers.toSorted((one, other) => (one.answeredAt < other.answeredAt ? 1 : -1));
  return { rows: newest.slice(0, limit).map(toRow), count: answers.length };
}

function toRow({ judged: _judged, opinions: _opinions, comments, ...answer }: RatedAnswer): RatedRow {
  const comment = comments.at(-1);
  if (comment === undefined) return answer;
  return {
    ...answer,
    comment: comment.length > longestComment ? `${comment.slice(0, longestComment)}…` : comment,
  };
}
