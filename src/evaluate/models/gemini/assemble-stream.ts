import { z } from 'zod';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { type JsonObject, readWire, type StreamAssembler } from '../http/protocol.ts';
import { reportedFailure } from '../http/status-failure.ts';

const record = z.record(z.string(), z.unknown());

const chunkSchema = z.lazy(() =>
  z.looseObject({
    error: z.unknown().optional(),
    candidates: z
      .array(
        z.looseObject({
          content: z.looseObject({ parts: z.array(record).optional() }).optional(),
          finishReason: z.string().optional(),
        }),
      )
      .optional(),
    promptFeedback: z.looseObject({ blockReason: z.string().optional() }).optional(),
  }),
);

/** Creates an assembler of a streamGenerateContent reply. Token counts are totals, so the last ones count. */
export function assembleStream(): StreamAssembler {
  const parts: Record<string, unknown>[] = [];
  let rest: Record<string, unknown> = {};
  let finishReason: string | undefined;
  let isBlocked = false;

  const whole = (): JsonObject => {
    const candidates =
      parts.length > 0 || finishReason !== undefined
        ? [{ content: { role: 'model', parts }, finishReason }]
        : [];
    return parseJson(JSON.stringify({ ...rest, candidates })) as JsonObject;
  };

  return {
    add: (value) => {
      const chunk = readWire(chunkSchema, value);
      if (chunk.error !== undefined) throw reportedFailure(chunk.error as Json);
      const { candidates = [], ...others } = chunk;
      rest = { ...rest, ...others };
      isBlocked ||= chunk.promptFeedback?.blockReason !== undefined;
      const [candidate] = candidates;
      finishReason = candidate?.finishReason ?? finishReason;
      const added = candidate?.content?.parts ?? [];
      for (const part of added) addPart(parts, part);
      return added.some(({ text }) => text !== '');
    },
    finish: () => (finishReason === undefined && !isBlocked ? undefined : whole()),
    soFar: whole,
  };
}

/** Adds a part. Pieces of one text are joined to one part; a signature ends it. */
function addPart(parts: Record<string, unknown>[], part: Record<string, unknown>): void {
  const last = parts.at(-1);
  const isMore =
    last !== undefined &&
    typeof last['text'] === 'string' &&
    typeof part['text'] === 'string' &&
    last['thought'] === part['thought'] &&
    last['thoughtSignature'] === undefined;
  if (isMore) Object.assign(last, part, { text: `${String(last['text'])}${String(part['text'])}` });
  else parts.push({ ...part });
}
