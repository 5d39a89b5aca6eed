import type { Attributes, Span } from '../../../schema/recorded-trace.ts';
import { textOf } from './attribute-values.ts';

/**
 * What a span is to the story of an answer. `ignored`: it is about the answer and no part of it, with all that stands in
 * it. `other`: nothing that the conventions know, such as a request over HTTP.
 */
export type SpanKind =
  | 'agent'
  | 'step'
  | 'model'
  | 'tool'
  | 'retrieval'
  | 'ranking'
  | 'embedding'
  | 'ignored'
  | 'other';

/** Attributes in which conventions and libraries say what a span is, the conventions first. */
const statements = [
  'openinference.span.kind',
  'gen_ai.operation.name',
  'traceloop.span.kind',
  'langsmith.span.kind',
  'langfuse.observation.type',
  'mlflow.spanType',
  'lmnr.span.type',
];

/** What they say, in whatever letters; a word that is not here says nothing. */
const words: Readonly<Record<string, SpanKind>> = {
  agent: 'agent',
  workflow: 'agent',
  invoke_agent: 'agent',
  invoke_workflow: 'agent',
  chain: 'step',
  task: 'step',
  prompt: 'step',
  parser: 'step',
  llm: 'model',
  chat: 'model',
  chat_model: 'model',
  completion: 'model',
  text_completion: 'model',
  generate_content: 'model',
  generation: 'model',
  tool: 'tool',
  execute_tool: 'tool',
  retriever: 'retrieval',
  retrieval: 'retrieval',
  reranker: 'ranking',
  embedding: 'embedding',
  embeddings: 'embedding',
  guardrail: 'ignored',
  evaluator: 'ignored',
  create_agent: 'other',
};

/** Attributes that only one kind of span has, for spans that do not say what they are. */
const signs: readonly (readonly [RegExp, SpanKind])[] = [
  [/^(all_messages_events|pydantic_ai\.all_messages)$/, 'agent'],
  [/^(gen_ai\.tool\.(name|call\.id)|ai\.toolCall\.name|tool\.name)$/, 'tool'],
  [/^(gen_ai\.(retrieval|data_source)\.|retrieval\.documents\.)/, 'retrieval'],
  [
    /^(gen_ai\.(request|response)\.model|gen_ai\.(input|output)\.messages|gen_ai\.(prompt|completion)(\.\d+\.|$))/,
    'model',
  ],
  [/^(llm\.(model_name|input_messages|output_messages)|gcp\.vertex\.agent\.llm_request)/, 'model'],
  [/^(gen_ai\.agent\.name|agent_name)$/, 'agent'],
];

const eventsOfModels = /^gen_ai\.(choice|(system|user|assistant|tool)\.message|content\.|client\.inference)/;

/** What a span is, by OpenInference, by the GenAI conventions of OpenTelemetry, or by the habits of common libraries. */
export function kindOf({ attributes, events }: Span): SpanKind {
  return (
    statedKind(attributes) ??
    kindInAiSdk(textOf(attributes, ['ai.operationId']) ?? '') ??
    kindBySigns(Object.keys(attributes)) ??
    (events.some(({ name }) => eventsOfModels.test(name)) ? 'model' : 'other')
  );
}

function statedKind(attributes: Attributes): SpanKind | undefined {
  for (const name of statements) {
    const word = textOf(attributes, [name])?.replaceAll('"', '').toLowerCase() ?? '';
    if (Object.hasOwn(words, word)) return words[word];
  }
  return undefined;
}

function kindInAiSdk(operation: string): SpanKind | undefined {
  if (operation === 'ai.toolCall') return 'tool';
  if (/\.do(Generate|Stream)$/.test(operation)) return 'model';
  return /^ai\.(generate|stream)(Text|Object)$/.test(operation) ? 'agent' : undefined;
}

function kindBySigns(names: readonly string[]): SpanKind | undefined {
  return signs.find(([sign]) => names.some((name) => sign.test(name)))?.[1];
}
