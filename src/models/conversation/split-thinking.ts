/** A text with the model's thoughts taken out of it. */
export interface SplitText {
  readonly text: string;
  /** undefined when the text held no thoughts. */
  readonly reasoning: string | undefined;
}

const opening = /^\s*<(think|thinking|thought|reasoning)>/i;

/**
 * Takes `<think>…</think>` and its like off the beginning of a text: several blocks in a row, one inside another, and
 * one that is never closed, which is then all there is. Templates that open the block inside the prompt leave a
 * lone `</think>`: what stands before it was thought too. Tags further on belong to the answer.
 */
export function splitThinking(text: string): SplitText {
  const thoughts: string[] = [];
  let rest = withoutPromptedThought(text, thoughts);
  for (;;) {
    const [tag, name] = opening.exec(rest) ?? [];
    if (tag === undefined || name === undefined) break;
    const { thought, after } = takeBlock(rest.slice(tag.length), name);
    thoughts.push(thought);
    rest = after;
  }
  if (thoughts.length === 0) return { text, reasoning: undefined };
  const reasoning = thoughts.map((thought) => thought.trim()).filter((thought) => thought !== '');
  return { text: rest.trimStart(), reasoning: reasoning.join('\n\n') };
}

function withoutPromptedThought(text: string, thoughts: string[]): string {
  const [before = '', ...after] = text.split(/<\/think>/i);
  if (after.length === 0 || /<think>/i.test(before)) return text;
  thoughts.push(before);
  return text.slice(before.length + '</think>'.length);
}

/** The inside of a block whose opening tag has been read, and what follows it. */
function takeBlock(text: string, name: string): { thought: string; after: string } {
  let depth = 1;
  for (const match of text.matchAll(new RegExp(`<(/?)${name}>`, 'gi'))) {
    depth += match[1] === '/' ? -1 : 1;
    if (depth > 0) continue;
    return { thought: text.slice(0, match.index), after: text.slice(match.index + match[0].length) };
  }
  // Opened twice and closed once: the first closing tag is the best guess there is.
  const closing = new RegExp(`</${name}>`, 'i').exec(text);
  if (closing === null) return { thought: text, after: '' };
  return { thought: text.slice(0, closing.index), after: text.slice(closing.index + closing[0].length) };
}
