import type { Conversation, Turn } from '../../../schema/conversation.ts';
import type { Message } from '../../../schema/message.ts';
import type { Latency, RetrievedDocument, Spoilt, Trial } from '../../../schema/trial.ts';
import type { TrialSpec } from '../../../schema/trial-spec.ts';
import { sumKnown, sumUsage } from '../../../schema/usage.ts';
import type { TargetFailure } from '../../../targets/target.ts';
import type { Move } from '../../../users/user.ts';
import type { Asked } from '../ask-target.ts';
import { conditionParts, failureParts, joinLogs, plannedParts } from '../trial-parts.ts';
import { instructionsOf, messagesOfTurn, stepsAfterUser } from './messages-of-turn.ts';
import { historyOf } from './opening.ts';

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
