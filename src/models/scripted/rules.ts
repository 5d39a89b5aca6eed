import { execPattern } from '../../lib/exec-pattern.ts';
import { TouchstoneError } from '../../errors.ts';
import type { Json } from '../../schema/json.ts';
import type { ChatRequest, FinishReason } from '../model.ts';

/** What a rule says, as it is written. */
export type WrittenReply =
  | string
  | {
      readonly text?: string | undefined;
      readonly json?: Json | undefined;
      readonly reasoning?: string | undefined;
      readonly toolCalls?:
        | readonly { readonly name: string; readonly arguments?: Json | undefined }[]
        | undefined;
      readonly finishReason?: FinishReason | undefined;
    };

/** A rule as it is written. */
export interface WrittenRule {
  readonly when?: string | undefined;
  readonly in: 'last' | 'system' | 'any';
  readonly after?: string | undefined;
  readonly reply: WrittenReply;
}

/** What a rule says, with what its pattern found filled in. */
export interface RuleReply {
  readonly text: string | null;
  readonly reasoning: string | undefined;
  readonly toolCalls: readonly { readonly name: string; readonly arguments?: Json | undefined }[];
  readonly finishReason: FinishReason | undefined;
}

/** Makes a function that finds what to answer. Throws `model-invalid` for a pattern that is none. */
export function compileRules(
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
    throw new TouchstoneError('model-invalid', `\`when\` of a scripted model is no pattern: ${when ?? ''}`, {
      cause: error,
    });
  }
}

function textFor(place: WrittenRule['in'], { messages }: ChatRequest): string {
  if (place === 'last') return messages.at(-1)?.content ?? '';
  const wanted = place === 'any' ? messages : messages.filter(({ role }) => role === 'system');
  return wanted.map(({ content }) => content ?? '').join('\n');
}

/** The tool whose result the last message is. */
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

/** With what the schema of the request leaves no choice about, as a model that is held to it would write it. */
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
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function insertDeep(value: Json | undefined, insert: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return insert(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => insertDeep(item, insert) ?? null);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, insertDeep(member, insert) ?? null]),
  );
}
