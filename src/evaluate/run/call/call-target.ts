import { randomUUID } from 'node:crypto';
import { messageOf } from '../../../core/errors.ts';
import { type Case, questionOf } from '../../../core/schema/case.ts';
import type { Conversation, Turn } from '../../../core/schema/conversation.ts';
import type { Message } from '../../../core/schema/message.ts';
import type { CasedTrial } from '../../../core/schema/result.ts';
import {
  exchange,
  inputMessages,
  type Trial,
  type TrialSpec,
  withFiles,
} from '../../../core/schema/trial.ts';
import type { Reply, Target, TargetFailure, ToolRules } from '../../targets/target.ts';
import { type AskResult, askTarget } from './ask-target.ts';
import { refusePlant } from './arm-attack.ts';
import { refuseUntaken } from './attachments.ts';
import { acceptSilence, isSilenceRight } from './accept-silence.ts';
import {
  conditionParts,
  failureParts,
  historyOf,
  joinLogs,
  toolPartsIn,
  unreadIn,
} from './conversation-trial.ts';
import { type CallLimits, withinLimits } from './within-limits.ts';

/**
 * Makes one trial of a single call: asks the target within the time limit, and repeats the call after transient
 * failures. Whatever happens becomes a record: throws only what is Touchstone's own fault.
 */
export async function callTarget(spec: TrialSpec, target: Target, limits: CallLimits): Promise<CasedTrial> {
  const session = openSession(spec, target, limits);
  const asked = acceptSilence(
    await session.ask(questionOf(spec.case), inputMessages(spec.case.input)),
    isSilenceRight(spec.case.expected),
  );
  const note = await session.end();
  return { case: spec.case, trial: toTrial(spec, asked, note) };
}

/** Every part is assigned by name: an object built with spreads costs more, here and wherever it goes. */
function toTrial(spec: TrialSpec, asked: AskResult, note: string | undefined): Trial {
  const { latency, retries } = asked;
  // An answer that was recorded has the time of its recording.
  const { startedAt = asked.startedAt } = asked.reply ?? asked.failure?.partial ?? {};
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
    ...toolPartsIn([asked]),
    ...unreadIn([asked]),
    documents: outcome.documents,
    state: outcome.state,
    usage: outcome.usage,
    cost: outcome.cost,
    ...(outcome.finishReason !== undefined && { finishReason: outcome.finishReason }),
    ...(asked.reply?.refused !== undefined && { refused: asked.reply.refused }),
    recorded: outcome.recorded,
    conversation: outcome.conversation,
    startedAt,
    latency,
    ...(asked.reply?.batch !== undefined && { batch: asked.reply.batch }),
    retries,
    logs: joinLogs([outcome.logs, note]),
    ...conditionParts([asked]),
  };
}

type Outcome = Pick<Trial, 'status' | 'error' | 'transcript' | 'answer' | 'conversation'> &
  Pick<
    Reply,
    'toolsUnknown' | 'documents' | 'state' | 'usage' | 'cost' | 'finishReason' | 'recorded' | 'logs'
  >;

function outcomeOf({ reply, failure }: AskResult, testCase: Case): Outcome {
  if (reply === undefined) return failedOutcome(failure, testCase);
  const { answer, toolCalls, toolsUnknown, documents, state, usage, cost, finishReason, recorded, logs } =
    reply;
  const { transcript = withFiles(exchange(testCase.input, answer, toolCalls), reply.attachments) } = reply;
  const conversation = testCase.user === undefined ? undefined : recordedConversation(transcript, testCase);
  const known = {
    transcript,
    answer,
    toolsUnknown,
    documents,
    state,
    usage,
    cost,
    finishReason,
    recorded,
    conversation,
    logs,
  };
  return { status: 'completed', ...known };
}

/** Returns the outcome of a failed call. It keeps the partial transcript and usage, which were paid for. */
function failedOutcome(failure: TargetFailure, { input }: Case): Outcome {
  const { logs, partial = {} } = failure;
  const { transcript = inputMessages(input), usage, cost, finishReason, recorded } = partial;
  const known = { transcript, usage, cost, finishReason, recorded, logs };
  return { ...failureParts(failure), ...known, answer: null };
}

/**
 * Describes a recorded conversation: a turn begins at each user message, except for the messages of the case itself. A
 * turn of the script is recognised by its text.
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

function toolRulesOf({ key, case: { toolResults = [], expected } }: TrialSpec): ToolRules {
  const { calls } = expected;
  const mustNot = calls === undefined || Array.isArray(calls) ? [] : (calls.mustNot ?? []);
  return { key, results: toolResults, mustNot };
}

/** A session: one conversation with a target, from its first question to its end. */
export interface Session {
  /** Asks the next question; `messages` is the whole conversation including it. */
  ask(input: string, messages: readonly Message[]): Promise<AskResult>;
  /** Ends the session at the target. Returns an error for the trial's logs, or undefined. */
  end(): Promise<string | undefined>;
}

/** Opens a session that shares nothing with any other. */
export function openSession(spec: TrialSpec, target: Target, limits: CallLimits): Session {
  const { key, attempt, seed } = spec;
  const { id: caseId, metadata } = spec.case;
  const id = `${key}-${randomUUID().slice(0, 8)}`;
  const memory: Record<string, unknown> = {};
  let turn = 0;
  target.beginSession?.(id, toolRulesOf(spec));
  return {
    ask: async (input, messages) => {
      const refused = refusePlant(spec.case, target) ?? refuseUntaken(messages, spec.target, target);
      if (refused !== undefined) return refused;
      turn += 1;
      const session = { id, turn, memory };
      const ownKey = turn === 1 ? key : `${key}-${turn}`;
      const request = { key: ownKey, caseId, input, messages, session, metadata, attempt, seed };
      return await askTarget(request, target, limits);
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
