import type { Attributes, Span } from '../../../schema/message.ts';
import { textOf } from './attribute-values.ts';

/** A span that is part of the story, with its place in it. */
export interface SpanNode {
  readonly span: Span;
  readonly kind: SpanKind;
  /** The nearest span around it that is part of the story too. */
  readonly parent: SpanNode | undefined;
  /** The agents and tools around it, the outermost first: calls with the same path are of the same agent. */
  readonly path: readonly string[];
  /** How many such spans are around it. */
  readonly depth: number;
}

/**
 * The spans of a trace that are part of the story, in the order in which they began. What is about the answer, such as an
 * evaluation of it, is left out with all that stands in it; so is what no convention knows.
 */
export function buildTree(spans: readonly Span[]): SpanNode[] {
  const byId = new Map(spans.map((span) => [keyOf(span, span.spanId), span]));
  const placed = new Map<Span, Placed>();
  for (const span of spans) place(span, byId, placed);
  const nodes = [...placed.values()].flatMap(({ node }) => (node === undefined ? [] : [node]));
  return nodes.sort((a, b) => startOf(a) - startOf(b) || a.depth - b.depth);
}

/** What was found out about a span: what stands around those in it, and what it is itself. */
interface Placed {
  readonly node: SpanNode | undefined;
  readonly around: SpanNode | undefined;
  readonly isIgnored: boolean;
}

const outside: Placed = { node: undefined, around: undefined, isIgnored: false };

/** Goes up to the first span that has been placed, then down again: no depth of nesting overflows the stack. */
function place(span: Span, byId: ReadonlyMap<string, Span>, placed: Map<Span, Placed>): void {
  const climbed: Span[] = [];
  const onTheWay = new Set<Span>();
  let at: Span | undefined = span;
  while (at !== undefined && !placed.has(at) && !onTheWay.has(at)) {
    climbed.push(at);
    onTheWay.add(at);
    at = at.parentId === undefined ? undefined : byId.get(keyOf(at, at.parentId));
  }
  let above = (at && placed.get(at)) ?? outside;
  for (const each of climbed.toReversed()) {
    above = placeUnder(each, above);
    placed.set(each, above);
  }
}

function placeUnder(span: Span, { around, isIgnored }: Placed): Placed {
  const kind = kindOf(span);
  if (isIgnored || kind === 'ignored') return { node: undefined, around: undefined, isIgnored: true };
  if (kind === 'other') return { node: undefined, around, isIgnored };
  const inside =
    around === undefined ? { path: [], depth: 0 } : { path: pathIn(around), depth: around.depth + 1 };
  const node: SpanNode = { span, kind, parent: around, ...inside };
  return { node, around: node, isIgnored };
}

function pathIn({ span, kind, path }: SpanNode): readonly string[] {
  if (kind !== 'agent' && kind !== 'tool') return path;
  return [...path, agentName(span) ?? span.name];
}

/** The name of the agent that a span is about. */
function agentName({ attributes }: Span): string | undefined {
  return textOf(attributes, [
    'gen_ai.agent.name',
    'agent.name',
    'traceloop.entity.name',
    'gen_ai.workflow.name',
  ]);
}

/** The nearest span around a span that is no mere step. */
export function surrounding({ parent }: SpanNode): SpanNode | undefined {
  let at = parent;
  while (at?.kind === 'step') at = at.parent;
  return at;
}

function keyOf({ traceId }: Span, spanId: string | undefined): string {
  return `${traceId} ${spanId ?? ''}`;
}

function startOf({ span }: SpanNode): number {
  return span.startMs ?? 0;
}

/**
 * What a span is to the story of an answer. `ignored`: it is about the answer and no part of it, with all that stands in
 * it. `other`: nothing that the conventions know, such as a request over HTTP.
 */
type SpanKind =
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
function kindOf({ attributes, events }: Span): SpanKind {
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
