import type { Case } from '../../schema/case.ts';
import type { Message, ToolCall } from '../../schema/message.ts';
import type { CasedTrial, PlannedCase } from '../../schema/result.ts';
import { exchange, inputMessages, type Trial } from '../../schema/trial.ts';
import type { OpenRun } from './open-run.ts';

/** What follows from a trial's place in the plan of its run. */
type PlacedParts = Pick<Trial, 'ordinal' | 'caseId' | 'caseHash' | 'target' | 'attempt'>;

/** A trial without what its place says. */
export type KeptTrial = Omit<Trial, keyof PlacedParts | 'transcript'> & {
  /** Of a transcript that is just the question and one answer, only the tools that were used. */
  readonly transcript: Message[] | JustTools;
};

interface JustTools {
  readonly toolCalls?: ToolCall[] | undefined;
}

/** What no number is made of, with the message of an error; a part that is not named here is read with every outcome. */
const words: ReadonlySet<string> = new Set<keyof KeptTrial>([
  'key',
  'seed',
  'transcript',
  'answer',
  'documents',
  'state',
  'logs',
  'startedAt',
]);

/** Whether a column of trials is of no use to who only counts. Of a conversation, what its user took is counted. */
export function isBodyOfTrial([part = '', inPart, ofUser]: readonly string[]): boolean {
  if (part === 'error') return inPart === 'message';
  if (part !== 'conversation' || inPart === undefined) return words.has(part);
  return inPart !== 'user' || (ofUser !== undefined && ofUser !== 'usage' && ofUser !== 'cost');
}

/** A trial as it is kept. */
export function toKept({ case: { input }, trial }: CasedTrial): KeptTrial {
  const { transcript, status, answer } = trial;
  const toolCalls = status === 'completed' ? transcript.at(-1)?.toolCalls : undefined;
  const isPlain = areAlike(plainTranscript(input, { status, answer }, { toolCalls }), transcript);
  return { ...trial, ...withoutPlace, transcript: isPlain ? { toolCalls } : transcript };
}

const withoutPlace: Readonly<Record<keyof PlacedParts, undefined>> = {
  ordinal: undefined,
  caseId: undefined,
  caseHash: undefined,
  target: undefined,
  attempt: undefined,
};

/** Whether messages are the same, down to the very values of their parts: a deep comparison costs as much as all the rest. */
function areAlike(some: readonly Message[], others: readonly Message[]): boolean {
  return some.length === others.length && some.every((message, index) => isAlike(message, others[index]));
}

function isAlike(message: Message, other: Message | undefined): boolean {
  if (message === other) return true;
  const keys = Object.keys(message) as (keyof Message)[];
  return (
    keys.length === Object.keys(other ?? {}).length && keys.every((key) => message[key] === other?.[key])
  );
}

/** The opposite of `toKept`. */
export function toTrial(kept: KeptTrial, ordinal: number, { planned, run }: Origin): Trial {
  const { hash: caseHash, case: testCase } = planned;
  const { transcript } = kept;
  return {
    ...kept,
    ordinal,
    caseId: testCase.id,
    caseHash,
    target: targetAt(ordinal, run),
    attempt: (ordinal % run.attempts) + 1,
    transcript: Array.isArray(transcript) ? transcript : plainTranscript(testCase.input, kept, transcript),
  };
}

/** The run that a trial belongs to, and its case. */
interface Origin {
  readonly run: OpenRun;
  readonly planned: Pick<PlannedCase, 'hash' | 'case'>;
}

/** The target of the trial at an ordinal: a plan goes case by case, then target, then attempt. */
export function targetAt(ordinal: number, { targets, attempts }: OpenRun): string {
  return targets[Math.floor(ordinal / attempts) % targets.length] ?? '';
}

function plainTranscript(
  input: Case['input'],
  { status, answer }: Pick<Trial, 'status' | 'answer'>,
  { toolCalls = [] }: JustTools,
): Message[] {
  return status === 'completed' ? exchange(input, answer, toolCalls) : inputMessages(input);
}
