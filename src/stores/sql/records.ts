import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { RunHead } from '../../core/schema/api/run-head.ts';
import { toRunHead } from '../../core/schema/api/to-run-head.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import type { Message, ToolCall } from '../../core/schema/message.ts';
import type { CasedTrial, Outcome, PlannedCase, Result, ScoredTrial } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { exchange, inputMessages, type Trial } from '../../core/schema/trial.ts';
import { countSteps, metricValues, roundKnown } from '../../core/trials/trial-values.ts';
import type { SqlInput } from './database.ts';
import { type KeptRow, recordTable, toRow, toValue } from './rows.ts';

/** The columns of a run that the other tables depend on. */
export interface OpenRun {
  /** The number of the run in the table of scores. */
  readonly number: number;
  /** The time by which the run is listed. */
  readonly listedAt: string;
  /** The number of the run in the tables of cases and trials: its own, or the number of the run whose trials it shares. */
  readonly trialsOf: number;
  readonly trialsPerCase: number;
}

/** The table of runs. */
export const runTable = recordTable('runs', 1, [
  'number',
  'id',
  'listed_at',
  'trials_of',
  'trials_per_case',
  'status',
  'created_at',
  'finished_at',
  'description',
  'continues',
  'rescored_from',
  'head',
]);

/** Returns the row of a run. */
export function runRow(run: Run, { number, listedAt, trialsOf, trialsPerCase }: OpenRun): SqlInput[] {
  const { id, status, createdAt, finishedAt, description, continues, rescoredFrom } = run;
  const rest = [continues, rescoredFrom, JSON.stringify(toRunHead(run))];
  const state = [status, createdAt, finishedAt, description];
  return toRow([number, id, listedAt, trialsOf, trialsPerCase, ...state, ...rest], run);
}

/** Reads from the row of a run the columns that the other tables depend on. */
export function openRunOf({ columns }: KeptRow<(typeof runTable.columns)[number]>): OpenRun {
  return {
    number: columns.number as number,
    listedAt: columns.listed_at as string,
    trialsOf: columns.trials_of as number,
    trialsPerCase: columns.trials_per_case as number,
  };
}

/** Reads from the row of a run the part that a list shows. */
export function runHeadOf({ columns }: KeptRow<(typeof runTable.columns)[number]>): RunHead {
  return parseJson(columns.head as string) as RunHead;
}

/** The table of the cases in the plans of runs. */
export const caseTable = recordTable('cases', 2, [
  'run',
  'position',
  'id',
  'category',
  'tags',
  'cluster',
  'place',
  'hash',
]);

/** Returns the row of a case. */
export function caseRow(run: OpenRun, { position, hash, place, case: testCase }: PlannedCase): SqlInput[] {
  const { id, category, tags, cluster } = testCase;
  const names = [id, category, JSON.stringify(tags.map(toValue)), cluster];
  return toRow([run.trialsOf, position, ...names, place, hash], testCase);
}

type CaseRow = KeptRow<(typeof caseTable.columns)[number]>;

/** Reads a case from its row. */
export function plannedCaseOf({ columns, text }: CaseRow): PlannedCase {
  const { position, hash, place } = columns;
  return {
    position: position as number,
    hash: hash as string,
    place: place as string,
    case: parseJson(text) as PlannedCase['case'],
  };
}

/** The table of trials. */
export const trialTable = recordTable('trials', 2, [
  'run',
  'ordinal',
  'position',
  'key',
  'target',
  'attempt',
  'status',
  'error_code',
  'cost',
  'latency_ms',
  'input_tokens',
  'output_tokens',
  'steps',
  'tool_calls',
  'retries',
  'started_at',
]);

/** Returns the position of the case of the trial at an ordinal. */
export function positionOf({ trialsPerCase }: OpenRun, ordinal: number): number {
  return Math.floor(ordinal / trialsPerCase);
}

/** Returns the row of a trial. */
export function trialRow(run: OpenRun, cased: CasedTrial): SqlInput[] {
  const { ordinal, key, target, attempt, status, error, cost, latency, usage, retries, startedAt } =
    cased.trial;
  const place = [run.trialsOf, ordinal, positionOf(run, ordinal), key, target, attempt];
  const tokens = [usage?.inputTokens, usage?.outputTokens].map(roundKnown);
  const { steps, toolCalls } = countSteps(cased);
  const counts = [...tokens, steps, toolCalls, retries];
  const columns = [...place, status, error?.code, cost, latency?.totalMs, ...counts, startedAt];
  return toRow(columns, withoutPlainTranscript(cased));
}

/** A trial as it is stored: without the transcript when this can be rebuilt from the input, the answer and the tool calls. */
type KeptTrial = Omit<Trial, 'transcript'> &
  ({ readonly transcript: Message[] } | { readonly transcript?: never; readonly toolCalls?: ToolCall[] });

function withoutPlainTranscript({ case: testCase, trial }: CasedTrial): KeptTrial {
  const { transcript, ...rest } = trial;
  const toolCalls = trial.status === 'completed' ? transcript.at(-1)?.toolCalls : undefined;
  const kept: KeptTrial = { ...rest, ...(toolCalls !== undefined && { toolCalls }) };
  const isPlain = JSON.stringify(plainTranscript(testCase, kept)) === JSON.stringify(transcript);
  return isPlain ? kept : trial;
}

function plainTranscript(
  { input }: Pick<CasedTrial['case'], 'input'>,
  { status, answer, toolCalls = [] }: Pick<Trial, 'status' | 'answer'> & { readonly toolCalls?: ToolCall[] },
): Message[] {
  return status === 'completed' ? exchange(input, answer, toolCalls) : inputMessages(input);
}

/** Reads a trial from the JSON of its record. */
export function trialOf(text: string, testCase: Pick<CasedTrial['case'], 'input'>): Trial {
  const kept = parseJson(text) as KeptTrial;
  if (kept.transcript !== undefined) return kept;
  const { toolCalls, ...trial } = kept;
  return {
    ...trial,
    transcript: plainTranscript(testCase, { ...trial, ...(toolCalls !== undefined && { toolCalls }) }),
  };
}

/** The table of the scores of trials, one row for each run that scored the trial. */
export const scoreTable = recordTable('scores', 2, [
  'run',
  'ordinal',
  'total',
  'passed',
  'grade',
  'outcome',
  'metrics',
]);

/** Returns the row of the scores of a trial. */
export function scoreRow(run: OpenRun, { trial, verdicts, scorecard }: ScoredTrial): SqlInput[] {
  const { total, passed = null, grade, outcome } = scorecard ?? {};
  const isPassed = passed === null ? null : Number(passed);
  const values = Object.entries(metricValues(verdicts)).map(([name, value]) => [toValue(name), value]);
  const metrics = JSON.stringify(Object.fromEntries(values));
  return toRow([run.number, trial.ordinal, total, isPassed, grade, outcome, metrics], {
    verdicts,
    scorecard,
  });
}

/** The table of judgements. */
export const judgementTable = recordTable('judgements', 1, ['id', 'key', 'asked_in', 'asked_at', 'status']);

/** Returns the row of a judgement. */
export function judgementRow(judgement: Judgement): SqlInput[] {
  const { id, key, askedIn, askedAt, outcome } = judgement;
  return toRow([id, key, askedIn, askedAt, outcome.status], judgement);
}

/** Returns the part of a result that statistics need, without its long texts, which would take memory. */
export function toOutcome({ case: testCase, trial, verdicts, scorecard }: Result): Outcome {
  const { transcript: _said, answer: _last, documents: _found, state: _left, conversation, ...short } = trial;
  const { recorded: _beside, logs: _written, ...numbers } = short;
  const user = conversation?.user;
  return {
    case: testCase,
    trial: { ...numbers, ...(user !== undefined && { conversation: { user } }) },
    verdicts,
    scorecard,
  };
}
