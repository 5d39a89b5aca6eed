import { z } from 'zod';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { type JsonObject, readWire, type StreamAssembler } from '../http/protocol.ts';
import { reportedFailure } from '../http/status-failure.ts';

const record = z.record(z.string(), z.unknown());

const eventSchema = z.lazy(() =>
  z.looseObject({
    type: z.string(),
    message: record.optional(),
    index: z.int().nonnegative().optional(),
    content_block: record.optional(),
    delta: record.optional(),
    usage: record.nullish(),
    error: z.unknown().optional(),
  }),
);

type Block = Record<string, unknown>;

/** The member of a block that each kind of delta adds to. */
const deltaFields: Readonly<Record<string, readonly [from: string, to: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['signature', 'signature'],
  input_json_delta: ['partial_json', 'written'],
};

/** Creates an assembler of a streamed Messages reply. */
export function assembleStream(): StreamAssembler {
  const blocks = new Map<number, Block>();
  let message: Block = {};
  let usage: Block = {};
  let isComplete = false;

  const addDelta = (index: number, delta: Block): boolean => {
    const block = blocks.get(index) ?? { type: 'text' };
    blocks.set(index, block);
    const [from, to] = deltaFields[String(delta['type'])] ?? [];
    const added = from === undefined ? undefined : delta[from];
    if (to === undefined || typeof added !== 'string') return false;
    block[to] = `${typeof block[to] === 'string' ? block[to] : ''}${added}`;
    return added !== '';
  };

  const whole = (): JsonObject => {
    const content = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => toBlock(block));
    return { ...message, content, usage } as JsonObject;
  };

  return {
    add: (value) => {
      const event = readWire(eventSchema, value);
      const { index = 0, delta = {} } = event;
      switch (event.type) {
        case 'error':
          throw reportedFailure((event.error ?? null) as Json);
        case 'message_start':
          message = event.message ?? {};
          usage = (message['usage'] as Block | undefined) ?? {};
          return false;
        case 'content_block_start':
          blocks.set(index, { ...event.content_block });
          return event.content_block?.['type'] !== 'text' && event.content_block?.['type'] !== 'thinking';
        case 'content_block_delta':
          return addDelta(index, delta);
        case 'message_delta':
          message = { ...message, ...delta };
          usage = { ...usage, ...event.usage };
          return false;
        case 'message_stop':
          isComplete = true;
          return false;
        default:
          return false; // `ping`, the ends of blocks, and whatever is added later.
      }
    },
    isOver: () => isComplete,
    finish: () => (isComplete ? whole() : undefined),
    soFar: whole,
  };
}

/** Parses the arguments of a block; unreadable ones stay a text. */
function toBlock({ written, ...block }: Block): Block {
  if (typeof written !== 'string' || written === '') return block;
  try {
    return { ...block, input: parseJson(written) as unknown };
  } catch {
    return { ...block, input: written };
  }
}
