import { shorten } from '../../../lib/terminal-text.ts';
import type { Message } from '../../../schema/message.ts';
import { findAdmission } from '../../robustness/fault-handling/admissions.ts';
import { clausesOf } from '../../robustness/fault-handling/clauses.ts';
import type { ActualCall } from '../read-calls.ts';
import { type CallRule, nameCall } from './rule.ts';

/** What is asked of failed calls: none, a retry that worked, or that or words to the user. */
export type FailureRule = 'none' | 'retried' | 'dealt-with';

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
