import { type Case, questionOf } from '../../schema/case.ts';
import type { Conversation, Turn } from '../../schema/conversation.ts';
import type { Message } from '../../schema/message.ts';
import {
  type Latency,
  type RetrievedDocument,
  type Spoilt,
  sumRewritings,
  type Trial,
  type TrialSpec,
} from '../../schema/trial.ts';
import { sumKnown, sumUsage } from '../../schema/usage.ts';
import type { Reply, TargetFailure } from '../../targets/target.ts';
import type { Move } from '../../users/user.ts';
import type { Asked } from './ask-target.ts';

/** One turn: what the user said, and what came of putting it to the target. */
export interface Exchange {
  readonly said: Omit<Extract<Move, { type: 'says' }>, 'type'>;
  readonly asked: Asked;
}

/** How a conversation came to its end. */
export interface End extends Omit<Conversation, 'turns'> {
  /** When the conversation began, ISO 8601. */
  readonly startedAt: string;
  /** Why the target gave no answer in the last turn, or was not asked any more. */
  readonly failure?: TargetFailure | undefined;
  readonly spoilt?: Spoilt | undefined;
  readonly logs?: string | undefined;
}

/** The messages of one turn. A turn that failed keeps what the target had come to: that was paid for. */
export function messagesOf({ said, asked: { reply, failure } }: Exchange): Message[] {
  const did = reply === undefined ? stepsAfterUser(failure.partial?.transcript ?? []) : messagesOfTurn(reply);
  const { asked = said.message } = reply ?? failure.partial ?? {};
  return [{ role: 'user', content: asked }, ...did];
}

/** A conversation as one trial: its answer is the last, its state the last reported, all that it took added up. */
export function conversationTrial(spec: TrialSpec, exchanges: readonly Exchange[], end: End): Trial {
  const { startedAt, failure, spoilt, logs, ...conversation } = end;
  const asked = exchanges.map((exchange) => exchange.asked);
  const replies = asked.flatMap(({ reply }) => reply ?? []);
  const before = [...instructionsIn(spec, asked), ...historyOf(spec.case)];
  return {
    ...plannedParts(spec),
    ...(failure === undefined ? { status: 'completed' } : failureParts(failure)),
    transcript: [...before, ...exchanges.flatMap(messagesOf)],
    answer: failure === undefined ? (replies.at(-1)?.answer ?? null) : null,
    documents: documentsIn(asked),
    state: replies.findLast(({ state }) => state !== undefined)?.state,
    usage: sumUsage(asked.map(({ reply, failure: own }) => (reply ?? own?.partial)?.usage)),
    cost: sumKnown(asked.map(({ reply, failure: own }) => (reply ?? own?.partial)?.cost)),
    latency: addLatencies(asked),
    retries: asked.reduce((sum, { retries }) => sum + retries, 0),
    conversation: { turns: turnsOf(spec, exchanges, before.length), ...conversation },
    spoilt,
    ...conditionParts(asked),
    logs: joinLogs([...asked.map(({ reply, failure: own }) => (reply ?? own)?.logs), logs]),
    startedAt,
  };
}

/** The target's own instructions, from the first transcript that shows them. */
function instructionsIn({ case: testCase }: TrialSpec, asked: readonly Asked[]): readonly Message[] {
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

/** What was found in any turn, each document once. */
function documentsIn(asked: readonly Asked[]): RetrievedDocument[] | undefined {
  const lists = asked.flatMap(({ reply }) => (reply?.documents === undefined ? [] : [reply.documents]));
  if (lists.length === 0) return undefined;
  const byId = new Map<string, RetrievedDocument>();
  for (const document of lists.flat()) if (!byId.has(document.id)) byId.set(document.id, document);
  return [...byId.values()];
}

/** All turns together, a step for each call of a turn that tells them apart, else for the turn. */
function addLatencies(asked: readonly Asked[]): Latency | undefined {
  const totalMs = sumKnown(asked.map(({ latency }) => latency?.totalMs));
  if (totalMs === undefined) return undefined;
  const stepsMs = asked.flatMap(({ latency }) => latency?.stepsMs ?? latency?.totalMs ?? []);
  return { totalMs: Math.round(totalMs * 1000) / 1000, stepsMs };
}

/** What a trial is known by before it is made. */
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

/** What a failure makes of a trial. */
export function failureParts({ code, message }: TargetFailure): Pick<Trial, 'status' | 'error'> {
  return { status: code === 'cancelled' ? 'cancelled' : 'failed', error: { code, message } };
}

/** Of a trial under a condition: whether that came to bear in none of its turns, and what it took. */
export function conditionParts(asked: readonly Asked[]): Pick<Trial, 'untouched' | 'rewriting'> {
  const isUntouched = asked.every(({ reply, failure }) => (reply ?? failure.partial)?.untouched === true);
  const rewriting = sumRewritings(asked.map(({ reply, failure }) => (reply ?? failure.partial)?.rewriting));
  return {
    ...(isUntouched && asked.length > 0 && { untouched: true }),
    ...(rewriting !== undefined && { rewriting }),
  };
}

/** What was written beside several answers, as one text; undefined when nothing was. */
export function joinLogs(logs: readonly (string | undefined)[]): string | undefined {
  const written = logs.filter((text) => text !== undefined && text !== '');
  return written.length === 0 ? undefined : written.join('\n');
}

/**
 * What a target did in one turn, as messages, its answer among them. Of a transcript only what comes after the last thing
 * that a user said is of this turn: many targets report the whole conversation each time.
 */
function messagesOfTurn({ answer, toolCalls, transcript = [] }: Reply): Message[] {
  const steps = stepsAfterUser(transcript);
  const isAnswered = steps.some(({ role, content }) => role === 'assistant' && content === answer);
  if (isAnswered) return steps;
  const last: Message = { role: 'assistant', content: answer };
  if (steps.length === 0 && toolCalls.length > 0) last.toolCalls = toolCalls;
  return [...steps, last];
}

/** The messages of a transcript that come after the last thing that a user said. */
function stepsAfterUser(transcript: readonly Message[]): Message[] {
  const asked = transcript.findLastIndex(({ role }) => role === 'user');
  return transcript.slice(asked + 1).filter(({ role }) => role !== 'system');
}

/** The system messages at the beginning of a transcript, which are the target's own: a case's come after them. */
function instructionsOf(transcript: readonly Message[], ofCase: readonly Message[]): Message[] {
  return leading(transcript).slice(0, Math.max(0, leading(transcript).length - leading(ofCase).length));
}

function leading(messages: readonly Message[]): readonly Message[] {
  const end = messages.findIndex(({ role }) => role !== 'system');
  return end === -1 ? messages : messages.slice(0, end);
}

/** Messages as the target knows them: without what Touchstone noted of tool calls, such as an injected fault. */
export function toldMessages(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (message.toolCalls === undefined) return message;
    const toolCalls = message.toolCalls.map(({ fault: _fault, withheld: _withheld, ...call }) => call);
    return { ...message, toolCalls };
  });
}

type Opening = Pick<Case, 'input' | 'user'>;

/** What the case tells of the conversation before its first turn. */
export function historyOf({ input, user }: Opening): readonly Message[] {
  if (typeof input === 'string') return [];
  const asked = input.findLastIndex(({ role }) => role === 'user');
  return user?.opens === true || asked === -1 ? input : input.slice(0, asked);
}

/** What the user says first; undefined where the user finds their own words. */
export function openingOf(testCase: Opening): string | undefined {
  return testCase.user?.opens === true ? undefined : questionOf(testCase);
}
