import { z } from 'zod';
import { hashContent } from '../lib/content-hash.ts';
import { timeNow } from '../lib/time-now.ts';
import { wait } from '../lib/waiting.ts';
import { jsonSchema } from '../schema/json.ts';
import { cancelledFailure } from './account/call-with-retries.ts';
import { type ChatModel, type ChatReply, type ChatRequest, defineModel, ModelFailure } from './model.ts';
import { compileRules, type RuleReply } from './scripted/rules.ts';

const replySchema = z.lazy(() =>
  z.union([
    z.string(),
    z.strictObject({
      text: z
        .string()
        .optional()
        .describe('The answer; `$1`, `$2`, … stand for what the groups of a `/pattern/` found.'),
      json: jsonSchema
        .optional()
        .describe(
          "An answer in JSON, in place of `text`; keys for which the request allows one value only, such as the `id` of a judge's reply, are added.",
        ),
      reasoning: z.string().optional().describe('What it thinks before it answers.'),
      toolCalls: z
        .array(z.strictObject({ name: z.string().min(1), arguments: jsonSchema.optional() }))
        .optional()
        .describe('Tools that it asks for.'),
      finishReason: z.enum(['stop', 'length', 'tool-calls', 'content-filter', 'other']).optional(),
    }),
  ]),
);

const identity = { name: 'scripted', version: 1 };

/** A model that answers by rules: no key, no network, the same answer every time. */
export const scripted = defineModel({
  ...identity,
  summary: 'A model that answers by rules you write: for tests and examples, without a key.',
  options: () =>
    z.strictObject({
      model: z.string().min(1).default('scripted').describe('What it calls itself.'),
      rules: z
        .array(
          z.strictObject({
            when: z
              .string()
              .optional()
              .describe(
                'Text that must occur, in whatever case, or a `/pattern/flags`; always holds when left out.',
              ),
            in: z
              .enum(['last', 'system', 'any'])
              .default('last')
              .describe(
                'Where to look: in the last message, in the system prompt, or in the whole conversation.',
              ),
            after: z
              .string()
              .optional()
              .describe('Holds only right after a result of the tool of this name.'),
            reply: replySchema.describe('What it says then.'),
          }),
        )
        .default([])
        .describe('The first rule that holds answers.'),
      otherwise: replySchema.optional().describe('What it says when no rule holds; a failure when left out.'),
      latencyMs: z.number().min(0).max(600_000).default(0).describe('Milliseconds that it takes to answer.'),
    }),
  create: ({ model, rules, otherwise, latencyMs }): ChatModel => {
    const findReply = compileRules(rules, otherwise);
    return {
      name: model,
      fingerprint: hashContent({ use: identity.name, version: identity.version, model, rules, otherwise }),
      generate: async (request, { signal }) => {
        if (signal.aborted) throw cancelledFailure(signal);
        const startedAt = timeNow();
        const start = performance.now();
        const found = findReply(request);
        if (found === undefined) throw noRule(request);
        if (latencyMs > 0) {
          await wait(latencyMs, signal).catch(() => {
            throw cancelledFailure(signal);
          });
        }
        const elapsedMs = Math.round((performance.now() - start) * 1000) / 1000;
        return toReply(found, request, { model, startedAt, elapsedMs });
      },
      priceOf: async () => 0,
    };
  },
});

interface Moment {
  readonly model: string;
  readonly startedAt: string;
  readonly elapsedMs: number;
}

function toReply(found: RuleReply, request: ChatRequest, { model, startedAt, elapsedMs }: Moment): ChatReply {
  const { text, reasoning } = found;
  const toolCalls = found.toolCalls.map((call, index) => ({
    id: `call_${request.messages.length}_${index}`,
    name: call.name,
    arguments: call.arguments ?? {},
  }));
  return {
    text,
    reasoning,
    toolCalls,
    finishReason: found.finishReason ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
    message: { role: 'assistant', content: text, ...(toolCalls.length > 0 && { toolCalls }) },
    cost: 0,
    model,
    latencyMs: elapsedMs,
    attempts: [{ startedAt, waitedMs: 0, latencyMs: elapsedMs }],
    exchange: { request: JSON.parse(JSON.stringify(request)), reply: JSON.parse(JSON.stringify(found)) },
  };
}

function noRule({ messages }: ChatRequest): ModelFailure {
  const last = messages.at(-1)?.content ?? '';
  const shown = last.length > 100 ? `${last.slice(0, 100)}…` : last;
  return new ModelFailure('no-rule', `No rule of the scripted model says what to answer to "${shown}".`);
}
