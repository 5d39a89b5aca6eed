import { withoutUndefined } from '../../lib/without-undefined.ts';
import type { Json } from '../../schema/json.ts';
import { toTurns, type Turn } from '../conversation/to-turns.ts';
import type { JsonObject, WireRequest } from '../http/protocol.ts';
import { type SchemaLimits, simplifySchema } from '../http/simplify-schema.ts';
import { isStrictSchema } from './is-strict-schema.ts';
import type { ChatRequest, ToolChoice } from '../model.ts';

/** In what way the API differs from OpenAI's own. */
export interface OpenaiDialect {
  readonly model: string;
  /** `max_completion_tokens` with OpenAI and Azure, `max_tokens` with all others. */
  readonly maxTokensField: string;
  readonly structuredOutput: 'json-schema' | 'json-object' | 'none';
  /** Set where the server compiles schemas and keeps them. */
  readonly schemaLimits?: SchemaLimits | undefined;
  readonly extra: JsonObject;
}

/** Writes a chat completion request. */
export function writeRequest(request: ChatRequest, dialect: OpenaiDialect): WireRequest {
  const { temperature, topP, seed, stop, maxTokens, stream, tools = [], toolChoice } = request;
  const settings = withoutUndefined<Json>({
    temperature,
    top_p: topP,
    seed,
    stop: stop?.length ? [...stop] : undefined,
    [dialect.maxTokensField]: maxTokens,
    tools: tools.length > 0 ? tools.map(writeTool) : undefined,
    tool_choice: tools.length > 0 ? writeToolChoice(toolChoice) : undefined,
    response_format: writeFormat(request.responseSchema, dialect),
    stream: stream ? true : undefined,
    stream_options: stream ? { include_usage: true } : undefined,
  });
  const body = { model: dialect.model, messages: writeMessages(request), ...settings, ...dialect.extra };
  return { path: '/chat/completions', body };
}

function writeMessages({ messages }: ChatRequest): JsonObject[] {
  const { system, turns } = toTurns(messages);
  const first: JsonObject[] = system === undefined ? [] : [{ role: 'system', content: system }];
  return [...first, ...turns.flatMap(writeTurn)];
}

function writeTurn(turn: Turn): JsonObject[] {
  if (turn.role === 'user') return [{ role: 'user', content: turn.text }];
  if (turn.role === 'tools') {
    return turn.results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content }));
  }
  const calls = turn.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));
  if (calls.length === 0) return [{ role: 'assistant', content: turn.text ?? '' }];
  const thoughts =
    turn.continuation?.protocol === 'openai-chat' ? (turn.continuation.parts as JsonObject) : {};
  return [{ role: 'assistant', content: turn.text, tool_calls: calls, ...thoughts }];
}

function writeTool({ name, description, parameters }: NonNullable<ChatRequest['tools']>[number]): JsonObject {
  return { type: 'function', function: { name, ...(description && { description }), parameters } };
}

function writeToolChoice(choice: ToolChoice | undefined): Json | undefined {
  if (typeof choice !== 'object') return choice;
  return { type: 'function', function: { name: choice.tool } };
}

function writeFormat(
  wanted: ChatRequest['responseSchema'],
  { structuredOutput, schemaLimits }: OpenaiDialect,
): JsonObject | undefined {
  if (wanted === undefined || structuredOutput === 'none') return undefined;
  if (structuredOutput === 'json-object') return { type: 'json_object' };
  const { name } = wanted;
  const schema = schemaLimits === undefined ? wanted.schema : simplifySchema(wanted.schema, schemaLimits);
  return { type: 'json_schema', json_schema: { name, schema, strict: isStrictSchema(schema) } };
}
