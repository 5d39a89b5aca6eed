import type { RunHead } from '../schema/api/run-head.ts';
import { uncategorized } from '../schema/case.ts';
import { type Feedback, type Opinion, opinionOf } from '../schema/feedback/feedback.ts';
import type { Result } from '../schema/result.ts';
import type { KeptFeedback } from '../stores/feedback/feedback-store.ts';
import type { Store } from '../stores/store.ts';
import { metricValues } from '../stores/trial-values.ts';

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
  await store.feedback.match(now);
  const feedback = await Array.fromAsync(store.feedback.read());
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
