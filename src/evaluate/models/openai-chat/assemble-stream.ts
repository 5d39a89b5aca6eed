import { z } from 'zod';
import type { Json } from '../../../core/schema/json.ts';
import { type JsonObject, readWire, type StreamAssembler } from '../http/protocol.ts';
import { reportedFailure } from '../http/status-failure.ts';

const piece = z.string().nullish();

const deltaSchema = z.lazy(() =>
  z.looseObject({
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional(),
    refusal: piece,
    reasoning_content: piece,
    reasoning: piece,
    reasoning_details: z.array(z.looseObject({ type: z.string() })).nullish(),
    tool_calls: z
      .array(
        z.looseObject({
          index: z.int().nonnegative().nullish(),
          id: piece,
          function: z.looseObject({ name: piece, arguments: piece }).nullish(),
        }),
      )
      .nullish(),
  }),
);

const chunkSchema = z.lazy(() =>
  z.looseObject({
    object: z.string().nullish(),
    model: z.string().nullish(),
    error: z.unknown().optional(),
    choices: z
      .array(
        z.looseObject({
          index: z.int().nullish(),
          delta: deltaSchema.nullish(),
          finish_reason: z.string().nullish(),
        }),
      )
      .nullish(),
    usage: z.looseObject({}).nullish(),
  }),
);

interface ToolCallPieces {
  id: string;
  name: string;
  arguments: string;
}

const textFields = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;

/** Creates an assembler of a streamed chat completion. */
export function assembleStream(): StreamAssembler {
  const texts: Record<string, string> = {};
  const details: Json[] = [];
  const parts: Json[] = [];
  const calls = new Map<number, ToolCallPieces>();
  let nextPlace = 0;
  let [model, usage, finish]: [Json, Json, string | undefined] = [null, null, undefined];

  const addDelta = (delta: z.output<typeof deltaSchema>): boolean => {
    let hasToken = false;
    for (const field of textFields) {
      const text = delta[field];
      if (typeof text !== 'string' || text === '') continue;
      texts[field] = (texts[field] ?? '') + text;
      hasToken = true;
    }
    if (Array.isArray(delta.content)) parts.push(...(delta.content as Json[]));
    details.push(...((delta.reasoning_details ?? []) as Json[]));
    for (const call of delta.tool_calls ?? []) addCall(call);
    return hasToken || parts.length > 0 || details.length > 0 || calls.size > 0;
  };

  const addCall = ({
    index,
    id,
    function: called,
  }: NonNullable<z.output<typeof deltaSchema>['tool_calls']>[number]) => {
    // Some servers leave out the index; then a new id is a new call.
    const place = index ?? (id ? nextPlace : Math.max(0, nextPlace - 1));
    nextPlace = Math.max(nextPlace, place + 1);
    const call = calls.get(place) ?? { id: '', name: '', arguments: '' };
    calls.set(place, call);
    call.id ||= id ?? '';
    call.name ||= called?.name ?? '';
    call.arguments += called?.arguments ?? '';
  };

  const whole = (): JsonObject => {
    const content =
      parts.length > 0
        ? [...parts, { type: 'text', text: texts['content'] ?? '' }]
        : (texts['content'] ?? null);
    const message: JsonObject = { role: 'assistant', ...texts, content };
    if (details.length > 0) message['reasoning_details'] = details;
    const made = [...calls].sort(([a], [b]) => a - b).map(([, call]) => toToolCall(call));
    if (made.length > 0) message['tool_calls'] = made;
    return {
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message, finish_reason: finish ?? null }],
      usage,
    };
  };

  return {
    add: (value) => {
      const chunk = readWire(chunkSchema, value);
      const error = chunk.object === 'error' ? chunk : (chunk.error ?? null);
      if (error !== null) throw reportedFailure(error as Json);
      model = chunk.model ?? model;
      usage = (chunk.usage as Json | undefined) ?? usage;
      const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
      finish = choice?.finish_reason ?? finish;
      return choice?.delta ? addDelta(choice.delta) : false;
    },
    finish: () => (finish === undefined ? undefined : whole()),
    soFar: whole,
  };
}

function toToolCall({ id, name, arguments: args }: ToolCallPieces): JsonObject {
  return { id, type: 'function', function: { name, arguments: args } };
}
