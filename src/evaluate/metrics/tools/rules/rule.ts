import { shorten } from '../../../../core/lib/text/terminal-text.ts';
import type { Message } from '../../../../core/schema/message.ts';
import { UnmeasurableError } from '../../../../core/lib/compute-within.ts';
import { mayBeEnglish } from '../../grounding/function-words.ts';
import { otherLanguage } from '../../robustness/fault-handling/handling-rules.ts';
import { clausesOf, findAdmission } from '../../robustness/fault-handling/admissions.ts';
import type { ExpectedCall } from '../expected-call.ts';
import type { ActualCall } from '../read-calls.ts';
import { formatCall, formatDifferences } from '../format-call.ts';

/** The input of a rule: the calls of a conversation in order, and its whole transcript. */
export interface CallRecord {
  readonly calls: readonly ActualCall[];
  /** The calls of tries that were given up for another. */
  readonly abandoned: readonly ActualCall[];
  readonly transcript: readonly Message[];
}

/** A rule for tool calls. It returns a sentence for each time that it is broken, and an empty list when it holds. */
export type CallRule = (record: CallRecord) => string[];

/** Names an actual call in sentences: `call 2, search(q: "x")`. */
export function nameCall(call: ActualCall): string {
  return `call ${call.number}, ${formatCall(call.name, call.arguments)}`;
}

/** Returns the call of the expected tool that differs least from the expected call, among those that differ. */
export function nearestCall(expected: ExpectedCall, calls: readonly ActualCall[]): ActualCall | undefined {
  const [nearest] = calls
    .filter((call) => expected.isOf(call))
    .map((call) => ({ call, count: expected.differences(call).length }))
    .filter(({ count }) => count > 0)
    .sort((first, second) => first.count - second.count);
  return nearest?.call;
}

/** Describes why an expected call is not among some actual ones, by the nearest one. */
export function describeMissing(expected: ExpectedCall, calls: readonly ActualCall[]): string {
  const nearest = nearestCall(expected, calls);
  if (nearest === undefined) return `${expected.text} was not called`;
  const differences = formatDifferences(expected.differences(nearest));
  return `${expected.text} was not called: in ${nameCall(nearest)}, ${differences}`;
}

/** Formats a number of calls in words. */
export function countTimes(count: number): string {
  if (count === 0) return 'not once';
  return count === 1 ? 'once' : `${count} times`;
}

/** Formats a range of calls in words: `at least once`, `2 to 3 times`. */
export function describeTimes({ least, most }: { readonly least: number; readonly most: number }): string {
  if (least === most) return least === 0 ? 'never' : countTimes(least);
  if (most === Number.POSITIVE_INFINITY) return `at least ${countTimes(least)}`;
  return least === 0 ? `at most ${countTimes(most)}` : `${least} to ${most} times`;
}

/** The requirement for failed calls: none may fail, a retry must have worked, or a retry or a message to the user. */
type FailureRule = 'none' | 'retried' | 'dealt-with';

/** Compiles `failures`: every failed call was handled as the rule requires. */
export function compileFailures(rule: FailureRule): CallRule {
  return ({ calls, transcript }) =>
    calls
      .filter((call) => call.outcome === 'failed' && !isDealtWith(call, transcript, rule))
      .map(
        (call) =>
          `${nameCall(call)}, failed (${shorten(call.problem ?? '', longestProblem)})${consequences[rule]}`,
      );
}

/**
 * Returns whether a failed call was retried with success or, under `dealt-with`, the user was informed of a failure
 * afterwards.
 */
export function isDealtWith(call: ActualCall, transcript: readonly Message[], rule: FailureRule): boolean {
  if (rule === 'none') return false;
  return call.isRetried || (rule === 'dealt-with' && isAdmitted(call, transcript));
}

const longestProblem = 80;
const longestRead = 20_000;

const consequences: Readonly<Record<FailureRule, string>> = {
  none: '',
  retried: ' and was not retried with success',
  'dealt-with': ' and was neither retried with success nor reported to the user',
};

/**
 * Returns whether the user was informed of a failure. The message with the call itself counts too: when a target
 * reports a single message, its text is the answer. Throws `UnmeasurableError` for messages in another language than
 * English, unless one of them says it in English.
 */
function isAdmitted({ message }: ActualCall, transcript: readonly Message[]): boolean {
  const said = transcript
    .slice(message)
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => (content ?? '').slice(0, longestRead));
  if (said.flatMap(clausesOf).some(({ text }) => findAdmission(text) !== undefined)) return true;
  if (said.every(mayBeEnglish)) return false;
  throw new UnmeasurableError('text-not-read', otherLanguage);
}
