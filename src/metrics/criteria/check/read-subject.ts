import { pathSteps, stepInto } from '../../../lib/value-at-path.ts';
import type { Json } from '../../../schema/json.ts';
import { toolCallsOf } from '../../../schema/trial.ts';
import type { MetricInput } from '../../metric.ts';
import { readPath } from '../record-view.ts';
import type { Condition } from './condition.ts';

/** One value that a condition looks at, with what to call it. */
export interface Subject {
  readonly name: string;
  /** Undefined where nothing is. */
  readonly value: Json | undefined;
  /** There is no such message or call. */
  readonly isMissing?: true;
}

/** The values that a condition looks at: one, or all of which any or every one counts. */
export function readSubjects(condition: Condition, input: MetricInput): Subject[] {
  const { path, messages, calls, which = 'any', at } = condition;
  if (path !== undefined) return [{ name: path, value: readPath(input, path) }];
  const kind = messages === undefined ? nameOfCalls(calls) : nameOfMessages(messages);
  const all = messages === undefined ? readCalls(calls, input) : readMessages(messages, input);
  if (which === 'count') return [{ name: `the number of ${kind}s`, value: all.length }];
  if (all.length === 0) {
    return which === 'every' ? [] : [{ name: kind, value: undefined, isMissing: true }];
  }
  const chosen = which === 'first' || which === 'last' ? [all.at(which === 'first' ? 0 : -1)] : all;
  return chosen.map((value, index) => {
    const name = chosen === all ? `${kind} ${index + 1}` : `the ${which} ${kind}`;
    return { name: at === undefined ? name : `${at} of ${name}`, value: valueAt(value, at) };
  });
}

function valueAt(value: Json | undefined, at: string | undefined): Json | undefined {
  const steps = at === undefined ? [] : pathSteps(at);
  return steps.reduce<unknown>(stepInto, value) as Json | undefined;
}

function nameOfMessages(role: NonNullable<Condition['messages']>): string {
  return role === 'any' ? 'message' : `${role} message`;
}

function nameOfCalls(tool = '*'): string {
  return tool === '*' ? 'tool call' : `call of ${tool}`;
}

/** What was said. A message on the way that only asks for tools is none; at the end it is an empty one: no answer came. */
function readMessages(
  role: NonNullable<Condition['messages']>,
  { trial: { transcript } }: MetricInput,
): Json[] {
  const last = transcript.at(-1);
  return transcript
    .filter((message) => role === 'any' || message.role === role)
    .filter((message) => message === last || message.content !== null || message.toolCalls === undefined)
    .map(({ content }) => content ?? '');
}

function readCalls(tool: string | undefined, { trial }: MetricInput): Json[] {
  const calls = toolCallsOf(trial.transcript).filter(({ name }) => tool === '*' || name === tool);
  return calls;
}
