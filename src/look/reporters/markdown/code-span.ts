import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { missing } from '../../report/format.ts';
import type { Phrase } from '../../report/phrase.ts';

/** The default width of a code span in columns, for names. Sentences get more. */
const widest = 60;

/**
 * Formats any text as a code span. Inside one, nothing is read as markup, a link, an image, HTML, a mention or an issue
 * number; no way of escaping achieves that in every renderer.
 */
export function codeSpan(text: string, width = widest): string {
  const shown = shorten(text.trim(), width).trim();
  if (shown === '') return missing;
  const longestRun = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Formats a phrase: our own words as they are, quoted names as code. */
export function setPhrase(phrase: Phrase): string {
  return phrase.map((part) => (typeof part === 'string' ? part : codeSpan(part.quoted))).join('');
}

/**
 * Formats a quantity with its unit. User code can declare any unit: an unusual one is set as code.
 * @param quantity - The number with its unit; empty when there is none.
 */
export function quantityText(quantity: string, unit = ''): string {
  return quantity === '' || /^\p{L}{0,20}$/u.test(unit) ? quantity : codeSpan(quantity);
}

/** Formats a table with a title row; columns under a title that ends in `:` are aligned to the right. */
export function setTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = titles.map((title) => (title.endsWith(':') ? '---:' : '---'));
  const shownTitles = titles.map((title) => title.replace(/:$/, ''));
  return [shownTitles, rule, ...rows].map(setRow).join('');
}

function setRow(cells: readonly string[]): string {
  // Renderers differ in how a pipe is escaped in a code span inside a table; a lookalike character is safe everywhere.
  return `| ${cells.map((cell) => cell.replaceAll('|', '¦')).join(' | ')} |\n`;
}
