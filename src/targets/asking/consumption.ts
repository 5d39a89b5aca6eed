import type { ChatReply } from '../../models/model.ts';
import type { Latency, Usage } from '../../schema/trial.ts';
import type { Reply } from '../target.ts';

const counts = ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const;

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
      ...sumUsage(replies),
      ...sumCost(replies),
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

function sumUsage(replies: readonly ChatReply[]): { usage?: Usage } {
  const known = counts.flatMap((count): [string, number][] => {
    const sum = addUp(replies.map(({ usage }) => usage?.[count]));
    return sum === undefined ? [] : [[count, sum]];
  });
  return known.length === 0 ? {} : { usage: Object.fromEntries(known) };
}

function sumCost(replies: readonly ChatReply[]): { cost?: number } {
  const cost = addUp(replies.map((reply) => reply.cost));
  return cost === undefined ? {} : { cost };
}

function addUp(amounts: readonly (number | undefined)[]): number | undefined {
  if (amounts.length === 0) return undefined;
  let sum = 0;
  for (const amount of amounts) {
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return sum;
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
