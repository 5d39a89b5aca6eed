import { messageOf } from '../../errors.ts';
import { timeNow } from '../../lib/time-now.ts';
import { type ChatModel, type ChatReply, type ChatRequest, ModelFailure } from '../../models/model.ts';
import type { PlayedUser, UserCall } from '../../schema/conversation.ts';
import type { Message } from '../../schema/message.ts';
import { sumKnown, sumUsage } from '../../schema/usage.ts';
import type { Fault } from '../conduct/fault.ts';
import { findFault } from '../conduct/find-fault.ts';
import type { Move, Part, Speaker, UserContext } from '../user.ts';
import { promptVersion, replyForm, writeSystem, writeTurn } from './prompt.ts';
import { type PlayedTurn, readTurn } from './read-turn.ts';

type Sampling = Pick<ChatRequest, 'temperature' | 'maxTokens' | 'seed'>;

/**
 * Plays a user for one conversation. What is at fault is said to the model once, and asked for again; a second fault spoils
 * the conversation, before the target hears of it. Throws `ModelFailure` when the model cannot be had.
 */
export function playUser(part: Part, model: ChatModel, sampling: Sampling): Speaker {
  const system = writeSystem(part.user);
  const calls: UserCall[] = [];

  const ask = async (messages: ChatRequest['messages'], context: UserContext): Promise<ChatReply> => {
    const startedAt = timeNow();
    try {
      const responseSchema = { name: 'turn', schema: replyForm.schema };
      const reply = await model.generate({ messages, responseSchema, ...sampling }, context);
      calls.push(toCall(reply, startedAt));
      return reply;
    } catch (error) {
      const code = error instanceof ModelFailure ? error.code : 'model-threw';
      calls.push({ startedAt, reply: null, error: { code, message: messageOf(error) } });
      throw error;
    }
  };

  return {
    played: () => describe(system, model, calls),
    next: async (heard, context) => {
      const messages: Message[] = [
        { role: 'system', content: system },
        { role: 'user', content: writeTurn(heard) },
      ];
      for (let round = 1; ; round += 1) {
        const reply = await ask(messages, context);
        const turn = readTurn(reply);
        const fault = 'fault' in turn ? turn.fault : findFault(turn, part, heard);
        if (fault === undefined) return toMove(turn as PlayedTurn);
        Object.assign(calls.at(-1) as UserCall, { error: { code: fault.kind, message: fault.reason } });
        if (round === 2) return { type: 'spoils', kind: fault.kind, reason: `the user ${fault.reason}` };
        messages.push({ role: 'assistant', content: reply.text || '(nothing)' });
        messages.push({ role: 'user', content: correct(fault) });
      }
    },
  };
}

function toMove({ status, message, reason }: PlayedTurn): Move {
  return status === 'goes-on' ? { type: 'says', message } : { type: 'ends', ended: status, reason };
}

function correct({ reason }: Fault): string {
  return `That cannot stand: as the user you ${reason}. Stay in your part, and reply again with one JSON object of the form ${replyForm.example} and nothing else.`;
}

function toCall({ text, reasoning, usage, cost, latencyMs }: ChatReply, startedAt: string): UserCall {
  return {
    startedAt,
    reply: text?.toWellFormed() ?? null,
    ...(reasoning !== undefined && { reasoning: reasoning.toWellFormed() }),
    ...(usage !== undefined && { usage }),
    ...(cost !== undefined && { cost }),
    latencyMs,
  };
}

function describe(system: string, model: ChatModel, calls: readonly UserCall[]): PlayedUser {
  return {
    model: model.name,
    system,
    promptVersion,
    calls: [...calls],
    usage: sumUsage(calls.map(({ usage }) => usage)),
    cost: sumKnown(calls.map(({ cost }) => cost)),
  };
}
