import { isDeepStrictEqual } from 'node:util';
import type { Message, ToolCall } from '../../../schema/message.ts';
import { readOutcome } from '../../reply/read-tool-calls.ts';
import { findCall, isWaiting } from '../../reply/message-roles.ts';
import type { ModelCall } from './model-calls.ts';
import { messagesOf } from './span-messages.ts';
import type { SpanNode } from './span-tree.ts';

/** A message with the moment at which it was known. */
export interface TimedMessage {
  readonly message: Message;
  readonly timeMs: number;
}

/** A conversation with a model: what several calls, each with all that was said before, come to together. */
export interface Thread {
  readonly path: readonly string[];
  readonly system: readonly Message[];
  readonly messages: TimedMessage[];
  /** How many messages its first call was given. */
  readonly told: number;
  /** The trace of its last call. */
  traceId: string;
  calls: number;
}

/** Puts calls of models together that continue each other. */
export function joinThreads(calls: readonly ModelCall[]): Thread[] {
  const threads: Thread[] = [];
  for (const call of calls) {
    if (call.input.length === 0 && call.output.length === 0) continue;
    const system = call.input.filter(({ role }) => role === 'system');
    const input = call.input.filter(({ role }) => role !== 'system');
    const thread = findThread(threads, call, input) ?? begin(threads, call, { system, told: input.length });
    extend(thread, call, input);
  }
  return threads;
}

function begin(threads: Thread[], { node }: ModelCall, start: Pick<Thread, 'system' | 'told'>): Thread {
  const thread: Thread = { ...start, path: node.path, messages: [], traceId: node.span.traceId, calls: 0 };
  threads.push(thread);
  return thread;
}

/**
 * The thread that a call continues: the one with the most messages that the call begins with; else, of the same agent, one
 * whose last messages it begins with, or one that it goes on with without telling what was said before.
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
    own.findLast(({ overlap }) => overlap > 0) ?? own.findLast(({ thread }) => goesOn(thread, call, input));
  return recent?.thread;
}

/** Models that keep what was said are told only what is new: results of tools, or what the user says in the next trace. */
function goesOn(thread: Thread, { node }: ModelCall, [first]: readonly Message[]): boolean {
  return first?.role === 'tool' || (first?.role === 'user' && thread.traceId !== node.span.traceId);
}

function extend(thread: Thread, call: ModelCall, input: readonly Message[]): void {
  const known = messagesOfThread(thread);
  const overlap = overlapOf(known, input);
  const from = known.length - overlap;
  for (const [index, message] of input.entries()) {
    const timeMs = thread.messages[from + index]?.timeMs ?? call.startMs;
    // Told again, a message may hold the results of the tools that it asked for.
    if (index < overlap) thread.messages[from + index] = { message, timeMs };
    else if (!answersCall(known, message)) thread.messages.push({ message, timeMs });
  }
  // Some tell the last message both as what was said before and as what came of it.
  const said = overlapOf(messagesOfThread(thread), call.output);
  const output = call.output.slice(said).map((message) => ({ message, timeMs: call.endMs }));
  thread.messages.push(...output);
  thread.traceId = call.node.span.traceId;
  thread.calls += 1;
}

/** Gives a result that comes by itself to the call that asked for it; says whether there is one. */
function answersCall(known: readonly Message[], message: Message): boolean {
  if (message.role !== 'tool') return false;
  const call = findCall(known.flatMap(({ toolCalls = [] }) => toolCalls).filter(isWaiting), message);
  if (call !== undefined) Object.assign(call, readOutcome(message.content));
  return call !== undefined;
}

function messagesOfThread(thread: Thread): Message[] {
  return thread.messages.map(({ message }) => message);
}

/** Whether two messages are the same one, told twice: results of tools may be known only the second time. */
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

/** How many messages at the end of one list are those at the beginning of another. */
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

/** What the story as a whole says of itself, where it does. */
export interface Whole {
  readonly question: string | undefined;
  readonly answer: string | undefined;
}

/** The spans that stand in no other: they are the whole story, or its parts one after the other. */
export function rootsOf(nodes: readonly SpanNode[]): SpanNode[] {
  return nodes.filter(({ parent, kind }) => parent === undefined && kind !== 'embedding');
}

/**
 * What the outermost spans say was asked and answered: the last words of the user that the first of them was given, and the
 * last of the assistant that the last of them gave back. Where they say nothing, agents inside them do.
 */
export function wholeOf(nodes: readonly SpanNode[]): Whole {
  const roots = rootsOf(nodes).filter(({ kind }) => kind === 'agent' || kind === 'step');
  const agents = nodes.filter(({ kind, parent }) => kind === 'agent' && parent !== undefined);
  const [first, second] = [roots, agents].map(tellWhole);
  return { question: first?.question ?? second?.question, answer: first?.answer ?? second?.answer };
}

function tellWhole(nodes: readonly SpanNode[]): Whole {
  const told = nodes.map(({ span }) => messagesOf(span));
  const question = told.map(({ input }) => lastOf(input, 'user')).find((text) => text !== undefined);
  const answers = told.map(({ input, output }) => lastOf(output.length > 0 ? output : input, 'assistant'));
  return { question, answer: answers.findLast((text) => text !== undefined) };
}

/** The last words that somebody said; undefined when it was nothing but white space. */
export function lastOf(messages: readonly Message[], role: Message['role']): string | undefined {
  const last = messages.findLast(
    ({ role: speaker, content }) => speaker === role && (content ?? '').trim() !== '',
  );
  return last?.content ?? undefined;
}
