import type { ChatReply } from '../../models/model.ts';
import type { Latency } from '../../schema/trial.ts';
import { sumKnown, sumUsage } from '../../schema/usage.ts';
import type { Reply } from '../target.ts';

/** What the steps of a conversation took, added up. */
export interface Consumption {
  add(reply: ChatReply, elapsedMs: number): void;
  /** Requests made again for a step that failed in the end. */
  addRetries(count: number): void;
  /** What is not known of one step is not known of all. */
  total(): Pick<Reply, 'usage' | 'cost' | 'retries'>;
  /** Without what our own waiting and failed requests took; the first token is that of the last step. */
  latency(): Latency;
}

/** Begins to count, and to take the time. */
export function createConsumption(): Consumption {
  const startedAt = performance.now();
  const replies: ChatReply[] = [];
  let idleMs = 0;
  let failedRetries = 0;
  return {
    add: (reply, elapsedMs) => {
      replies.push(reply);
      idleMs += Math.max(0, elapsedMs - reply.latencyMs);
    },
    addRetries: (count) => {
      failedRetries += count;
    },
    total: () => ({
      ...spentOn(replies),
      retries: replies.reduce((sum, { attempts }) => sum + Math.max(0, attempts.length - 1), failedRetries),
    }),
    latency: () => {
      const totalMs = round(Math.max(0, performance.now() - startedAt - idleMs));
      const last = replies.at(-1);
      const firstTokenMs =
        last?.firstTokenMs === undefined ? undefined : round(totalMs - last.latencyMs + last.firstTokenMs);
      return {
        totalMs,
        ...(firstTokenMs !== undefined && { firstTokenMs: Math.max(0, firstTokenMs) }),
        ...(replies.length > 0 && { stepsMs: replies.map(({ latencyMs }) => latencyMs) }),
      };
    },
  };
}

function spentOn(replies: readonly ChatReply[]): Pick<Reply, 'usage' | 'cost'> {
  const usage = sumUsage(replies.map((reply) => reply.usage));
  const cost = sumKnown(replies.map((reply) => reply.cost));
  return { ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost }) };
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
