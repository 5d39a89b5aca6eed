import { formatPlace, TouchstoneError } from '../../errors.ts';
import type { SourceText } from '../files/read-text-file.ts';

/** A piece of a prompt: text as it is, or a variable with its place in the file. */
export type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string; readonly place: string };

const marks = /\\\{\{|\{\{([^{}]*)\}\}|\{\{/g;

/**
 * Cuts a prompt at its variables. `{{name}}` is one, `\{{` two braces. Throws `target-invalid` for braces that are not
 * closed, with file, line and column.
 */
export function parsePrompt({ text, file }: SourceText): PromptPart[] {
  const parts: PromptPart[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [mark, name] = match;
    const before = text.slice(end, match.index);
    end = match.index + mark.length;
    if (mark.startsWith('\\')) {
      parts.push({ type: 'text', text: `${before}{{` });
      continue;
    }
    const place = placeOf(text.slice(0, match.index), file);
    if (name === undefined) {
      throw new TouchstoneError('target-invalid', `${place}: \`{{\` is not closed by \`}}\`.`, {
        remedy: 'Close it, or write `\\{{` for two braces that begin no variable.',
      });
    }
    parts.push({ type: 'text', text: before }, { type: 'variable', name: name.trim(), place });
  }
  parts.push({ type: 'text', text: text.slice(end) });
  return parts.filter((part) => part.type === 'variable' || part.text !== '');
}

function placeOf(before: string, file: string): string {
  const lines = before.split(/\r\n|\n|\r/);
  return formatPlace({ file, line: lines.length, column: (lines.at(-1) ?? '').length + 1 });
}
