import { z } from 'zod';
import { messageOf } from '../../../core/errors.ts';
import { nameOf } from '../../../core/attachments/openai-parts.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { SecretRedactor } from '../../../core/lib/redact-secrets.ts';
import { withoutUndefined } from '../../../core/lib/objects.ts';
import { cancelledFailure, type Tried } from '../account/call-with-retries.ts';
import { toTurns, type Turn } from '../conversation.ts';
import type { SentPieces } from '../sent-files.ts';
import { reportedFailure, statusFailure } from '../http/status-failure.ts';
import type { ChatRequest } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { type Generated, generatedSchema, type LanguageModel } from './language-model.ts';

/** The reply to one request to an AI SDK model. */
export interface Answered {
  readonly generated: Generated;
  readonly firstTokenMs?: number;
}

/** The limits of one request, and the redactor of secrets in its failure. */
export interface AskSettings {
  readonly signal: AbortSignal;
  readonly timeLimitMs: number;
  readonly redactor: SecretRedactor;
}

/** Asks a model once, within a time limit. Never throws. */
export async function askModel(
  model: LanguageModel,
  request: ChatRequest,
  { signal, timeLimitMs, redactor }: AskSettings,
): Promise<Tried<Answered>> {
  const controller = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (failure: ModelFailure) => {
    controller.abort(failure);
    reject(failure);
  };
  const onAbort = () => end(cancelledFailure(signal));
  const timer = setTimeout(
    () => end(new ModelFailure('timeout', `no reply within ${timeLimitMs} ms`, { retryable: true })),
    timeLimitMs,
  );
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const sent = performance.now();
    const work =
      request.stream === true
        ? stream(model, request, controller.signal)
        : generate(model, request, controller.signal);
    const { generated, firstTokenAt } = await Promise.race([work, ended]);
    return {
      value: { generated, firstTokenMs: firstTokenAt === undefined ? undefined : firstTokenAt - sent },
    };
  } catch (error) {
    return { failure: toFailure(error, redactor) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function generate(model: LanguageModel, request: ChatRequest, signal: AbortSignal) {
  const generated = generatedSchema.parse(await model.doGenerate(toCallOptions(request, signal)));
  return { generated, firstTokenAt: undefined };
}

async function stream(model: LanguageModel, request: ChatRequest, signal: AbortSignal) {
  return await collectStream(await model.doStream(toCallOptions(request, signal)));
}

interface ApiError {
  readonly statusCode?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: unknown;
  readonly isRetryable?: unknown;
}

/** Converts an error of the SDK, which carries the status and headers of the reply. */
function toFailure(error: unknown, redactor: SecretRedactor): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const {
    statusCode: status,
    responseHeaders: headers = {},
    responseBody,
    isRetryable,
  } = (error ?? {}) as ApiError;
  const message = redactor.text(messageOf(error));
  if (typeof status === 'number') {
    const text = typeof responseBody === 'string' && responseBody !== '' ? responseBody : message;
    return statusFailure({ status, headers, text, redact: redactor.text });
  }
  if (isRetryable === true) return new ModelFailure('connection-failed', message, { retryable: true });
  if (error instanceof Error) return new ModelFailure('model-threw', message, { cause: error });
  return reportedFailure(
    typeof error === 'object' && error !== null ? redactor.json(parseJson(JSON.stringify(error))) : message,
  );
}

/** Writes a request as the options of an AI SDK model's `doGenerate`. */
function toCallOptions(request: ChatRequest, signal: AbortSignal): Record<string, unknown> {
  const { tools = [], toolChoice, responseSchema, temperature, topP, seed, stop, maxTokens } = request;
  const { system, turns } = toTurns(request);
  const instruction = system === undefined ? [] : [{ role: 'system', content: system }];
  return withoutUndefined<unknown>({
    prompt: [...instruction, ...turns.map(toMessage)],
    temperature,
    topP,
    seed,
    stopSequences: stop === undefined ? undefined : [...stop],
    maxOutputTokens: maxTokens,
    tools:
      tools.length === 0
        ? undefined
        : tools.map(({ name, description, parameters }) => ({
            type: 'function',
            name,
            description,
            inputSchema: parameters,
          })),
    toolChoice: tools.length === 0 ? undefined : toToolChoice(toolChoice),
    responseFormat: responseSchema && {
      type: 'json',
      schema: responseSchema.schema,
      name: responseSchema.name,
    },
    abortSignal: signal,
  });
}

function toToolChoice(choice: ChatRequest['toolChoice']): object | undefined {
  if (choice === undefined) return undefined;
  return typeof choice === 'object' ? { type: 'tool', toolName: choice.tool } : { type: choice };
}

function toPart(piece: SentPieces[number]): object {
  if ('text' in piece) return { type: 'text', text: piece.text };
  const { mediaType, base64: data } = piece.file;
  return { type: 'file', mediaType, data, filename: nameOf(piece.file) };
}

function toMessage(turn: Turn): object {
  if (turn.role === 'user')
    return { role: 'user', content: turn.pieces?.map(toPart) ?? [{ type: 'text', text: turn.text }] };
  if (turn.role === 'tools') {
    const results = turn.results.map(({ id, name, content, isError }) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: name,
      output: { type: isError ? 'error-text' : 'text', value: content },
    }));
    return { role: 'tool', content: results };
  }
  if (turn.continuation?.protocol === 'ai-sdk')
    return { role: 'assistant', content: turn.continuation.parts };
  const text = turn.text ? [{ type: 'text', text: turn.text }] : [];
  const calls = turn.toolCalls.map(({ id, name, arguments: input }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input,
  }));
  return { role: 'assistant', content: [...text, ...calls] };
}

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

/** An assembled streamed reply, with the time of its first token. */
interface CollectedStream {
  readonly generated: Generated;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly firstTokenAt: number | undefined;
}

interface Block {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerMetadata?: unknown;
}

/**
 * Reads the stream of `doStream` to its end. Throws `ModelFailure` when it ends early, or the error that it reports.
 */
async function collectStream(streamed: unknown): Promise<CollectedStream> {
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

/** Adds a piece of text or reasoning to its block. Returns the block when the piece opens it. */
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
