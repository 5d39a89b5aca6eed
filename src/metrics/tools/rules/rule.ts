import type { Message } from '../../../schema/message.ts';
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
