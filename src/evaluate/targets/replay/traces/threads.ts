import { isDeepStrictEqual } from 'node:util';
import type { Message, ToolCall } from '../../../../core/schema/message.ts';
import { readOutcome } from '../../reply/read-tool-calls.ts';
import { findCall, isWaiting } from '../../reply/message-roles.ts';
import type { ModelCall } from './model-calls.ts';
import { messagesOf } from './span-messages.ts';
import type { SpanNode } from './span-tree.ts';

/** A message with the time at which it was known. */
export interface TimedMessage {
  readonly message: Message;
  readonly timeMs: number;
}

/** A conversation with a model, joined from several calls that each repeat the messages before. */
export interface Thread {
  readonly path: readonly string[];
  readonly system: readonly Message[];
  readonly messages: TimedMessage[];
  /** The number of messages that its first call received. */
  readonly initialMessages: number;
  /** The trace of its last call. */
  traceId: string;
  calls: number;
}

/** Joins calls of models that continue each other. */
export function joinThreads(calls: readonly ModelCall[]): Thread[] {
  const threads: Thread[] = [];
  for (const call of calls) {
    if (call.input.length === 0 && call.output.length === 0) continue;
    const system = call.input.filter(({ role }) => role === 'system');
    const input = call.input.filter(({ role }) => role !== 'system');
    const thread =
      findThread(threads, call, input) ??
      beginThread(threads, call, { system, initialMessages: input.length });
    extend(thread, call, input);
  }
  return threads;
}

function beginThread(
  threads: Thread[],
  { node }: ModelCall,
  start: Pick<Thread, 'system' | 'initialMessages'>,
): Thread {
  const thread: Thread = { ...start, path: node.path, messages: [], traceId: node.span.traceId, calls: 0 };
  threads.push(thread);
  return thread;
}

/**
 * Returns the thread that a call continues: the one with the most messages that the call begins with. Otherwise it is
 * one of the same agent, whose last messages the call begins with, or which it continues without repeating any.
 */
function findThread(
  threads: readonly Thread[],
  call: ModelCall,
  input: readonly Message[],
): Thread | undefined {
  const overlaps = threads.map((thread) => ({ thread, overlap: overlapOf(messagesOfThread(thread), input) }));
  const whole = overlaps.filter(({ thread, overlap }) => overlap === thread.messages.length && overlap > 0);
  const longest = whole.reduce((best, next) => (next.overlap > (best?.overlap ?? 0) ? next : best), whole[0]);
  if (longest !== undefined) return longest.thread;
  const own = overlaps.filter(({ thread }) => thread.path.join('/') === call.node.path.join('/'));
  const recent =
    own.findLast(({ overlap }) => overlap > 0) ??
    own.findLast(({ thread }) => continuesUnrepeated(thread, call, input));
  return recent?.thread;
}

/**
 * Returns whether a call continues a thread without repeating it. Models that keep the conversation receive only what
 * is new: results of tools, or the user's message in the next trace.
 */
function continuesUnrepeated(thread: Thread, { node }: ModelCall, [first]: readonly Message[]): boolean {
  return first?.role === 'tool' || (first?.role === 'user' && thread.traceId !== node.span.traceId);
}

function extend(thread: Thread, call: ModelCall, input: readonly Message[]): void {
  const known = messagesOfThread(thread);
  const overlap = overlapOf(known, input);
  const from = known.length - overlap;
  for (const [index, message] of input.entries()) {
    const timeMs = thread.messages[from + index]?.timeMs ?? call.startMs;
    // When it is repeated, a message may contain the results of the tools that it asked for.
    if (index < overlap) thread.messages[from + index] = { message, timeMs };
    else if (!answersCall(known, message)) thread.messages.push({ message, timeMs });
  }
  // Some libraries record the last message both as input and as output.
  const said = overlapOf(messagesOfThread(thread), call.output);
  const output = call.output.slice(said).map((message) => ({ message, timeMs: call.endMs }));
  thread.messages.push(...output);
  thread.traceId = call.node.span.traceId;
  thread.calls += 1;
}

/** Adds a result that arrives by itself to the call that asked for it. Returns whether there is such a call. */
function answersCall(known: readonly Message[], message: Message): boolean {
  if (message.role !== 'tool') return false;
  const call = findCall(known.flatMap(({ toolCalls = [] }) => toolCalls).filter(isWaiting), message);
  if (call !== undefined) Object.assign(call, readOutcome(message.content));
  return call !== undefined;
}

function messagesOfThread(thread: Thread): Message[] {
  return thread.messages.map(({ message }) => message);
}

/** Returns whether two messages are the same one, recorded twice. Results of tools may be known only the second time. */
function isSameMessage(one: Message, other: Message): boolean {
  if (one.role !== other.role || plain(one.content) !== plain(other.content)) return false;
  const [calls, others] = [one.toolCalls ?? [], other.toolCalls ?? []];
  return calls.length === others.length && calls.every((call, index) => isSameCall(call, others[index]));
}

function plain(content: string | null): string {
  return (content ?? '').trim();
}

function isSameCall(one: ToolCall, other: ToolCall | undefined): boolean {
  if (other === undefined || one.name !== other.name) return false;
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id;
  return (
    one.arguments === undefined ||
    other.arguments === undefined ||
    isDeepStrictEqual(one.arguments, other.arguments)
  );
}

/** Returns the number of messages at the end of one list that are also the beginning of another. */
function overlapOf(list: readonly Message[], next: readonly Message[]): number {
  for (let length = Math.min(list.length, next.length); length > 0; length -= 1) {
    const from = list.length - length;
    if (
      next.slice(0, length).every((message, index) => isSameMessage(list[from + index] as Message, message))
    ) {
      return length;
    }
  }
  return 0;
}

/** The question and the answer that a trace states as a whole, if it does. */
export interface StatedExchange {
  readonly question: string | undefined;
  readonly answer: string | undefined;
}

/** Returns the spans that no other contains: each is the whole trace, or one of its successive parts. */
export function rootsOf(nodes: readonly SpanNode[]): SpanNode[] {
  return nodes.filter(({ parent, kind }) => parent === undefined && kind !== 'embedding');
}

/**
 * Returns the question and the answer that the outermost spans state: the last message of the user in the first span's input,
 * and the last of the assistant in the last span's output. Where they state nothing, the agents inside them are read.
 */
export function readStatedExchange(nodes: readonly SpanNode[]): StatedExchange {
  const roots = rootsOf(nodes).filter(({ kind }) => kind === 'agent' || kind === 'step');
  const agents = nodes.filter(({ kind, parent }) => kind === 'agent' && parent !== undefined);
  const [first, second] = [roots, agents].map(exchangeIn);
  return { question: first?.question ?? second?.question, answer: first?.answer ?? second?.answer };
}

function exchangeIn(nodes: readonly SpanNode[]): StatedExchange {
  const spans = nodes.map(({ span }) => messagesOf(span));
  const question = spans.map(({ input }) => lastOf(input, 'user')).find((text) => text !== undefined);
  const answers = spans.map(({ input, output }) => lastOf(output.length > 0 ? output : input, 'assistant'));
  return { question, answer: answers.findLast((text) => text !== undefined) };
}

/** Returns the last text of a role; undefined when there is none but white space. */
export function lastOf(messages: readonly Message[], role: Message['role']): string | undefined {
  const last = messages.findLast(
    ({ role: speaker, content }) => speaker === role && (content ?? '').trim() !== '',
  );
  return last?.content ?? undefined;
}
