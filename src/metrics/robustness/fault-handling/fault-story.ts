import { injectionKind } from '../../../lib/planted-token.ts';
import type { Message, ToolCall } from '../../../schema/message.ts';
import { toolCallsOf, type Trial } from '../../../schema/trial.ts';

/** What became of the tools of a trial, and what the target said from the first fault on. */
export interface FaultStory {
  /** Calls that were hit, in order. */
  readonly hit: readonly ToolCall[];
  /** Calls that gave a real result. */
  readonly real: readonly ToolCall[];
  /** Tools that were hit and gave no real result afterwards. */
  readonly lost: ReadonlySet<string>;
  /** Whether any tool gave a real result after the last fault. */
  readonly isRealLast: boolean;
  readonly said: string;
}

/** Reads the story of a trial; undefined when no fault was put into any of its tool calls. */
export function readFaultStory({ transcript, answer }: Trial): FaultStory | undefined {
  const calls = toolCallsOf(transcript);
  const hit = calls.filter(isHit);
  if (hit.length === 0) return undefined;
  const real = calls.filter(({ fault, error }) => fault === undefined && error === undefined);
  const lost = hit
    .map(({ name }) => name)
    .filter(
      (name) => calls.findLastIndex((call) => call.name === name && isReal(call)) < lastHitOf(name, calls),
    );
  return {
    hit,
    real,
    lost: new Set(lost),
    isRealLast: calls.findLastIndex(isReal) > calls.findLastIndex(isHit),
    said: saidFrom(transcript, answer),
  };
}

function isHit({ fault }: ToolCall): boolean {
  return fault !== undefined && fault !== injectionKind;
}

function isReal({ fault, error }: ToolCall): boolean {
  return fault === undefined && error === undefined;
}

function lastHitOf(name: string, calls: readonly ToolCall[]): number {
  return calls.findLastIndex((call) => call.name === name && isHit(call));
}

/** All that the target said since the fault, its answer last: in a conversation it may have told of it in an earlier turn. */
function saidFrom(transcript: readonly Message[], answer: string | null): string {
  const first = transcript.findIndex(({ toolCalls = [] }) => toolCalls.some(isHit));
  const texts = transcript
    .slice(first)
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => content ?? '');
  if (answer !== null && !texts.includes(answer)) texts.push(answer);
  return texts.filter((text) => text.trim() !== '').join('\n');
}
