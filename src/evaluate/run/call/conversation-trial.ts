import { type Case, questionOf } from '../../../core/schema/case.ts';
import type { Conversation, Turn } from '../../../core/schema/conversation.ts';
import type { Message, ToolCall } from '../../../core/schema/message.ts';
import {
  type RetrievedDocument,
  type Invalidation,
  sumRewritings,
  type Trial,
  type TrialSpec,
} from '../../../core/schema/trial.ts';
import type { Latency } from '../../../core/schema/usage.ts';
import { sumKnown, sumUsage } from '../../../core/schema/usage.ts';
import type { Reply, TargetFailure } from '../../targets/target.ts';
import type { Move } from '../../users/user.ts';
import type { AskResult } from './ask-target.ts';

/** One turn: the user's message, and the result of asking the target. */
export interface Exchange {
  readonly said: Omit<Extract<Move, { type: 'says' }>, 'type'> & Pick<Message, 'attachments'>;
  readonly asked: AskResult;
}

/** The outcome of a conversation: how it ended, and what is known of it as a whole. */
export interface ConversationOutcome extends Omit<Conversation, 'turns'> {
  /** The start of the conversation, ISO 8601. */
  readonly startedAt: string;
  /** The reason why the target gave no answer in the last turn, or was not asked any more. */
  readonly failure?: TargetFailure;
  readonly spoilt?: Invalidation;
  readonly logs?: string;
}

/**
 * Returns the messages of one turn. A failed turn keeps the messages that the target had produced: they were paid for.
 */
export function messagesOf({ said, asked: { reply, failure } }: Exchange): Message[] {
  const did = reply === undefined ? stepsAfterUser(failure.partial?.transcript ?? []) : messagesOfTurn(reply);
  const { asked = said.message } = reply ?? failure.partial ?? {};
  const { attachments } = said;
  return [{ role: 'user', content: asked, ...(attachments && { attachments }) }, ...did];
}

/**
 * Builds the trial of a conversation: its answer is the last one, its state the last reported one, and usage, cost and
 * latency are added up.
 */
export function conversationTrial(
  spec: TrialSpec,
  exchanges: readonly Exchange[],
  outcome: ConversationOutcome,
): Trial {
  const { startedAt, failure, spoilt, logs, ...conversation } = outcome;
  const asked = exchanges.map((exchange) => exchange.asked);
  const replies = asked.flatMap(({ reply }) => reply ?? []);
  const before = [...instructionsIn(spec, asked), ...historyOf(spec.case)];
  return {
    ...plannedParts(spec),
    ...(failure === undefined ? { status: 'completed' } : failureParts(failure)),
    transcript: [...before, ...exchanges.flatMap(messagesOf)],
    answer: failure === undefined ? (replies.at(-1)?.answer ?? null) : null,
    ...(replies.some(({ toolsUnknown }) => toolsUnknown === true) && { toolsUnknown: true }),
    ...toolPartsIn(asked),
    ...unreadIn(asked),
    documents: documentsIn(asked),
    state: replies.findLast(({ state }) => state !== undefined)?.state,
    usage: sumUsage(asked.map(({ reply, failure: own }) => (reply ?? own?.partial)?.usage)),
    cost: sumKnown(asked.map(({ reply, failure: own }) => (reply ?? own?.partial)?.cost)),
    latency: addLatencies(asked),
    ...finishOf(failure === undefined ? replies.at(-1) : failure.partial),
    retries: asked.reduce((sum, { retries }) => sum + retries, 0),
    conversation: { turns: turnsOf(spec, exchanges, before.length), ...conversation },
    spoilt,
    ...conditionParts(asked),
    logs: joinLogs([...asked.map(({ reply, failure: own }) => (reply ?? own)?.logs), logs]),
    startedAt,
  };
}

function finishOf(
  last: Pick<Reply, 'finishReason' | 'refused'> = {},
): Pick<Trial, 'finishReason' | 'refused'> {
  const { finishReason, refused } = last;
  return { finishReason, refused };
}

/** Returns the target's own instructions, from the first transcript that shows them. */
function instructionsIn({ case: testCase }: TrialSpec, asked: readonly AskResult[]): readonly Message[] {
  const history = historyOf(testCase);
  const transcripts = asked.flatMap(({ reply, failure }) => (reply ?? failure.partial)?.transcript ?? []);
  return instructionsOf(transcripts, history);
}

function turnsOf({ case: { user } }: TrialSpec, exchanges: readonly Exchange[], first: number): Turn[] {
  let from = first;
  return exchanges.map((exchange): Turn => {
    const { said, asked } = exchange;
    const { reply, latency } = asked;
    const isStateChecked = user?.script?.[said.script ?? -1]?.expected?.state !== undefined;
    const turn: Turn = {
      from,
      script: said.script,
      latency,
      documents: reply?.documents?.map(({ id }) => id),
    };
    if (isStateChecked) turn.state = reply?.state;
    from += messagesOf(exchange).length;
    return turn;
  });
}

/** Returns the documents that were retrieved in any turn, each once. */
function documentsIn(asked: readonly AskResult[]): RetrievedDocument[] | undefined {
  const lists = asked.flatMap(({ reply }) => (reply?.documents === undefined ? [] : [reply.documents]));
  if (lists.length === 0) return undefined;
  const byId = new Map<string, RetrievedDocument>();
  for (const document of lists.flat()) if (!byId.has(document.id)) byId.set(document.id, document);
  return [...byId.values()];
}

/** Adds up the latencies of all turns, with a step for each call where a turn reports them, else one for the turn. */
function addLatencies(asked: readonly AskResult[]): Latency | undefined {
  const totalMs = sumKnown(asked.map(({ latency }) => latency?.totalMs));
  if (totalMs === undefined) return undefined;
  const stepsMs = asked.flatMap(({ latency }) => latency?.stepsMs ?? latency?.totalMs ?? []);
  const polled = asked.flatMap(({ latency }) => latency?.polled ?? []).reduce((sum, each) => sum + each, 0);
  return { totalMs: Math.round(totalMs * 1000) / 1000, stepsMs, ...(polled > 0 && { polled }) };
}

/** Returns the parts of a trial that are known before it is made. */
function plannedParts({
  key,
  ordinal,
  case: { id: caseId },
  caseHash,
  target,
  attempt,
  seed,
}: TrialSpec): Pick<Trial, 'key' | 'ordinal' | 'caseId' | 'caseHash' | 'target' | 'attempt' | 'seed'> {
  return { key, ordinal, caseId, caseHash, target, attempt, seed };
}

/** Returns the status and error of a failed trial. */
export function failureParts({ code, message }: TargetFailure): Pick<Trial, 'status' | 'error'> {
  return { status: code === 'cancelled' ? 'cancelled' : 'failed', error: { code, message } };
}

/** Returns whether a trial's condition never took effect in any turn, and what rewriting its questions cost. */
export function conditionParts(asked: readonly AskResult[]): Pick<Trial, 'untouched' | 'rewriting'> {
  const isUntouched = asked.every(({ reply, failure }) => (reply ?? failure.partial)?.untouched === true);
  const rewriting = sumRewritings(asked.map(({ reply, failure }) => (reply ?? failure.partial)?.rewriting));
  return {
    ...(isUntouched && asked.length > 0 && { untouched: true }),
    rewriting,
  };
}

/** Returns what was seen of the tools of the target beside their calls. */
export function toolPartsIn(
  asked: readonly AskResult[],
): Pick<Trial, 'reportedCalls' | 'tries' | 'toolTraffic'> {
  const known = asked.map(({ reply, failure }) => reply ?? failure.partial);
  const parts = {
    reportedCalls: asked.flatMap(({ reply }) => reply?.reportedCalls ?? []),
    tries: known.flatMap((each) => each?.tries ?? []),
    toolTraffic: known.flatMap((each) => each?.toolTraffic ?? []),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, items]) => items.length > 0));
}

/** Returns the members of the replies that nothing read, each once. */
export function unreadIn(asked: readonly AskResult[]): Pick<Trial, 'unread'> {
  const all = asked.flatMap(({ reply }) => reply?.unread ?? []);
  if (all.length === 0) return {};
  return { unread: [...new Map(all.map((member) => [member.key, member])).values()] };
}

/** Joins the logs of several calls; undefined when nothing was logged. */
export function joinLogs(logs: readonly (string | undefined)[]): string | undefined {
  const written = logs.filter((text) => text !== undefined && text !== '');
  return written.length === 0 ? undefined : written.join('\n');
}

/**
 * Returns the messages of a target in one turn, its answer among them. Only the part of a transcript after the last
 * user message belongs to this turn: many targets report the whole conversation each time.
 */
function messagesOfTurn({ answer, toolCalls, transcript = [], attachments }: Reply): Message[] {
  const steps = stepsAfterUser(transcript);
  const isAnswered = steps.some(({ role, content }) => role === 'assistant' && content === answer);
  if (isAnswered) return steps;
  const last: Message = { role: 'assistant', content: answer };
  if (steps.length === 0 && toolCalls.length > 0) last.toolCalls = toolCalls;
  if (attachments !== undefined) last.attachments = [...attachments];
  return [...steps, last];
}

/** Returns the messages of a transcript after the last user message. */
function stepsAfterUser(transcript: readonly Message[]): Message[] {
  const asked = transcript.findLastIndex(({ role }) => role === 'user');
  return transcript.slice(asked + 1).filter(({ role }) => role !== 'system');
}

/**
 * Returns the system messages at the beginning of a transcript that are the target's own: the messages of the case come after
 * them.
 */
function instructionsOf(transcript: readonly Message[], ofCase: readonly Message[]): Message[] {
  return leading(transcript).slice(0, Math.max(0, leading(transcript).length - leading(ofCase).length));
}

function leading(messages: readonly Message[]): readonly Message[] {
  const end = messages.findIndex(({ role }) => role !== 'system');
  return end === -1 ? messages : messages.slice(0, end);
}

/** The members of a call that its target knows. */
const ownMembers: ReadonlySet<string> = new Set(['id', 'name', 'arguments', 'result', 'error']);

/**
 * Returns messages without Touchstone's annotations of tool calls, such as an injected fault, as the target knows them, and without the
 * files that the target itself has made: APIs of models take none in what their model said.
 */
export function withoutAnnotations(messages: readonly Message[]): Message[] {
  return messages.map((given) => {
    const { attachments, ...message } = given;
    if (attachments !== undefined && given.role !== 'assistant') Object.assign(message, { attachments });
    if (message.toolCalls === undefined) return message;
    const toolCalls = message.toolCalls.map((call) => {
      const known = Object.entries(call).filter(([key]) => ownMembers.has(key));
      return Object.fromEntries(known) as ToolCall;
    });
    return { ...message, toolCalls };
  });
}

type Opening = Pick<Case, 'input' | 'user'>;

/** Returns the messages of the case before the first turn of the conversation. */
export function historyOf({ input, user }: Opening): readonly Message[] {
  if (typeof input === 'string') return [];
  const asked = input.findLastIndex(({ role }) => role === 'user');
  return user?.opens === true || asked === -1 ? input : input.slice(0, asked);
}

/** Returns the user's first message; undefined when the user finds its own words. */
export function openingOf(testCase: Opening): string | undefined {
  return testCase.user?.opens === true ? undefined : questionOf(testCase);
}
