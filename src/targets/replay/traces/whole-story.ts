import type { Message } from '../../../schema/message.ts';
import { messagesOf } from './span-messages.ts';
import type { SpanNode } from './span-tree.ts';

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
