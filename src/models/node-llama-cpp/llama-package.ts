/** The parts of node-llama-cpp 3 that are used here. It is an optional package, so its own types are not at hand. */
export interface LlamaPackage {
  getLlama(options?: object): Promise<Llama>;
  readonly LlamaChat: new (options: { readonly contextSequence: LlamaSequence }) => LlamaChat;
}

export interface Llama {
  loadModel(options: {
    readonly modelPath: string;
    readonly gpuLayers?: number | undefined;
  }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: object): Promise<unknown>;
  dispose(): Promise<void>;
}

export interface LlamaModel {
  createContext(options: {
    readonly contextSize?: number | undefined;
    readonly sequences: number;
  }): Promise<LlamaContext>;
  dispose(): Promise<void>;
}

export interface LlamaContext {
  getSequence(): LlamaSequence;
  dispose(): Promise<void>;
}

export interface LlamaSequence {
  readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number };
  dispose(): void;
}

/** A part of a reply that is not the answer, such as a thought. */
export interface LlamaSegment {
  readonly type: 'segment';
  readonly segmentType: string;
  readonly text: string;
}

/** What a model gives. */
export interface LlamaResponse {
  readonly response: string;
  readonly fullResponse: readonly (string | LlamaSegment)[];
  readonly functionCalls?: readonly { readonly functionName: string; readonly params: unknown }[];
  readonly metadata: { readonly stopReason: string };
}

export interface LlamaChat {
  generateResponse(history: readonly object[], options: object): Promise<LlamaResponse>;
  dispose(): void;
}
