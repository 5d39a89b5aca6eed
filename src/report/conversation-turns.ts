import type { Expected } from '../schema/case.ts';
import type { Json } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';
import type { Result } from '../schema/result.ts';

/** What one check of a turn came to, as the evidence of a metric has it. */
export interface TurnCheck {
  readonly metric: string;
  readonly outcome: string;
  readonly note: string;
}

/** One turn with all that belongs to it. */
export interface ToldTurn {
  /** Counts from 1. */
  readonly number: number;
  /** What the user says, and all that follows until the next turn. */
  readonly messages: readonly Message[];
  readonly facts: { readonly latencyMs?: number | undefined; readonly script?: number | undefined };
  /** What the script expects of this turn. */
  readonly expected?: Expected | undefined;
  readonly checks: readonly TurnCheck[];
}

/** A transcript in turns. */
export interface ToldConversation {
  /** What stands before the first turn: instructions, and messages that the case brought along. */
  readonly given: readonly Message[];
  readonly turns: readonly ToldTurn[];
}

/** Whether there is more to a trial than a question and an answer. */
export function hasSteps({ trial: { conversation, transcript } }: Result): boolean {
  const spoken = transcript.filter(({ role }) => role === 'user' || role === 'assistant');
  return conversation !== undefined || spoken.length > 2;
}

/** The turns of a trial. Without a record of turns, the last thing that the user says begins the only one. */
export function turnsOf(result: Result): ToldConversation {
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
    turns: turns.map((turn, index): ToldTurn => {
      const script = turn.script === undefined ? undefined : turn.script + 1;
      const written = turn.script === undefined ? undefined : testCase.user?.script?.[turn.script];
      return {
        number: index + 1,
        messages: withoutRepeats(transcript.slice(turn.from, turns[index + 1]?.from)),
        facts: { latencyMs: turn.latency?.totalMs, script },
        expected: written?.expected,
        checks: script === undefined ? [] : (checks.get(script) ?? []),
      };
    }),
  };
}

/** A result that stands with its call already is not told again as a message of its own. */
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

/** By turn of the script, what metrics that judge turns have found: evidence with `turns`, each with its `checks`. */
function checksOf({ verdicts }: Result): Map<number, TurnCheck[]> {
  const checks = new Map<number, TurnCheck[]>();
  for (const verdict of Object.values(verdicts)) {
    if (verdict.status !== 'scored') continue;
    for (const told of listIn(verdict.evidence, 'turns')) {
      const number = fieldOf(told, 'turn');
      if (typeof number !== 'number') continue;
      checks.set(number, [...(checks.get(number) ?? []), ...listIn(told, 'checks').flatMap(readCheck)]);
    }
  }
  return checks;
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
