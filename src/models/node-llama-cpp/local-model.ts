import { limitConcurrency } from '../../lib/limit-concurrency.ts';
import { splitThinking } from '../conversation/split-thinking.ts';
import type { ReplyParts } from '../http/protocol.ts';
import { type ChatRequest, type FinishReason, ModelFailure } from '../model.ts';
import type { LlamaPackage, LlamaResponse, LlamaSequence } from './llama-package.ts';
import { toGrammarSchema } from './to-grammar-schema.ts';
import { toHistory } from './to-history.ts';

/** Which file is loaded, and how much of it at a time. */
export interface LocalModelSettings {
  readonly modelPath: string;
  readonly contextSize?: number | undefined;
  readonly gpuLayers?: number | undefined;
  readonly threads?: number | undefined;
  readonly maxConcurrency: number;
}

/** What one call gave. */
export interface LocalReply {
  readonly parts: ReplyParts;
  readonly response: LlamaResponse;
  /** On the clock of `performance.now()`. */
  readonly firstTokenAt: number | undefined;
}

/** A loaded model. */
export interface LocalModel {
  /** Throws `ModelFailure` with the code `bad-request` for a conversation that does not fit into the context. */
  ask(request: ChatRequest, signal: AbortSignal): Promise<LocalReply>;
  close(): Promise<void>;
}

/** Most tokens of a conversation where the settings name no size: a file may allow 100,000, which take all memory. */
const usualContextSize = 8192;

/** How many tokens before the end of the context a reply is ended: the package itself would cut off the beginning. */
const spareTokens = 8;

/** Loads a GGUF file. */
export async function loadLocalModel(
  { getLlama, LlamaChat }: LlamaPackage,
  settings: LocalModelSettings,
): Promise<LocalModel> {
  const { modelPath, contextSize = { max: usualContextSize }, gpuLayers, maxConcurrency } = settings;
  const llama = await getLlama({ logLevel: 'error', build: 'never' });
  // One core is left to whatever waits for the answers: a thread that has to share its core holds up all others.
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

/** In place of cutting off the beginning of a conversation: what was asked would no longer be what is answered. */
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
      arguments: JSON.parse(JSON.stringify(params ?? {})),
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
