import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { execPattern } from '../../core/lib/exec-pattern.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { timeNow } from '../../core/lib/time.ts';
import { wait } from '../../core/lib/waiting.ts';
import { type Json, jsonSchema, nonEmpty } from '../../core/schema/json.ts';
import { cancelledFailure } from './account/call-with-retries.ts';
import { type ChatModel, type ChatReply, type ChatRequest, defineModel, type FinishReason } from './model.ts';
import { ModelFailure } from './model-failure.ts';

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
        .array(z.strictObject({ name: nonEmpty(), arguments: jsonSchema.optional() }))
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
  words: 'without a key, test, fake, mock, rules, example, free',
  example: { rules: [{ when: 'lamp', reply: 'It costs 49 dollars.' }] },
  options: () =>
    z.strictObject({
      model: nonEmpty().default('scripted').describe('What it calls itself.'),
      rules: z
        .array(
          z.strictObject({
            when: z
              .string()
              .optional()
              .describe(
                'Text that must occur, in upper or lower case, or a `/pattern/flags`; without one, it always matches.',
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
              .describe('Matches only right after a result of the tool of this name.'),
            reply: replySchema.describe('What it says then.'),
          }),
        )
        .default([])
        .describe('The first rule that matches answers.'),
      otherwise: replySchema
        .optional()
        .describe('What it says when no rule matches; by default, that is a failure.'),
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
    exchange: { request: parseJson(JSON.stringify(request)), reply: parseJson(JSON.stringify(found)) },
  };
}

function noRule({ messages }: ChatRequest): ModelFailure {
  const last = messages.at(-1)?.content ?? '';
  const shown = last.length > 100 ? `${last.slice(0, 100)}…` : last;
  return new ModelFailure('no-rule', `No rule of the scripted model says what to answer to "${shown}".`);
}

/** The reply of a rule, as written in the options. */
type WrittenReply =
  | string
  | {
      readonly text?: string;
      readonly json?: Json;
      readonly reasoning?: string;
      readonly toolCalls?: readonly { readonly name: string; readonly arguments?: Json }[];
      readonly finishReason?: FinishReason;
    };

/** A rule, as written in the options. */
interface WrittenRule {
  readonly when?: string;
  readonly in: 'last' | 'system' | 'any';
  readonly after?: string;
  readonly reply: WrittenReply;
}

/** The reply of a rule, with the matches of its pattern filled in. */
interface RuleReply {
  readonly text: string | null;
  readonly reasoning: string | undefined;
  readonly toolCalls: readonly { readonly name: string; readonly arguments?: Json }[];
  readonly finishReason: FinishReason | undefined;
}

/** Compiles rules into a function that finds the reply to a request. Throws `model-invalid` for an invalid pattern. */
function compileRules(
  rules: readonly WrittenRule[],
  otherwise: WrittenReply | undefined,
): (request: ChatRequest) => RuleReply | undefined {
  const compiled = rules.map((rule) => ({ rule, pattern: compilePattern(rule.when) }));
  return (request) => {
    for (const { rule, pattern } of compiled) {
      if (rule.after !== undefined && lastTool(request) !== rule.after) continue;
      const found = execPattern(pattern, textFor(rule.in, request));
      if (found !== null) return fill(rule.reply, found, request);
    }
    return otherwise === undefined ? undefined : fill(otherwise, [], request);
  };
}

function compilePattern(when: string | undefined): RegExp {
  const [, source, flags] = /^\/(.+)\/([dimsuv]*)$/s.exec(when ?? '') ?? [];
  if (source === undefined) return new RegExp((when ?? '').replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'iu');
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new TouchstoneError(
      'model-invalid',
      `\`when\` of a scripted model is not a valid pattern: ${when ?? ''}`,
      {
        cause: error,
      },
    );
  }
}

function textFor(place: WrittenRule['in'], { messages }: ChatRequest): string {
  if (place === 'last') return messages.at(-1)?.content ?? '';
  const wanted = place === 'any' ? messages : messages.filter(({ role }) => role === 'system');
  return wanted.map(({ content }) => content ?? '').join('\n');
}

/** Returns the name of the tool whose result is the last message. */
function lastTool({ messages }: ChatRequest): string | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return undefined;
  const calls = messages.flatMap((message) => message.toolCalls ?? []);
  return last.name ?? calls.findLast(({ id }) => id === last.toolCallId)?.name;
}

function fill(reply: WrittenReply, found: readonly string[], request: ChatRequest): RuleReply {
  const written = typeof reply === 'string' ? { text: reply } : reply;
  const insert = (text: string) =>
    text.replaceAll(/\$(\d)/g, (_match, group: string) => found[Number(group)] ?? '');
  const { text = written.json === undefined ? undefined : writeJson(written.json, request) } = written;
  return {
    text: text === undefined ? null : insert(text),
    reasoning: written.reasoning,
    toolCalls: (written.toolCalls ?? []).map((call) => ({
      ...call,
      arguments: insertDeep(call.arguments, insert),
    })),
    finishReason: written.finishReason,
  };
}

/**
 * Writes JSON, and adds the members for which the request's schema allows a single value, as a model that follows the
 * schema would.
 */
function writeJson(json: Json, { responseSchema }: ChatRequest): string {
  const properties = responseSchema?.schema['properties'];
  if (!isRecord(json) || !isRecord(properties)) return JSON.stringify(json);
  const fixed = Object.entries(properties).flatMap(([key, schema]) => {
    const values = isRecord(schema) ? schema['enum'] : undefined;
    return Array.isArray(values) && values.length === 1 ? [[key, values[0] ?? null] as const] : [];
  });
  return JSON.stringify({
    ...json,
    ...Object.fromEntries(fixed.filter(([key]) => !Object.hasOwn(json, key))),
  });
}

function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return isContainer(value) && !Array.isArray(value);
}

function insertDeep(value: Json | undefined, insert: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return insert(value);
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map((item) => insertDeep(item, insert) ?? null);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, insertDeep(member, insert) ?? null]),
  );
}
