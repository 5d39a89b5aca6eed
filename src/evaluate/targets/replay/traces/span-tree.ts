import type { Attributes, Span } from '../../../../core/schema/message.ts';
import { textOf } from './attribute-values.ts';

/** A relevant span of a trace, with its place in the tree. */
export interface SpanNode {
  readonly span: Span;
  readonly kind: SpanKind;
  /** The nearest relevant span around it. */
  readonly parent: SpanNode | undefined;
  /** The agents and tools around it, the outermost first. Calls with the same path are of the same agent. */
  readonly path: readonly string[];
  /** The number of relevant spans around it. */
  readonly depth: number;
}

/**
 * The role of a span in a trace. `ignored`: it is about the answer and not a part of it, with everything inside it.
 * `other`: unknown to the conventions, such as an HTTP request.
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

/**
 * Returns the relevant spans of a trace in the order in which they began. Spans about the answer, such as its
 * evaluation, are skipped with everything inside them, and so are spans that no convention knows.
 */
export function buildTree(spans: readonly Span[]): SpanNode[] {
  const byId = new Map(spans.map((span) => [keyOf(span, span.spanId), span]));
  const placed = new Map<Span, Placed>();
  for (const span of spans) place(span, byId, placed);
  const nodes = [...placed.values()].flatMap(({ node }) => (node === undefined ? [] : [node]));
  return nodes.sort((a, b) => startOf(a) - startOf(b) || a.depth - b.depth);
}

/** A span that has been placed: its node, and the node around the spans inside it. */
interface Placed {
  readonly node: SpanNode | undefined;
  readonly around: SpanNode | undefined;
  readonly isIgnored: boolean;
}

const outside: Placed = { node: undefined, around: undefined, isIgnored: false };

/**
 * Places a span. It climbs to the first span that has been placed, then descends again, so that no depth of nesting
 * overflows the stack.
 */
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

/** Returns the name of the agent that a span is about. */
function agentName({ attributes }: Span): string | undefined {
  return textOf(attributes, [
    'gen_ai.agent.name',
    'agent.name',
    'traceloop.entity.name',
    'gen_ai.workflow.name',
  ]);
}

/** Returns the nearest span around a span that is not a mere step. */
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
 * Returns the kind of a span, by OpenInference, by the GenAI conventions of OpenTelemetry, or by the habits of common
 * libraries.
 */
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

/** Attributes in which conventions and libraries state the kind of a span, the conventions first. */
const statements = [
  'openinference.span.kind',
  'gen_ai.operation.name',
  'traceloop.span.kind',
  'langsmith.span.kind',
  'langfuse.observation.type',
  'mlflow.spanType',
  'lmnr.span.type',
];

/** The kinds by the words in those attributes, in lower case. Other words say nothing. */
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

/** Attributes that only one kind of span has, for spans that do not state their kind. */
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
