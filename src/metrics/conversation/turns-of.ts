import type { Case } from '../../schema/case.ts';
import type { Turn } from '../../schema/conversation.ts';
import type { Expected } from '../../schema/expected.ts';
import type { Trial } from '../../schema/trial.ts';
import type { MetricInput } from '../metric.ts';

/** A turn that has something to be checked, as a case and a trial of its own. */
export interface CheckedTurn {
  /** Place in the script; counts from 1. */
  readonly number: number;
  readonly said: string;
  readonly expected: Expected;
  readonly input: MetricInput;
}

/** The turns of a conversation whose script says what a good answer to them holds. */
export function checkedTurnsOf({ case: testCase, trial }: MetricInput): CheckedTurn[] {
  const { turns = [] } = trial.conversation ?? {};
  return turns.flatMap((turn, index): CheckedTurn[] => {
    const written = turn.script === undefined ? undefined : testCase.user?.script?.[turn.script];
    if (written?.expected === undefined || turn.script === undefined) return [];
    const { say, expected } = written;
    const end = turns[index + 1]?.from;
    const input = {
      case: caseOf(turn, expected, { case: testCase, trial }),
      trial: trialOf(turn, trial, end),
    };
    return [{ number: turn.script + 1, said: say, expected, input }];
  });
}

/** Everything up to what the user says in this turn is the question. */
function caseOf({ from }: Turn, expected: Expected, { case: testCase, trial }: MetricInput): Case {
  const { user: _user, ...rest } = testCase;
  return { ...rest, input: trial.transcript.slice(0, from + 1), expected };
}

function trialOf({ from, latency, documents, state }: Turn, trial: Trial, end: number | undefined): Trial {
  const { conversation: _conversation, ...rest } = trial;
  const transcript = trial.transcript.slice(from, end);
  const found = documents?.map((id) => trial.documents?.find((document) => document.id === id) ?? { id });
  return {
    ...rest,
    transcript,
    answer: transcript.findLast(({ role }) => role === 'assistant')?.content ?? null,
    latency,
    documents: found,
    state,
  };
}
