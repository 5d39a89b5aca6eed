import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { limitConcurrency } from '../../../core/lib/waiting.ts';
import type { Json } from '../../../core/schema/json.ts';
import { splitThinking, type ToolResult, toTurns, type Turn } from '../conversation.ts';
import type { ReplyParts } from '../http/protocol.ts';
import type { ChatRequest, FinishReason } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import type { LlamaPackage, LlamaResponse, LlamaSequence } from './llama-package.ts';

/** The settings of a loaded file. */
export interface LocalModelSettings {
  readonly modelPath: string;
  readonly contextSize?: number;
  readonly gpuLayers?: number;
  readonly threads?: number;
  readonly maxConcurrency: number;
}

/** The reply of one call. */
export interface LocalReply {
  readonly parts: ReplyParts;
  readonly response: LlamaResponse;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly firstTokenAt: number | undefined;
}

/** A loaded model. */
export interface LocalModel {
  /**
   * Asks the model. Throws `ModelFailure` with the code `bad-request` for a conversation that does not fit into the
   * context.
   */
  ask(request: ChatRequest, signal: AbortSignal): Promise<LocalReply>;
  close(): Promise<void>;
}

/** The largest context when the settings give no size: a file may allow 100,000 tokens, which take all memory. */
const usualContextSize = 8192;

/**
 * The number of tokens before the end of the context at which a reply is ended: the package itself would cut off the
 * beginning.
 */
const spareTokens = 8;

/** Loads a GGUF file. */
export async function loadLocalModel(
  { getLlama, LlamaChat }: LlamaPackage,
  settings: LocalModelSettings,
): Promise<LocalModel> {
  const { modelPath, contextSize = { max: usualContextSize }, gpuLayers, maxConcurrency } = settings;
  const llama = await getLlama({ logLevel: 'error', build: 'never' });
  // One core is left to the process that waits for the answers: a thread that shares its core slows down all others.
  const { threads = Math.max(1, llama.cpuMathCores - 1) } = settings;
  const load = async () => {
    const model = await llama.loadModel({ modelPath, gpuLayers });
    return { model, context: await model.createContext({ contextSize, sequences: maxConcurrency, threads }) };
  };
  const { model, context } = await load().catch(async (error: unknown) => {
    await llama.dispose();
    throw error;
  });
  // Never disposed: a sequence frees its place only some time after that.
  const free = Array.from({ length: maxConcurrency }, () => context.getSequence());
  const limit = limitConcurrency(maxConcurrency);

  const askWith = async (
    contextSequence: LlamaSequence,
    request: ChatRequest,
    signal: AbortSignal,
  ): Promise<LocalReply> => {
    signal.throwIfAborted();
    const before = contextSequence.tokenMeter.getState();
    const chat = new LlamaChat({ contextSequence });
    const full = new AbortController();
    let firstTokenAt: number | undefined;
    try {
      const { responseSchema } = request;
      const grammar =
        responseSchema && (await llama.createGrammarForJsonSchema(toGrammarSchema(responseSchema.schema)));
      const response = await chat.generateResponse(toHistory(request), {
        ...toOptions(request),
        grammar,
        signal: AbortSignal.any([signal, full.signal]),
        stopOnAbortSignal: true,
        contextShift: { size: () => refuseTooLong(context.contextSize) },
        onToken: () => {
          firstTokenAt ??= performance.now();
          if (contextSequence.nextTokenIndex >= context.contextSize - spareTokens) full.abort();
        },
      });
      signal.throwIfAborted();
      const { usedInputTokens, usedOutputTokens } = contextSequence.tokenMeter.diff(before);
      const usage = { inputTokens: usedInputTokens, outputTokens: usedOutputTokens };
      return { parts: { ...readResponse(response), usage }, response, firstTokenAt };
    } finally {
      chat.dispose({ disposeSequence: false });
      await contextSequence.clearHistory();
    }
  };
  return {
    ask: (request, signal) =>
      limit(async () => {
        const sequence = free.pop() as LlamaSequence;
        return await askWith(sequence, request, signal).finally(() => free.push(sequence));
      }),
    close: async () => {
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };
}

/** Throws in place of cutting off the beginning of a conversation, which would change the question. */
function refuseTooLong(contextSize: number): never {
  throw new ModelFailure(
    'bad-request',
    `The conversation does not fit into the context of ${contextSize} tokens. Set a larger \`contextSize\` for the model, or send less.`,
  );
}

function toOptions({
  tools = [],
  toolChoice,
  temperature,
  topP,
  seed,
  stop,
  maxTokens,
  responseSchema,
}: ChatRequest): object {
  const functions = Object.fromEntries(
    tools.map(({ name, description, parameters }) => [name, { description, params: parameters }]),
  );
  // A grammar and functions exclude each other.
  const isWithTools = tools.length > 0 && toolChoice !== 'none' && responseSchema === undefined;
  return { temperature, topP, seed, customStopTriggers: stop, maxTokens, ...(isWithTools && { functions }) };
}

function readResponse({ response, fullResponse, functionCalls = [], metadata }: LlamaResponse): ReplyParts {
  const { text, reasoning } = splitThinking(response);
  const segments = fullResponse.flatMap((part) => (typeof part === 'object' ? [part.text] : []));
  const thoughts = [...segments, reasoning ?? '']
    .map((thought) => thought.trim())
    .filter((thought) => thought !== '');
  return {
    text: text || null,
    reasoning: thoughts.join('\n\n') || undefined,
    toolCalls: functionCalls.map(({ functionName, params }, index) => ({
      id: `call_${index}`,
      name: functionName,
      arguments: parseJson(JSON.stringify(params ?? {})),
    })),
    finishReason: reasons[metadata.stopReason] ?? 'other',
  };
}

const reasons: Readonly<Record<string, FinishReason>> = {
  eogToken: 'stop',
  stopGenerationTrigger: 'stop',
  customStopTrigger: 'stop',
  functionCalls: 'tool-calls',
  maxTokens: 'length',
  abort: 'length',
};

/** Writes a conversation as node-llama-cpp's chat history, which ends with the reply that is still to be written. */
export function toHistory({ messages }: Pick<ChatRequest, 'messages'>): object[] {
  const { system, turns } = toTurns({ messages });
  const history: { type: string; text?: string; response?: unknown[] }[] =
    system === undefined ? [] : [{ type: 'system', text: system }];
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'user') history.push({ type: 'user', text: turn.text });
    if (turn.role !== 'assistant') continue;
    const response = toResponse(turn, turns[index + 1]);
    const last = history.at(-1);
    // A step after a tool's result continues the same reply.
    if (last?.response === undefined) history.push({ type: 'model', response });
    else last.response.push(...response);
  }
  if (history.at(-1)?.type !== 'model') history.push({ type: 'model', response: [] });
  return history;
}

function toResponse(turn: Extract<Turn, { role: 'assistant' }>, next: Turn | undefined): unknown[] {
  const results = next?.role === 'tools' ? next.results : [];
  const calls = turn.toolCalls.map(({ id, name, arguments: params }, index) => ({
    type: 'functionCall',
    name,
    params,
    result: resultOf(results.find((result) => result.id === id)),
    startsNewChunk: index === 0,
  }));
  return turn.text ? [turn.text, ...calls] : calls;
}

function resultOf(result: ToolResult | undefined): Json {
  if (result === undefined) return null;
  return result.isError ? { error: result.content } : result.content;
}

type Schema = { readonly [key: string]: Json };

/** The largest length of a text without a bound of its own: a small model may repeat itself endlessly. */
const longestText = 2000;

/** The largest number of values that are listed in place of bounds. */
const mostValues = 200;

/** The number of steps between the bounds of a number. */
const steps = 20;

/**
 * Writes a JSON Schema as a grammar of node-llama-cpp. Grammars have no bounds of numbers, so the values between them
 * are listed; for numbers with a fraction, 21 values at equal distances. Texts get a maximum length.
 */
export function toGrammarSchema(schema: Schema): Schema {
  const { minimum: least, maximum: most, type } = schema;
  if (schema['enum'] !== undefined) return schema;
  if (typeof least === 'number' && typeof most === 'number') {
    const values = listValues(least, most, type === 'integer');
    if (values !== undefined) return { enum: values };
  }
  if (type === 'string' && schema['maxLength'] === undefined) return { ...schema, maxLength: longestText };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, convert(key, value)]));
}

function convert(key: string, value: Json): Json {
  if (!isSchema(value)) return value;
  if (key === 'items') return toGrammarSchema(value);
  if (key !== 'properties') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [
      name,
      isSchema(inside) ? toGrammarSchema(inside) : inside,
    ]),
  );
}

function listValues(least: number, most: number, isWhole: boolean): number[] | undefined {
  const count = isWhole ? Math.floor(most) - Math.ceil(least) : steps;
  if (!(count >= 0 && count < mostValues)) return undefined;
  return Array.from({ length: count + 1 }, (_, index) =>
    isWhole ? Math.ceil(least) + index : Number((least + ((most - least) * index) / steps).toPrecision(6)),
  );
}

function isSchema(value: Json): value is Schema {
  return isContainer(value) && !Array.isArray(value);
}
