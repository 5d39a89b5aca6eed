/** The parts of node-llama-cpp 3 that are used here. It is an optional package, so its own types are not available. */
export interface LlamaPackage {
  getLlama(options?: object): Promise<Llama>;
  readonly LlamaChat: new (options: { readonly contextSequence: LlamaSequence }) => LlamaChat;
}

export interface Llama {
  /** The number of fast cores, without those for power saving and the second thread of each. */
  readonly cpuMathCores: number;
  loadModel(options: { readonly modelPath: string; readonly gpuLayers?: number }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: object): Promise<unknown>;
  dispose(): Promise<void>;
}

export interface LlamaModel {
  createContext(options: {
    readonly contextSize?: number | { readonly max: number };
    readonly sequences: number;
    readonly threads: number;
  }): Promise<LlamaContext>;
  dispose(): Promise<void>;
}

export interface LlamaContext {
  /** The number of tokens that fit into one sequence. */
  readonly contextSize: number;
  /** Returns a free sequence. Throws when all are in use. */
  getSequence(): LlamaSequence;
  dispose(): Promise<void>;
}

interface LlamaTokens {
  readonly usedInputTokens: number;
  readonly usedOutputTokens: number;
}

export interface LlamaSequence {
  readonly tokenMeter: { getState(): unknown; diff(before: unknown): LlamaTokens };
  /** The number of tokens in it. */
  readonly nextTokenIndex: number;
  clearHistory(): Promise<void>;
  /** Frees its place, some time later. */
  dispose(): Promise<void>;
}

/** A part of a reply that is not the answer, such as reasoning. */
export interface LlamaSegment {
  readonly type: 'segment';
  readonly segmentType: string;
  readonly text: string;
}

/** The response of a model. */
export interface LlamaResponse {
  readonly response: string;
  readonly fullResponse: readonly (string | LlamaSegment)[];
  readonly functionCalls?: readonly { readonly functionName: string; readonly params: unknown }[];
  readonly metadata: { readonly stopReason: string };
}

export interface LlamaChat {
  generateResponse(history: readonly object[], options: object): Promise<LlamaResponse>;
  dispose(options: { readonly disposeSequence: boolean }): void;
}
