import { withoutUndefined } from '../../lib/without-undefined.ts';
import type { Json } from '../../schema/json.ts';
import { toTurns, type ToolResult, type Turn } from '../conversation/to-turns.ts';
import type { JsonObject, WireRequest } from '../http/protocol.ts';
import type { ChatRequest, ToolChoice, ToolSpec } from '../model.ts';

/** Writes a generateContent request, or a streamGenerateContent one. */
export function writeRequest(request: ChatRequest, model: string, extra: JsonObject): WireRequest {
  const { messages, tools = [], toolChoice, stream } = request;
  const { system, turns } = toTurns(messages);
  const { generationConfig: extraConfig, ...extraRest } = extra;
  const generationConfig = { ...writeConfig(request), ...(isObject(extraConfig) && extraConfig) };
  const body: JsonObject = {
    ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
    contents: turns.map(writeTurn),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(writeTool) }] }),
    ...(tools.length > 0 && toolChoice !== undefined && { toolConfig: writeToolChoice(toolChoice) }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    ...extraRest,
  };
  const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  const name = model.includes('/') ? model : `models/${model}`;
  return { path: `/${name.split('/').map(encodeURIComponent).join('/')}:${method}`, body };
}

function writeConfig({ temperature, topP, seed, stop, maxTokens, responseSchema }: ChatRequest): JsonObject {
  return withoutUndefined<Json>({
    temperature,
    topP,
    seed,
    stopSequences: stop?.length ? [...stop] : undefined,
    maxOutputTokens: maxTokens,
    responseMimeType: responseSchema && 'application/json',
    responseJsonSchema: responseSchema?.schema,
  });
}

function writeTool({ name, description, parameters }: ToolSpec): JsonObject {
  return { name, ...(description && { description }), parametersJsonSchema: parameters };
}

const modes: Readonly<Record<string, string>> = { auto: 'AUTO', none: 'NONE', required: 'ANY' };

function writeToolChoice(choice: ToolChoice): JsonObject {
  const config: JsonObject =
    typeof choice === 'object'
      ? { mode: 'ANY', allowedFunctionNames: [choice.tool] }
      : { mode: modes[choice] ?? 'AUTO' };
  return { functionCallingConfig: config };
}

function writeTurn(turn: Turn): JsonObject {
  if (turn.role === 'user') return { role: 'user', parts: [{ text: turn.text }] };
  if (turn.role === 'tools') return { role: 'user', parts: turn.results.map(writeResult) };
  // Thought signatures must come back with the parts they belong to.
  if (turn.continuation?.protocol === 'gemini') return { role: 'model', parts: turn.continuation.parts };
  const text = turn.text ? [{ text: turn.text }] : [];
  const calls = turn.toolCalls.map(({ name, arguments: given }) => ({
    functionCall: { name, args: isObject(given) ? given : {} },
  }));
  return { role: 'model', parts: [...text, ...calls] };
}

/** The API pairs results with calls by their order and name, and by id where it gave one itself. */
function writeResult({ id, name, content, isError }: ToolResult): JsonObject {
  const given: JsonObject = /^call_\d+(_\d+)?$/.test(id) ? {} : { id };
  return { functionResponse: { ...given, name, response: { [isError ? 'error' : 'result']: content } } };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
