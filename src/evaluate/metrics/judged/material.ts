import type { JudgeMaterial } from '../../judges/judge.ts';
import type { Expectation } from '../../../core/schema/expectation.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Message, ToolCall } from '../../../core/schema/message.ts';
import { toolCallsOf } from '../../../core/schema/trial.ts';
import type { MetricInput } from '../metric.ts';

/** The parts of a trial and its case that a judge can read. */
export const materialParts = [
  'question',
  'background',
  'expected answer',
  'expected behavior',
  'documents',
  'tool results',
  'conversation',
  'final state',
  'expected state',
  'answer',
] as const;
export type MaterialPart = (typeof materialParts)[number];

const writers: Readonly<Record<MaterialPart, (input: MetricInput) => JudgeMaterial[]>> = {
  question: ({ case: { input }, trial: { transcript } }) =>
    typeof input === 'string'
      ? // The question of a recorded conversation is its text alone; its files are in the recording.
        [{ title: 'question', text: input, ...filesOf(transcript.filter(isOfUser).slice(0, 1)) }]
      : [{ title: 'question', text: writeMessages(input), ...filesOf(input) }],
  background: ({ case: { context } }) => texts('background', context),
  'expected answer': ({ case: { expected } }) => texts('expected answer', expected.answer),
  'expected behavior': ({ case: { expected } }) => texts('expected behavior', expected.behavior),
  documents: ({ trial: { documents = [] } }) =>
    documents.flatMap(({ id, text }, index) =>
      text === undefined ? [] : [{ title: `document ${index + 1}`, text: `${id}\n\n${text}` }],
    ),
  'tool results': ({ trial: { transcript } }) =>
    toolCallsOf(transcript).flatMap((call, index) =>
      call.result === undefined ? [] : [{ title: `tool result ${index + 1}`, text: writeToolCall(call) }],
    ),
  conversation: ({ trial: { transcript } }) => [
    { title: 'conversation', text: writeMessages(transcript), ...filesOf(transcript) },
  ],
  'final state': ({ trial: { state } }) =>
    state === undefined ? [] : [{ title: 'final state', text: writeJson(state) }],
  'expected state': ({ case: { expected } }) =>
    expected.state === undefined ? [] : [{ title: 'expected state', text: writeJson(expected.state) }],
  answer: ({ trial: { answer, transcript } }) => {
    const asked = transcript.findLastIndex(isOfUser);
    const said = transcript.slice(asked + 1).filter(({ role }) => role === 'assistant');
    return [{ title: 'answer', text: answer ?? '', ...filesOf(said) }];
  },
};

const expectationsOfParts: Readonly<Partial<Record<MaterialPart, Expectation>>> = {
  'expected answer': 'answer',
  'expected behavior': 'behavior',
  'expected state': 'state',
};

/** Returns the expectations of a case that the given parts show. */
export function expectationsIn(parts: readonly MaterialPart[]): Expectation[] {
  return parts.flatMap((part) => expectationsOfParts[part] ?? []);
}

/** Returns the parts of a trial that a judge reads. A part that the trial or its case does not have is skipped. */
export function materialOf(input: MetricInput, parts: readonly MaterialPart[]): JudgeMaterial[] {
  return parts.flatMap((part) => writers[part](input));
}

function isOfUser({ role }: Message): boolean {
  return role === 'user';
}

function filesOf(messages: readonly Pick<Message, 'attachments'>[]): Pick<JudgeMaterial, 'attachments'> {
  const attachments = messages.flatMap((message) => message.attachments ?? []);
  return attachments.length === 0 ? {} : { attachments };
}

function texts(title: string, content: string | readonly string[] | undefined): JudgeMaterial[] {
  const all = [content ?? []].flat();
  if (all.length === 1) return [{ title, text: all[0] ?? '' }];
  return all.map((text, index) => ({ title: `${title} ${index + 1}`, text }));
}

function writeMessages(messages: readonly Message[]): string {
  return messages
    .flatMap(({ role, content, toolCalls = [] }) => [
      ...(content === null ? [] : [`${role}: ${content}`]),
      ...toolCalls.map((call) => `${role} used a tool: ${writeToolCall(call)}`),
    ])
    .join('\n\n');
}

function writeToolCall({ name, arguments: args, result, error }: ToolCall): string {
  const outcome = error === undefined ? '' : `\nerror: ${error}`;
  const came = result === undefined ? outcome : `\nresult: ${writeJson(result)}${outcome}`;
  return `${name}(${args === undefined ? '' : writeJson(args)})${came}`;
}

function writeJson(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
