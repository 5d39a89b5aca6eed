import type { Message, RecordedTrace, Span } from '../../../schema/message.ts';
import type { Latency, RetrievedDocument } from '../../../schema/trial.ts';
import { toText } from '../../reply/part.ts';
import { readDocuments } from '../../reply/read-details.ts';
import { toJson } from '../../reply/to-json.ts';
import { TargetFailure } from '../../target.ts';
import { type Fields, isFields, numbered, unpack } from './attribute-values.ts';
import { type Consumed, consumedBy, sumConsumed } from './consumed.ts';
import { latencyOf, type ModelCall, modelCallsOf, toModelCall } from './model-calls.ts';
import { buildTree, type SpanNode } from './span-tree.ts';
import { joinThreads, lastOf, rootsOf, type Thread, type Whole, wholeOf } from './threads.ts';
import { placeToolUses, toolUsesOf } from './tool-uses.ts';

/** What a trace comes to as an answer that was recorded. */
export interface TraceStory extends Partial<Consumed> {
  readonly question: string | undefined;
  readonly answer: string | null;
  readonly transcript: Message[];
  readonly documents: RetrievedDocument[] | undefined;
  readonly latency: Latency | undefined;
  /** Present when the whole of it failed. */
  readonly error: string | undefined;
  /** What of it could not be read, or is not part of the transcript. */
  readonly notes: readonly string[];
}

/** Reads a trace as one answer; undefined when there is no model, no agent, no tool and no search in it. */
export function readTrace({ spans }: RecordedTrace): TraceStory | undefined {
  const nodes = buildTree(spans);
  const roots = rootsOf(nodes);
  if (!nodes.some(({ kind }) => ['agent', 'model', 'tool', 'retrieval', 'ranking'].includes(kind)))
    return undefined;
  const whole = wholeOf(nodes);
  const models = modelCallsOf(nodes);
  const threads = joinThreads(withContent(models, nodes));
  const main = findMainThread(threads, whole);
  const transcript = placeToolUses(main, { threads, uses: toolUsesOf(nodes) });
  const question = whole.question ?? firstQuestion(main);
  const answer = answerOf(whole, main);
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

/** Where no call of a model says what was said, the outermost agents that do stand in for them. */
function withContent(models: readonly ModelCall[], nodes: readonly SpanNode[]): readonly ModelCall[] {
  const hasContent = ({ input, output }: ModelCall) => input.length > 0 || output.length > 0;
  if (models.some(hasContent)) return models;
  const agents = nodes.filter(({ kind }) => kind === 'agent').map((node) => toModelCall(node));
  const telling = agents.filter(hasContent);
  return telling.filter(({ node }) => !telling.some((other) => isWithin(node, other.node)));
}

function isWithin(node: SpanNode, other: SpanNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at === other) return true;
  return false;
}

/** What the first call of a model was asked: the last words of the user before it spoke. */
function firstQuestion(main: Thread | undefined): string | undefined {
  if (main === undefined) return undefined;
  return lastOf(
    main.messages.slice(0, main.told).map(({ message }) => message),
    'user',
  );
}

/** What the model said last counts where the whole says less of it: cut off, or wrapped into something else. */
function answerOf({ answer }: Whole, main: Thread | undefined): string | undefined {
  const messages = main?.messages.map(({ message }) => message) ?? [];
  const said = lastOf(messages, 'assistant');
  if (answer === undefined || said === undefined) return answer ?? said;
  return said.startsWith(answer) || /^\s*[[{]/.test(answer) ? said : answer;
}

/** The transcript with its system prompt, and with question and answer where its messages do not hold them. */
function framed(transcript: readonly Message[], whole: Whole, system: readonly Message[]): Message[] {
  const holds = (role: Message['role'], text: string | undefined) =>
    text === undefined ||
    transcript.some((message) => message.role === role && message.content?.includes(text.trim()) === true);
  const { question = '', answer = '' } = whole;
  return [
    ...system,
    ...(holds('user', whole.question) ? [] : [{ role: 'user' as const, content: question }]),
    ...transcript,
    ...(holds('assistant', whole.answer) ? [] : [{ role: 'assistant' as const, content: answer }]),
  ];
}

/** The calls of models; where none of them says what it took, the outermost spans. A call that failed took nothing known. */
function callsThatTook(models: readonly ModelCall[], roots: readonly SpanNode[]): (Consumed | undefined)[] {
  const calls = models
    .filter(({ isFailed, consumed }) => !isFailed || consumed !== undefined)
    .map(({ consumed }) => consumed);
  return calls.some((consumed) => consumed !== undefined)
    ? calls
    : roots.map(({ span }) => consumedBy(span.attributes)).filter((consumed) => consumed !== undefined);
}

/** The story failed when its last part did. A failed tool is the concern of the step that used it. */
function errorOf(roots: readonly SpanNode[]): string | undefined {
  const parts = roots.filter(({ kind }) => kind !== 'tool').map(({ span }) => span);
  const [first, ...others] = parts;
  const last = others.reduce(
    (latest, next) => ((next.endMs ?? 0) >= (latest?.endMs ?? 0) ? next : latest),
    first,
  );
  return last?.error === '' ? `the span "${last.name}" ended with an error` : last?.error;
}

/** Conversations that agents have among themselves are not the one with the user. */
function aside(threads: readonly Thread[], main: Thread | undefined): string[] {
  const others = threads.filter(
    (thread) => thread !== main && !thread.messages.every(({ message }) => message.role === 'tool'),
  );
  const calls = others.reduce((sum, thread) => sum + thread.calls, 0);
  if (calls === 0) return [];
  const agents = [...new Set(others.flatMap(({ path }) => path.at(-1) ?? []))];
  const whose = agents.length === 0 ? '' : ` (${agents.join(', ')})`;
  return [
    `${calls} ${calls === 1 ? 'call of a model' : 'calls of models'} beside the conversation${whose}: of these the transcript holds the uses of tools only.`,
  ];
}

/**
 * The thread that is the conversation with the user: the one that ends with the answer, else one that holds the question;
 * of several, that of the outermost agent, and of those the last. Undefined when there is none.
 */
function findMainThread(threads: readonly Thread[], { question, answer }: Whole): Thread | undefined {
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

const lists = ['retrieval.documents', 'reranker.output_documents', 'gen_ai.retrieval.documents'];

/** The documents that a span found, in its order; undefined when it does not say so. */
function documentsOf({ attributes }: Span): RetrievedDocument[] | undefined {
  for (const name of lists) {
    const whole = unpack(attributes[name]);
    const found = Array.isArray(whole) ? whole : numbered(attributes, name);
    if (found.length > 0) return found.filter(isFields).flatMap(toDocument);
    if (Array.isArray(whole)) return [];
  }
  return undefined;
}

/** A document without an id of its own goes by one in its metadata, else by its text. */
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
    if (error instanceof TargetFailure) return []; // Neither an id nor a text: there is nothing to tell it by.
    throw error;
  }
}

/**
 * The documents of a trace, best first, each once: those that a ranking left over, where there was one, else all that were
 * found. Undefined when no span says what it found.
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
