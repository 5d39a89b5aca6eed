import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { firstUnits } from '../../../core/lib/text/terminal-text.ts';
import { plainToolName, type StripPrefix } from '../../../core/schema/expected-calls.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Message, ToolCall } from '../../../core/schema/message.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import type { MetricInput } from '../metric.ts';
import { detectError, signsOfNothing } from '../operations/detect-error.ts';

/** The outcome of a call; `unknown` when the target does not report the results of its tools. */
export type Outcome = 'ok' | 'failed' | 'unknown';

/** A tool call of the target as the rules see it. */
export interface ActualCall {
  /** The position among the calls of the conversation, from 1. */
  readonly number: number;
  readonly name: string;
  /** The name with its prefix, where `stripPrefix` took one away. */
  readonly fullName?: string;
  /** The arguments: an empty object when none were given; JSON text of an object is parsed. */
  readonly arguments: Json;
  /** The position in the transcript of the message with the call. */
  readonly message: number;
  readonly outcome: Outcome;
  /** The tool's error; present when the call failed. */
  readonly problem?: string;
  /** True when the call failed and a later call of the same tool did not. */
  readonly isRetried: boolean;
}

/**
 * Returns the calls of the target in the order they were made, without those in the messages that the case begins with.
 */
export function readCalls(
  { case: { input }, trial: { transcript } }: MetricInput,
  { ignoreTools = [], stripPrefix = false }: CallChoice = {},
): ActualCall[] {
  const first = typeof input === 'string' ? 0 : countCommon(input, transcript);
  const results = toolMessages(transcript);
  const calls = transcript.flatMap((message, place) =>
    place < first ? [] : (message.toolCalls ?? []).map((call) => ({ call, place })),
  );
  const named = calls.map(({ call, place }) => ({
    call: withoutPrefix(call, stripPrefix),
    place,
    full: call.name,
  }));
  const counted = named.filter(
    ({ call, full }) => !ignoreTools.includes(call.name) && !ignoreTools.includes(full),
  );
  const outcomes = counted.map(({ call }) => outcomeOf(call, results));
  // When no call has an outcome, the target reports none; when some have, the others returned nothing.
  const isReported = outcomes.some((outcome) => outcome !== undefined);
  return counted.map(({ call, place, full }, index) => {
    const { status, problem } = outcomes[index] ?? { status: isReported ? 'ok' : 'unknown' };
    const isRetried =
      status === 'failed' &&
      counted.some(
        (later, at) => at > index && later.call.name === call.name && outcomes[at]?.status !== 'failed',
      );
    return {
      number: index + 1,
      name: call.name,
      ...(full !== call.name && { fullName: full }),
      arguments: readArguments(call.arguments),
      message: place,
      outcome: status,
      problem,
      isRetried,
    };
  });
}

/** Returns the calls of tries that were given up for another: what is forbidden was done, whatever came of it. */
export function abandonedCalls(input: MetricInput, choice: CallChoice = {}): ActualCall[] {
  const { tries = [] } = input.trial;
  const transcript = tries.map(({ toolCalls }): Message => ({ role: 'assistant', content: null, toolCalls }));
  return tries.length === 0
    ? []
    : readCalls({ case: { ...input.case, input: '' }, trial: { ...input.trial, transcript } }, choice);
}

/** The options that say which calls count, and under which names. */
export interface CallChoice {
  readonly ignoreTools?: readonly string[];
  readonly stripPrefix?: StripPrefix;
}

function withoutPrefix(call: ToolCall, stripPrefix: StripPrefix): ToolCall {
  const name = plainToolName(call.name, stripPrefix);
  return name === call.name ? call : { ...call, name };
}

/** Returns the arguments of a call as an object, when they are one or the JSON text of one. */
export function readArguments(raw: Json | undefined): Json {
  if (raw === undefined || raw === null || raw === '') return {};
  return typeof raw === 'string' ? (readObject(raw) ?? raw) : raw;
}

/** Returns how many messages a transcript and the case's own messages have in common at their beginnings. */
function countCommon(input: readonly Message[], transcript: readonly Message[]): number {
  const other = input.findIndex(
    ({ role, content }, place) => transcript[place]?.role !== role || transcript[place].content !== content,
  );
  return other === -1 ? input.length : other;
}

interface ReportedOutcome {
  readonly status: Outcome;
  readonly problem?: string;
}

function outcomeOf(
  { id, error, result }: ToolCall,
  results: ReadonlyMap<string, string>,
): ReportedOutcome | undefined {
  if (error !== undefined) return { status: 'failed', problem: error };
  const given = result === undefined && id !== undefined ? results.get(id) : result;
  if (given === undefined) return undefined;
  const problem = findFailure(given);
  return problem === undefined ? { status: 'ok' } : { status: 'failed', problem };
}

function toolMessages(transcript: readonly Message[]): Map<string, string> {
  const messages = transcript.filter(({ role, toolCallId }) => role === 'tool' && toolCallId !== undefined);
  return new Map(messages.map(({ toolCallId = '', content }) => [toolCallId, content ?? '']));
}

/**
 * Returns the verdict when a case states something about tools but it is not known which were used; undefined otherwise.
 */
export function missingCalls({ case: { expected }, trial }: MetricInput): Verdict | undefined {
  const { calls, tools } = expected;
  return trial.toolsUnknown === true && (calls !== undefined || tools !== undefined)
    ? callsUnknown
    : undefined;
}

/** The verdict on a trial of which it is not known which tools were used. */
export const callsUnknown = {
  status: 'failed',
  code: 'tools-not-recorded',
  reason:
    'the answer came without a list of the tools used: name its place with `toolCalls` in the target, or write ' +
    '`toolCalls: none` there for a bot without tools; in a file of answers, it is the column `tool_calls`',
} as const satisfies Verdict;

/**
 * Returns the error that a tool's result reports; undefined for the result of a successful call. A result reports an
 * error when it is an object (or the JSON text of one) with a filled `error`, `isError` or `is_error` true, `success`
 * or `ok` false, the `status` "error", or `errors` and no `data`; or a text that is an error report, such as `Error: no
 * such user`.
 */
export function findFailure(result: Json): string | undefined {
  if (typeof result === 'string') return failureOfText(result);
  return isRecord(result) ? failureOfObject(result) : undefined;
}

function failureOfText(text: string): string | undefined {
  const object = readObject(text);
  if (object !== undefined) return failureOfObject(object);
  const sign = detectError(text);
  return sign === undefined || signsOfNothing.has(sign.id) ? undefined : text;
}

function failureOfObject(result: Readonly<Record<string, Json>>): string | undefined {
  const { error, errors, data, content } = result;
  const isMarked =
    isFilled(error) ||
    result['isError'] === true ||
    result['is_error'] === true ||
    result['success'] === false ||
    result['ok'] === false ||
    result['status'] === 'error' ||
    (isFilled(errors) && (data === undefined || data === null));
  if (!isMarked) return undefined;
  const said = [error, errors, result['message'], content].find(isFilled) ?? result;
  return typeof said === 'string' ? said : JSON.stringify(said);
}

function isFilled(value: Json | undefined): boolean {
  if (!isContainer(value)) return Boolean(value);
  return Object.keys(value).length > 0;
}

const longestObject = 1_000_000;

/** Parses the JSON text of an object; undefined for any other text. */
function readObject(text: string): { [key: string]: Json } | undefined {
  if (text.length > longestObject || !/^\s*\{/.test(firstUnits(text, 1_000))) return undefined;
  try {
    const value = parseJson(text) as Json;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // Not JSON after all: a text in braces.
  }
}

function isRecord(value: Json): value is { [key: string]: Json } {
  return isContainer(value) && !Array.isArray(value);
}
