import { randomUUID } from 'node:crypto';
import { messageOf } from '../../errors.ts';
import { type Case, questionOf } from '../../schema/case.ts';
import type { Conversation, Turn } from '../../schema/conversation.ts';
import type { Message } from '../../schema/message.ts';
import type { CasedTrial } from '../../schema/result.ts';
import { exchange, inputMessages, type Trial, type TrialSpec } from '../../schema/trial.ts';
import type { Reply, Target, TargetFailure } from '../../targets/target.ts';
import { type Asked, askTarget } from './ask-target.ts';
import { conditionParts, failureParts, historyOf, joinLogs } from './conversation-trial.ts';
import { type CallLimits, withinLimits } from './within-limits.ts';

/**
 * Makes one trial of a single call: asks the target, again after a passing fault, within the time limit. Never throws:
 * whatever happens becomes a record.
 */
export async function callTarget(spec: TrialSpec, target: Target, limits: CallLimits): Promise<CasedTrial> {
  const session = openSession(spec, target, limits);
  const asked = await session.ask(questionOf(spec.case), inputMessages(spec.case.input));
  const note = await session.end();
  return { case: spec.case, trial: toTrial(spec, asked, note) };
}

/** Every part by its name: an object that is put together of others costs more, here and wherever it goes. */
function toTrial(spec: TrialSpec, asked: Asked, note: string | undefined): Trial {
  const { startedAt, latency, retries } = asked;
  const outcome = outcomeOf(asked, spec.case);
  return {
    key: spec.key,
    ordinal: spec.ordinal,
    caseId: spec.case.id,
    caseHash: spec.caseHash,
    target: spec.target,
    attempt: spec.attempt,
    seed: spec.seed,
    status: outcome.status,
    error: outcome.error,
    transcript: outcome.transcript,
    answer: outcome.answer,
    ...(outcome.toolsUnknown === true && { toolsUnknown: true }),
    documents: outcome.documents,
    state: outcome.state,
    usage: outcome.usage,
    cost: outcome.cost,
    recorded: outcome.recorded,
    conversation: outcome.conversation,
    startedAt,
    latency,
    retries,
    logs: joinLogs([outcome.logs, note]),
    ...conditionParts([asked]),
  };
}

type Outcome = Pick<Trial, 'status' | 'error' | 'transcript' | 'answer' | 'conversation'> &
  Pick<Reply, 'toolsUnknown' | 'documents' | 'state' | 'usage' | 'cost' | 'recorded' | 'logs'>;

function outcomeOf({ reply, failure }: Asked, testCase: Case): Outcome {
  if (reply === undefined) return failedOutcome(failure, testCase);
  const { answer, toolCalls, toolsUnknown, documents, state, usage, cost, recorded, logs } = reply;
  const { transcript = exchange(testCase.input, answer, toolCalls) } = reply;
  const conversation = testCase.user === undefined ? undefined : recordedConversation(transcript, testCase);
  const known = {
    transcript,
    answer,
    toolsUnknown,
    documents,
    state,
    usage,
    cost,
    recorded,
    conversation,
    logs,
  };
  return { status: 'completed', ...known };
}

/** A failed trial keeps what its conversation had come to: that was paid for. */
function failedOutcome(failure: TargetFailure, { input }: Case): Outcome {
  const { logs, partial: { transcript = inputMessages(input), usage, cost, recorded } = {} } = failure;
  return { ...failureParts(failure), transcript, answer: null, usage, cost, recorded, logs };
}

/**
 * How a conversation went that was had before: a turn begins wherever the user spoke, but for what the case itself tells of
 * an earlier conversation. A turn of the script is known again by its words.
 */
function recordedConversation(
  transcript: readonly Message[],
  testCase: Pick<Case, 'input' | 'user'>,
): Conversation {
  const earlier = historyOf(testCase).filter(isOfUser).length;
  const places = [...transcript.keys()].filter((place) => isOfUser(transcript[place] as Message));
  const script = testCase.user?.script ?? [];
  let next = 0;
  const turns = places.slice(earlier).map((from): Turn => {
    const said = transcript[from]?.content?.trim();
    const found = script.findIndex(({ say }, index) => index >= next && say.trim() === said);
    if (found === -1) return { from };
    next = found + 1;
    return { from, script: found };
  });
  return { turns, ended: 'recorded' };
}

function isOfUser({ role }: Message): boolean {
  return role === 'user';
}

/** One conversation with a target, from its first question to its end. */
export interface Session {
  /** Puts the next question; `messages` is the whole conversation up to and with it. Never throws. */
  ask(input: string, messages: readonly Message[]): Promise<Asked>;
  /** Tells the target that it is over. What goes wrong with that is for the trial's logs; undefined when nothing does. */
  end(): Promise<string | undefined>;
}

/** Begins a conversation with nothing of any other in it. */
export function openSession(spec: TrialSpec, target: Target, limits: CallLimits): Session {
  const { key, attempt, seed } = spec;
  const { id: caseId, metadata } = spec.case;
  const id = `${key}-${randomUUID().slice(0, 8)}`;
  const memory: Record<string, unknown> = {};
  let turn = 0;
  return {
    ask: (input, messages) => {
      turn += 1;
      const session = { id, turn, memory };
      const ownKey = turn === 1 ? key : `${key}-${turn}`;
      const request = { key: ownKey, caseId, input, messages, session, metadata, attempt, seed };
      return askTarget(request, target, limits);
    },
    end: async () => {
      if (target.endSession === undefined) return undefined;
      try {
        await withinLimits(limits, async () => await target.endSession?.(id));
        return undefined;
      } catch (error) {
        return `The session could not be ended: ${messageOf(error)}`;
      }
    },
  };
}
