import { z } from 'zod';
import { ModelFailure } from '../model.ts';
import { type Generated, generatedSchema } from './language-model.ts';

const streamedSchema = z.object({
  stream: z.custom<ReadableStream<unknown>>((value) => value instanceof ReadableStream),
});

const partSchema = z.lazy(() =>
  z.looseObject({
    type: z.string(),
    id: z.string().optional(),
    delta: z.string().optional(),
    modelId: z.string().optional(),
    providerMetadata: z.unknown().optional(),
    error: z.unknown().optional(),
  }),
);
type Part = z.output<typeof partSchema>;

/** A streamed reply put together, with the time at which its first token came. */
export interface CollectedStream {
  readonly generated: Generated;
  /** On the clock of `performance.now()`. */
  readonly firstTokenAt: number | undefined;
}

interface Block {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerMetadata?: unknown;
}

/** Reads what `doStream` gives to its end. Throws `ModelFailure` when it ends early, or the error that it reports. */
export async function collectStream(streamed: unknown): Promise<CollectedStream> {
  const content: (Block | Part)[] = [];
  const blocks = new Map<string, Block>();
  let firstTokenAt: number | undefined;
  let end: Part | undefined;
  let modelId: string | undefined;
  for await (const value of streamedSchema.parse(streamed).stream) {
    const part = partSchema.parse(value);
    if (part.type === 'error') throw part.error;
    if (/-delta$|^tool-(call|input-start)$/.test(part.type)) firstTokenAt ??= performance.now();
    if (part.type === 'tool-call') content.push(part);
    if (part.type === 'response-metadata') modelId = part.modelId ?? modelId;
    if (part.type === 'finish') end = part;
    const opened = addToBlock(blocks, part);
    if (opened !== undefined) content.push(opened);
  }
  if (end === undefined) {
    const message = 'The stream ended before the reply was complete.';
    throw new ModelFailure('connection-failed', message, { retryable: true });
  }
  const { finishReason, usage } = end;
  const response = modelId === undefined ? {} : { modelId };
  return { generated: generatedSchema.parse({ content, finishReason, usage, response }), firstTokenAt };
}

/** Takes in a piece of a text or a thought; gives the block when the piece opens it. */
function addToBlock(blocks: Map<string, Block>, part: Part): Block | undefined {
  const [, type, step] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? [];
  if (type === undefined) return undefined;
  const key = `${type} ${part.id ?? ''}`;
  if (step === 'start') {
    const block: Block = { type: type as Block['type'], text: '' };
    blocks.set(key, block);
    return block;
  }
  const block = blocks.get(key);
  if (block === undefined) return undefined;
  block.text += part.delta ?? '';
  if (part.providerMetadata !== undefined) block.providerMetadata = part.providerMetadata;
  return undefined;
}
