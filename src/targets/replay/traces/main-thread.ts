import type { Thread } from './threads.ts';
import type { Whole } from './whole-story.ts';

/**
 * The thread that is the conversation with the user: the one that ends with the answer, else one that holds the question;
 * of several, that of the outermost agent, and of those the last. Undefined when there is none.
 */
export function findMainThread(threads: readonly Thread[], { question, answer }: Whole): Thread | undefined {
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
