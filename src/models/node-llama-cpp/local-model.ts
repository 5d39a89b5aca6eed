import { splitThinking } from '../conversation/split-thinking.ts';
import type { ReplyParts } from '../http/protocol.ts';
import type { ChatRequest, FinishReason } from '../model.ts';
import type { LlamaPackage, LlamaResponse } from './llama-package.ts';
import { toHistory } from './to-history.ts';

/** Which file is loaded, and how much of it at a time. */
export interface LocalModelSettings {
  readonly modelPath: string;
  readonly contextSize?: number | undefined;
  readonly gpuLayers?: number | undefined;
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
  ask(request: ChatRequest, signal: AbortSignal): Promise<LocalReply>;
  close(): Promise<void>;
}

/** Loads a GGUF file. */
export async function loadLocalModel(
  { getLlama, LlamaChat }: LlamaPackage,
  settings: LocalModelSettings,
): Promise<LocalModel> {
  const { modelPath, contextSize, gpuLayers, maxConcurrency } = settings;
  const llama = await getLlama({ logLevel: 'error', build: 'never' });
  const model = await llama.loadModel({ modelPath, gpuLayers });
  const context = await model.createContext({ contextSize, sequences: maxConcurrency });

  const ask = async (request: ChatRequest, signal: AbortSignal): Promise<LocalReply> => {
    const contextSequence = context.getSequence();
    const chat = new LlamaChat({ contextSequence });
    let firstTokenAt: number | undefined;
    try {
      const grammar =
        request.responseSchema && (await llama.createGrammarForJsonSchema(request.responseSchema.schema));
      const response = await chat.generateResponse(toHistory(request), {
        ...toOptions(request),
        grammar,
        signal,
        onToken: () => {
          firstTokenAt ??= performance.now();
        },
      });
      const { usedInputTokens, usedOutputTokens } = contextSequence.tokenMeter;
      const usage = { inputTokens: usedInputTokens, outputTokens: usedOutputTokens };
      return { parts: { ...readResponse(response), usage }, response, firstTokenAt };
    } finally {
      chat.dispose();
      contextSequence.dispose();
    }
  };
  return {
    ask,
    close: async () => {
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };
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
};
