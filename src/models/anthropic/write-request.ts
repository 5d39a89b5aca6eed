import { withoutUndefined } from '../../lib/without-undefined.ts';
import type { Json } from '../../schema/json.ts';
import { toTurns, type Turn } from '../conversation/to-turns.ts';
import type { JsonObject, WireRequest } from '../http/protocol.ts';
import { simplifySchema } from '../http/simplify-schema.ts';
import type { ChatRequest, ToolChoice, ToolSpec } from '../model.ts';

/** What a request needs to be told beside the conversation. */
export interface AnthropicDialect {
  readonly model: string;
  /** The API wants a limit with every request. */
  readonly defaultMaxTokens: number;
  readonly structuredOutput: 'output-format' | 'tool';
  readonly extra: JsonObject;
}

/** Writes a Messages request. A seed is left out: the API knows none. */
export function writeRequest(request: ChatRequest, dialect: AnthropicDialect): WireRequest {
  const { temperature, topP, stop, maxTokens, stream, responseSchema, messages } = request;
  const { system, turns } = toTurns(messages);
  const format = dialect.structuredOutput === 'output-format' && responseSchema !== undefined;
  const settings = withoutUndefined<Json>({
    system,
    temperature,
    top_p: topP,
    stop_sequences: stop?.length ? [...stop] : undefined,
    ...writeTools(request, dialect),
    // The API refuses a schema with bounds, and takes its time over each one that it has not seen.
    output_config: format
      ? { format: { type: 'json_schema', schema: simplifySchema(responseSchema.schema, { bounds: true }) } }
      : undefined,
    stream: stream ? true : undefined,
  });
  const body = {
    model: dialect.model,
    max_tokens: maxTokens ?? dialect.defaultMaxTokens,
    messages: turns.map(writeTurn),
    ...settings,
    ...dialect.extra,
  };
  return { path: '/messages', body };
}

/** The name of the tool by which an answer in JSON is asked for where the API has no other way. */
export const answerTool = 'give_answer';

function writeTools(
  request: ChatRequest,
  { structuredOutput }: AnthropicDialect,
): { tools?: JsonObject[]; tool_choice?: JsonObject | undefined } {
  const { tools = [], toolChoice, responseSchema } = request;
  const isByTool = structuredOutput === 'tool' && responseSchema !== undefined;
  const all: JsonObject[] = [
    ...tools.map(writeTool),
    ...(isByTool
      ? [writeTool({ name: answerTool, description: 'Gives the answer.', parameters: responseSchema.schema })]
      : []),
  ];
  if (all.length === 0) return {};
  const choice =
    isByTool && tools.length === 0 ? { type: 'tool', name: answerTool } : writeToolChoice(toolChoice);
  return { tools: all, tool_choice: choice };
}

function writeTool({ name, description, parameters }: ToolSpec): JsonObject {
  return { name, ...(description && { description }), input_schema: parameters };
}

function writeToolChoice(choice: ToolChoice | undefined): JsonObject | undefined {
  if (choice === undefined) return undefined;
  if (typeof choice === 'object') return { type: 'tool', name: choice.tool };
  return { type: choice === 'required' ? 'any' : choice };
}

function writeTurn(turn: Turn): JsonObject {
  if (turn.role === 'user') return { role: 'user', content: turn.text };
  if (turn.role === 'tools') {
    const results = turn.results.map(({ id, content, isError }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content,
      ...(isError && { is_error: true }),
    }));
    return { role: 'user', content: results };
  }
  // Signed thinking must come back as it was, before the tool calls that it led to.
  if (turn.continuation?.protocol === 'anthropic')
    return { role: 'assistant', content: turn.continuation.parts };
  const text = turn.text ? [{ type: 'text', text: turn.text }] : [];
  const calls = turn.toolCalls.map(({ id, name, arguments: given }) => ({
    type: 'tool_use',
    id,
    name,
    input: typeof given === 'object' ? given : {},
  }));
  return { role: 'assistant', content: [...text, ...calls] };
}
