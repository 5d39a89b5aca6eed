import { shorten } from '../../../lib/text/terminal-text.ts';
import type { Message } from '../../../schema/message.ts';
import { clausesOf, findAdmission } from '../../robustness/fault-handling/admissions.ts';
import type { ExpectedCall } from '../expected-call.ts';
import type { ActualCall } from '../read-calls.ts';
import { showCall, showDifferences } from '../show-call.ts';

/** What a rule looks at: the calls of a conversation in order, and the whole of it. */
export interface CallRecord {
  readonly calls: readonly ActualCall[];
  readonly transcript: readonly Message[];
}

/** One rule for tool calls: a sentence for each time that it is broken; none where it holds. */
export type CallRule = (record: CallRecord) => string[];

/** The name of an actual call in sentences: `call 2, search(q: "x")`. */
export function nameCall(call: ActualCall): string {
  return `call ${call.number}, ${showCall(call.name, call.arguments)}`;
}

/** Of the calls of an expected call's tool that differ from it, the one that differs least. */
export function nearestCall(expected: ExpectedCall, calls: readonly ActualCall[]): ActualCall | undefined {
  const [nearest] = calls
    .filter((call) => expected.isOf(call))
    .map((call) => ({ call, count: expected.differences(call).length }))
    .filter(({ count }) => count > 0)
    .sort((first, second) => first.count - second.count);
  return nearest?.call;
}

/** Why an expected call is not among some actual ones, by the one that is nearest to it. */
export function describeMissing(expected: ExpectedCall, calls: readonly ActualCall[]): string {
  const nearest = nearestCall(expected, calls);
  if (nearest === undefined) return `${expected.text} was not called`;
  const differences = showDifferences(expected.differences(nearest));
  return `${expected.text} was not called: in ${nameCall(nearest)}, ${differences}`;
}

/** A number of calls in words. */
export function countTimes(count: number): string {
  if (count === 0) return 'not once';
  return count === 1 ? 'once' : `${count} times`;
}

/** How often in words: `at least once`, `2 to 3 times`. */
export function describeTimes({ least, most }: { readonly least: number; readonly most: number }): string {
  if (least === most) return least === 0 ? 'never' : countTimes(least);
  if (most === Number.POSITIVE_INFINITY) return `at least ${countTimes(least)}`;
  return least === 0 ? `at most ${countTimes(most)}` : `${least} to ${most} times`;
}

/** What is asked of failed calls: none, a retry that worked, or that or words to the user. */
type FailureRule = 'none' | 'retried' | 'dealt-with';

/** `failures`: every failed call was dealt with as the rule asks. */
export function compileFailures(rule: FailureRule): CallRule {
  return ({ calls, transcript }) =>
    calls
      .filter((call) => call.outcome === 'failed' && !isDealtWith(call, transcript, rule))
      .map(
        (call) =>
          `${nameCall(call)}, failed (${shorten(call.problem ?? '', longestProblem)})${complaints[rule]}`,
      );
}

/** Whether a failed call was retried with success or, under `dealt-with`, the user was told of a failure after it. */
export function isDealtWith(call: ActualCall, transcript: readonly Message[], rule: FailureRule): boolean {
  if (rule === 'none') return false;
  return call.isRetried || (rule === 'dealt-with' && isTold(call, transcript));
}

const longestProblem = 80;
const longestRead = 20_000;

const complaints: Readonly<Record<FailureRule, string>> = {
  none: '',
  retried: ' and was not retried with success',
  'dealt-with': ' and was neither retried with success nor told to the user',
};

/** The message with the call counts too: where a target reports one message, its text is the answer. */
function isTold({ message }: ActualCall, transcript: readonly Message[]): boolean {
  return transcript
    .slice(message)
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => clausesOf((content ?? '').slice(0, longestRead)))
    .some(({ text }) => findAdmission(text) !== undefined);
}
