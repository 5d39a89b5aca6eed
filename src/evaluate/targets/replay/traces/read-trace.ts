import type { Message, RecordedTrace, Span } from '../../../../core/schema/message.ts';
import type { RetrievedDocument } from '../../../../core/schema/trial.ts';
import type { Latency } from '../../../../core/schema/usage.ts';
import { toText, type Fields, isFields } from '../../reply/part.ts';
import { readDocuments } from '../../reply/read-details.ts';
import { toJson } from '../../reply/to-json.ts';
import { TargetFailure } from '../../target.ts';
import { numbered, unpack } from './attribute-values.ts';
import { type Consumed, consumedBy, sumConsumed } from './consumed.ts';
import { latencyOf, type ModelCall, modelCallsOf, toModelCall } from './model-calls.ts';
import { buildTree, type SpanNode } from './span-tree.ts';
import {
  joinThreads,
  lastOf,
  readStatedExchange,
  rootsOf,
  type StatedExchange,
  type Thread,
} from './threads.ts';
import { placeToolUses, toolUsesOf } from './tool-uses.ts';

/** A recorded answer read from a trace. */
export interface TraceAnswer extends Partial<Consumed> {
  readonly question: string | undefined;
  readonly answer: string | null;
  readonly transcript: Message[];
  readonly documents: RetrievedDocument[] | undefined;
  readonly latency: Latency | undefined;
  /** Present when the whole trace failed. */
  readonly error: string | undefined;
  /** Descriptions of what could not be read, or is not part of the transcript. */
  readonly notes: readonly string[];
}

/** Reads a trace as one answer; undefined when it contains no model, no agent, no tool and no search. */
export function readTrace({ spans }: RecordedTrace): TraceAnswer | undefined {
  const nodes = buildTree(spans);
  const roots = rootsOf(nodes);
  if (!nodes.some(({ kind }) => ['agent', 'model', 'tool', 'retrieval', 'ranking'].includes(kind)))
    return undefined;
  const stated = readStatedExchange(nodes);
  const models = modelCallsOf(nodes);
  const threads = joinThreads(withContent(models, nodes));
  const main = findMainThread(threads, stated);
  const transcript = placeToolUses(main, { threads, uses: toolUsesOf(nodes) });
  const question = stated.question ?? firstQuestion(main);
  const answer = answerOf(stated, main);
  return {
    question,
    answer: answer ?? null,
    transcript: framed(transcript, { question, answer }, main?.system ?? []),
    documents: documentsIn(nodes),
    latency: latencyOf(roots, models),
    ...sumConsumed(callsThatTook(models, roots)),
    error: errorOf(roots),
    notes: [...models.flatMap(({ notes }) => notes), ...aside(threads, main)],
  };
}

/** Returns the model calls; when none of them contains messages, the outermost agents with messages take their place. */
function withContent(models: readonly ModelCall[], nodes: readonly SpanNode[]): readonly ModelCall[] {
  const hasContent = ({ input, output }: ModelCall) => input.length > 0 || output.length > 0;
  if (models.some(hasContent)) return models;
  const agents = nodes.filter(({ kind }) => kind === 'agent').map((node) => toModelCall(node));
  const withMessages = agents.filter(hasContent);
  return withMessages.filter(({ node }) => !withMessages.some((other) => isWithin(node, other.node)));
}

function isWithin(node: SpanNode, other: SpanNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at === other) return true;
  return false;
}

/**
 * Returns the thread that is the conversation with the user: the one that ends with the answer, else one that contains
 * the question; of several, the question of the outermost agent, and there the last one. Undefined when there is none.
 */
function findMainThread(
  threads: readonly Thread[],
  { question, answer }: StatedExchange,
): Thread | undefined {
  const said = answer === undefined ? [] : threads.filter((thread) => says(thread, 'assistant', answer));
  const asked = question === undefined ? [] : threads.filter((thread) => says(thread, 'user', question));
  const both = said.filter((thread) => asked.includes(thread));
  const candidates = [both, said, asked, threads].find(({ length }) => length > 0) ?? [];
  const depth = Math.min(...candidates.map(({ path }) => path.length));
  return candidates.findLast(({ path }) => path.length === depth);
}

function says({ messages }: Thread, role: 'user' | 'assistant', text: string): boolean {
  const wanted = text.trim();
  return messages.some(
    ({ message }) => message.role === role && message.content !== null && message.content.includes(wanted),
  );
}

/** Returns the question of the first model call: the last message of the user before the model spoke. */
function firstQuestion(main: Thread | undefined): string | undefined {
  if (main === undefined) return undefined;
  return lastOf(
    main.messages.slice(0, main.initialMessages).map(({ message }) => message),
    'user',
  );
}

/** Returns the answer. The model's last message takes precedence when the stated answer is cut off or wrapped in JSON. */
function answerOf({ answer }: StatedExchange, main: Thread | undefined): string | undefined {
  const messages = main?.messages.map(({ message }) => message) ?? [];
  const said = lastOf(messages, 'assistant');
  if (answer === undefined || said === undefined) return answer ?? said;
  return said.startsWith(answer) || /^\s*[[{]/.test(answer) ? said : answer;
}

/** Returns the transcript with its system prompt, and with question and answer when its messages do not contain them. */
function framed(
  transcript: readonly Message[],
  stated: StatedExchange,
  system: readonly Message[],
): Message[] {
  const contains = (role: Message['role'], text: string | undefined) =>
    text === undefined ||
    transcript.some((message) => message.role === role && message.content?.includes(text.trim()) === true);
  const { question = '', answer = '' } = stated;
  return [
    ...system,
    ...(contains('user', stated.question) ? [] : [{ role: 'user' as const, content: question }]),
    ...transcript,
    ...(contains('assistant', stated.answer) ? [] : [{ role: 'assistant' as const, content: answer }]),
  ];
}

/**
 * Returns the consumption of the model calls, or of the outermost spans when no call states any. A failed call that
 * states none is skipped.
 */
function callsThatTook(models: readonly ModelCall[], roots: readonly SpanNode[]): (Consumed | undefined)[] {
  const calls = models
    .filter(({ isFailed, consumed }) => !isFailed || consumed !== undefined)
    .map(({ consumed }) => consumed);
  return calls.some((consumed) => consumed !== undefined)
    ? calls
    : roots.map(({ span }) => consumedBy(span.attributes)).filter((consumed) => consumed !== undefined);
}

/** Returns the error of the trace, which is the error of its last part. A failed tool is the concern of the step that used it. */
function errorOf(roots: readonly SpanNode[]): string | undefined {
  const parts = roots.filter(({ kind }) => kind !== 'tool').map(({ span }) => span);
  const [first, ...others] = parts;
  const last = others.reduce(
    (latest, next) => ((next.endMs ?? 0) >= (latest?.endMs ?? 0) ? next : latest),
    first,
  );
  return last?.error === '' ? `the span "${last.name}" ended with an error` : last?.error;
}

/** Returns a note about conversations that agents have among themselves, which are not the one with the user. */
function aside(threads: readonly Thread[], main: Thread | undefined): string[] {
  const others = threads.filter(
    (thread) => thread !== main && !thread.messages.every(({ message }) => message.role === 'tool'),
  );
  const calls = others.reduce((sum, thread) => sum + thread.calls, 0);
  if (calls === 0) return [];
  const agents = [...new Set(others.flatMap(({ path }) => path.at(-1) ?? []))];
  const whose = agents.length === 0 ? '' : ` (${agents.join(', ')})`;
  return [
    `${calls} ${calls === 1 ? 'call of a model' : 'calls of models'} outside the conversation${whose}: the transcript contains only their tool calls.`,
  ];
}

/**
 * Returns the documents of a trace, best first, each once: the ones that a ranking left, if there was one, else all that
 * were found. Undefined when no span states what it found.
 */
function documentsIn(nodes: readonly SpanNode[]): RetrievedDocument[] | undefined {
  const found = nodes.flatMap(({ kind, span }) => {
    const documents = documentsOf(span);
    return documents === undefined ? [] : [{ kind, documents }];
  });
  if (found.length === 0) return undefined;
  const ranking = found.findLast(({ kind }) => kind === 'ranking');
  const documents = ranking === undefined ? found.flatMap((each) => each.documents) : ranking.documents;
  const seen = new Set<string>();
  return documents.filter(({ id, text = '' }) => {
    const key = JSON.stringify([id, text]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

const lists = ['retrieval.documents', 'reranker.output_documents', 'gen_ai.retrieval.documents'];

/** Returns the documents that a span found, in its order; undefined when it does not state any. */
function documentsOf({ attributes }: Span): RetrievedDocument[] | undefined {
  for (const name of lists) {
    const whole = unpack(attributes[name]);
    const found = Array.isArray(whole) ? whole : numbered(attributes, name);
    if (found.length > 0) return found.filter(isFields).flatMap(toDocument);
    if (Array.isArray(whole)) return [];
  }
  return undefined;
}

/** Reads a document. One without an id of its own is identified by an id in its metadata, else by its text. */
function toDocument(document: Fields): RetrievedDocument[] {
  const part = (name: string) => document[`document.${name}`] ?? document[name] ?? undefined;
  const content = part('content') ?? part('text');
  const score = part('score');
  const value = {
    id: part('id'),
    ...(content !== undefined && { text: toText(toJson(content)) }),
    ...(typeof score === 'number' && Number.isFinite(score) && { score }),
    metadata: unpack(part('metadata')),
  };
  try {
    return readDocuments([value], 'documents') ?? [];
  } catch (error) {
    if (error instanceof TargetFailure) return []; // It has neither an id nor a text to identify it by.
    throw error;
  }
}
