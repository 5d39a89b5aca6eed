import { shorten } from '../../lib/text/terminal-text.ts';
import { missing } from '../../report/format.ts';
import type { Phrase } from '../../report/phrase.ts';

/** Columns of a name; sentences are given more. */
const widest = 60;

/**
 * Sets text from anywhere as a code span. Nothing inside one is read as markup, a link, an image, HTML, a mention or an
 * issue number, which no way of escaping holds for in every renderer.
 */
export function codeSpan(text: string, width = widest): string {
  const shown = shorten(text.trim(), width).trim();
  if (shown === '') return missing;
  const longestRun = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Sets a sentence: our own words as they are, names as code. */
export function setPhrase(phrase: Phrase): string {
  return phrase.map((part) => (typeof part === 'string' ? part : codeSpan(part.quoted))).join('');
}

/** Sets a table with a title row; columns under a title that ends in `:` are aligned to the right. */
export function setTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = titles.map((title) => (title.endsWith(':') ? '---:' : '---'));
  const shownTitles = titles.map((title) => title.replace(/:$/, ''));
  return [shownTitles, rule, ...rows].map(setRow).join('');
}

function setRow(cells: readonly string[]): string {
  // Renderers do not agree on how a pipe is escaped in a code span inside a table; a lookalike ends no cell anywhere.
  return `| ${cells.map((cell) => cell.replaceAll('|', '¦')).join(' | ')} |\n`;
}
