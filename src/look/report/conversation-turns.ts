import { isContainer } from '../../core/lib/json/is-container.ts';
import type { Expected } from '../../core/schema/expected.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Message } from '../../core/schema/message.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Ending } from '../../core/schema/conversation.ts';
import type { Verdict } from '../../core/schema/verdict.ts';

/** The result of one check of a turn, from the evidence of a metric. */
export interface TurnCheck {
  readonly metric: string;
  readonly outcome: string;
  readonly note: string;
}

/** One turn with everything that belongs to it. */
export interface ConversationTurn {
  /** The number of the turn, from 1. */
  readonly number: number;
  /** The place of its first message in the transcript. */
  readonly from: number;
  /** The message of the user, and all messages until the next turn. */
  readonly messages: readonly Message[];
  readonly facts: { readonly latencyMs?: number; readonly script?: number };
  /** The expectations of the script for this turn. */
  readonly expected?: Expected;
  readonly checks: readonly TurnCheck[];
}

/** A transcript divided into turns. */
export interface ConversationTurns {
  /** The messages before the first turn: instructions, and messages of the case. */
  readonly given: readonly Message[];
  readonly turns: readonly ConversationTurn[];
}

/** Returns whether a trial consists of more than a question and an answer. */
export function hasSteps({ trial: { conversation, transcript } }: Result): boolean {
  const messages = transcript.filter(({ role }) => role === 'user' || role === 'assistant');
  return conversation !== undefined || messages.length > 2;
}

/** Divides a trial into turns. Without recorded turns, the last message of the user begins the only one. */
export function turnsOf(result: Result): ConversationTurns {
  const { case: testCase, trial } = result;
  const { transcript } = trial;
  const asked = Math.max(
    0,
    transcript.findLastIndex(({ role }) => role === 'user'),
  );
  const turns = trial.conversation?.turns ?? [{ from: asked }];
  const checks = checksOf(result);
  return {
    given: transcript.slice(0, turns[0]?.from ?? transcript.length),
    turns: turns.map((turn, index): ConversationTurn => {
      const script = turn.script === undefined ? undefined : turn.script + 1;
      const written = turn.script === undefined ? undefined : testCase.user?.script?.[turn.script];
      return {
        number: index + 1,
        from: turn.from,
        messages: withoutRepeats(transcript.slice(turn.from, turns[index + 1]?.from)),
        facts: { latencyMs: turn.latency?.totalMs, script },
        expected: written?.expected,
        checks: script === undefined ? [] : (checks.get(script) ?? []),
      };
    }),
  };
}

/** Removes the messages of tool results that are already included in their calls. */
function withoutRepeats(messages: readonly Message[]): Message[] {
  const known = new Set(
    messages.flatMap(({ toolCalls = [] }) =>
      toolCalls.flatMap(({ id, result, error }) =>
        id !== undefined && (result ?? error) !== undefined ? [id] : [],
      ),
    ),
  );
  return messages.filter(({ role, toolCallId }) => role !== 'tool' || !known.has(toolCallId ?? ''));
}

/**
 * Returns the results of metrics that check turns, by turn of the script: evidence with `turns`, each with its
 * `checks`, of a metric or of a part of one. What two metrics say alike is listed once.
 */
function checksOf({ verdicts }: Result): Map<number, TurnCheck[]> {
  const checks = new Map<number, TurnCheck[]>();
  for (const turn of Object.values(verdicts).flatMap(checkedTurns)) {
    const number = fieldOf(turn, 'turn');
    if (typeof number !== 'number') continue;
    const known = checks.get(number) ?? [];
    const isKnown = ({ metric, outcome, note }: TurnCheck) =>
      known.some((one) => one.metric === metric && one.outcome === outcome && one.note === note);
    const further = listIn(turn, 'checks').flatMap(readCheck);
    checks.set(number, [...known, ...further.filter((check) => !isKnown(check))]);
  }
  return checks;
}

/** Returns the turns that a verdict is based on: its own, and the turns of its parts. */
function checkedTurns(verdict: Verdict): Json[] {
  if (verdict.status !== 'scored') return [];
  const parts = fieldOf(verdict.evidence, 'parts');
  const inside = isContainer(parts) && !Array.isArray(parts) ? Object.values(parts) : [];
  return [verdict.evidence, ...inside.map((part) => fieldOf(part, 'evidence'))].flatMap((evidence) =>
    listIn(evidence, 'turns'),
  );
}

function readCheck(value: Json): TurnCheck[] {
  const [metric, outcome, note] = ['metric', 'outcome', 'note'].map((name) => fieldOf(value, name));
  if (typeof metric !== 'string' || typeof outcome !== 'string') return [];
  return [{ metric, outcome, note: typeof note === 'string' ? note : '' }];
}

function listIn(value: Json | undefined, name: string): Json[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  if (!isContainer(value) || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The reason why a conversation ended, and the side that ended it, if one did. */
export const endingWords: Readonly<Record<Ending, { readonly text: string; readonly side: string }>> = {
  'script-over': { text: 'the script was over', side: 'user' },
  'goal-met': { text: 'the user reached the goal', side: 'user' },
  'gave-up': { text: 'the user gave up', side: 'user' },
  'turn-limit': { text: 'the limit of turns was reached', side: '–' },
  recorded: { text: 'it was recorded earlier', side: '–' },
  failed: { text: 'the target failed', side: 'target' },
  cancelled: { text: 'the run was stopped', side: '–' },
  spoilt: { text: 'the simulated user was at fault', side: 'user' },
};
