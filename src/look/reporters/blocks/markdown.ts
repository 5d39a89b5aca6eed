import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { missing } from '../../report/format.ts';
import type { Block, Column, Entry, Folded, Heading, Item, List, Row, Sides, Table } from './block.ts';
import { withoutEmpty } from './table.ts';
import type { Span, Text } from './text.ts';

/**
 * Renders blocks as Markdown. Texts from outside are set as code. So are our own words with a character that Markdown could read
 * as markup: a name that somebody put into a sentence of ours becomes no link, mention or HTML.
 */
export function renderMarkdown(blocks: Iterable<Block>): string {
  return Array.from(blocks, createMarkdownWriter()).join('');
}

/** Creates a function that renders the blocks of a report one after the other. */
export function createMarkdownWriter(): (block: Block) => string {
  let before: Part['kind'] | undefined;
  return (block) =>
    partsOf(block)
      .map(({ kind, text }) => {
        // Lists that follow one another are one list.
        const isContinued = before === undefined || (before === 'list' && kind === 'list');
        before = kind;
        return isContinued ? text : `\n${text}`;
      })
      .join('');
}

/** A paragraph, a table or a list, with the line feed at its end. */
interface Part {
  readonly kind: 'list' | 'other';
  readonly text: string;
}

function partsOf(block: Block): Part[] {
  if (block.kind === 'section') return block.blocks.flatMap(partsOf);
  const text = setBlock(block);
  const kind = ['list', 'field', 'excerpt', 'sides'].includes(block.kind) ? 'list' : 'other';
  return text === '' ? [] : [{ kind, text }];
}

function setBlock(block: Exclude<Block, { kind: 'section' }>): string {
  switch (block.kind) {
    case 'gap':
    case 'rule':
      return '';
    case 'heading':
      return setHeading(block);
    case 'paragraph':
      return line(setEntry(block));
    case 'list':
      return setList(block);
    case 'table':
      return setTable(withoutEmpty(block));
    case 'field':
      return `- ${block.label}: ${setText(block.text)}\n`;
    case 'excerpt':
      return block.text.trim() === '' ? '' : `- ${block.label}: ${codeSpan(block.text, longestCode)}\n`;
    case 'command': {
      const command = [block.command, block.end].filter(Boolean).join(' ');
      return `${setWords(block.lead.trimEnd())} ${codeSpan(command, longestCode)}\n`;
    }
    case 'sides':
      return setSides(block);
    case 'folded':
      return setFolded(block);
  }
}

function setHeading({ level, text }: Heading): string {
  const words = setText(text.map((part) => ({ ...part, isStrong: false, tone: undefined })));
  return level === 3 ? `**${words}**\n` : `${level === 1 ? '##' : '###'} ${words}\n`;
}

function line(text: string): string {
  return text === '' ? '' : `${text}\n`;
}

function setEntry({ label, mark = [], text }: Entry): string {
  if (mark.length === 0 && text.every((part) => part.text === '')) return '';
  const marks = mark.map((part) => setText([{ ...part, text: part.text.trim() }])).filter(Boolean);
  return [...(label === undefined ? [] : [`${label}:`]), ...marks, setText(text)].filter(Boolean).join(' ');
}

function setList({ items, isNumbered = false }: List): string {
  return items
    .map((item: Item, index) => {
      const start = isNumbered ? `${index + 1}. ` : '- ';
      const details = (item.details ?? []).map(
        (detail) => `${' '.repeat(start.length)}- ${setEntry(detail)}\n`,
      );
      return `${start}${setEntry(item)}\n${details.join('')}`;
    })
    .join('');
}

function setSides({ sides }: Sides): string {
  return sides
    .map(({ title, mark, text }) => {
      const because = text.trim() === '' ? '' : `: ${codeSpan(text)}`;
      return `  - ${setEntry({ mark, text: title })}${because}\n`;
    })
    .join('');
}

function setFolded({ title, blocks }: Folded): string {
  const inner = renderMarkdown(blocks);
  const summary = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return inner === '' ? '' : `<details><summary>${summary}</summary>\n\n${inner}\n</details>\n`;
}

/** Sets a table; a note between two rows splits it into two tables. */
function setTable({ columns: all, rows }: Table): string {
  const columns = all.map((column, index) => ({ column, index })).filter(({ column }) => !column.isDrawing);
  const cellsOf = ({ cells, below = [] }: Row) =>
    columns.map(({ index }) => {
      const parts = [cells[index] ?? [], below[index] ?? []].map(setText);
      return parts.filter(Boolean).join(' ');
    });
  const rule = columns.map(({ column }) => (column.align === 'right' ? '---:' : '---'));
  const head = [columns.map(({ column }) => titleOf(column)), rule].map(setRow).join('');
  let isFirst = true;
  return rows
    .map((row) => {
      const cells = cellsOf(row);
      if (cells.every((cell) => cell === '')) return '';
      const said = row.above?.map((entry) => `- ${setEntry(entry)}\n`).join('') ?? '';
      const start = said === '' && !isFirst ? '' : `${said === '' ? '' : `${said}\n`}${head}`;
      const gap = !isFirst && start !== '' ? '\n' : '';
      isFirst = false;
      return `${gap}${start}${setRow(cells)}`;
    })
    .join('');
}

function titleOf({ title, name = title, isQuoted }: Column): string {
  return isQuoted === true ? codeSpan(name) : setWords(name);
}

function setRow(cells: readonly string[]): string {
  // Renderers differ in how a pipe is escaped in a code span inside a table; a lookalike character is safe everywhere.
  return `| ${cells.map((cell) => cell.replaceAll('|', '¦')).join(' | ')} |\n`;
}

function setText(text: Text): string {
  let all = '';
  for (const part of merged(text)) {
    const set = setSpan(part);
    // Two code spans side by side would be read as one.
    all += all.endsWith('`') && set.startsWith('`') ? ` ${set}` : set;
  }
  return all.trim();
}

/** Merges the parts of our own words that are bold. */
function merged(text: Text): Span[] {
  const spans: Span[] = [];
  for (const part of text.filter((one) => one.text !== '')) {
    const last = spans.at(-1);
    const isOwn = last?.isQuoted !== true && part.isQuoted !== true;
    if (last !== undefined && isOwn && isBold(last) === isBold(part)) {
      spans[spans.length - 1] = { ...last, text: last.text + part.text };
    } else spans.push(part);
  }
  return spans;
}

function isBold({ isStrong, tone, isQuoted }: Span): boolean {
  return isQuoted !== true && (isStrong === true || tone === 'strong');
}

function setSpan(part: Span): string {
  if (part.isQuoted === true) return codeSpan(part.text, longestCode);
  if (!isBold(part) || part.text.trim() === '') return setWords(part.text);
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(part.text) ?? [];
  return `${before}**${setWords(words)}**${after}`;
}

/** Characters that Markdown, or GitHub, could read as markup, a link, a mention or an issue, and control characters. */
const markup = /[\p{C}\\&#~_>|`]|(?<![\p{L}\p{N}])@|@\w+\.|(?<! )\*|\*(?! )|<(?! )|!\[|\]\(|:\/\/|www\./u;

/** Formats our own words, in which commands stand in backticks. */
function setWords(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((piece, index) => {
      if (index % 2 === 1) return codeSpan(piece.slice(1, -1), longestCode);
      return markup.test(piece)
        ? codeSpan(piece, longestCode)
        : piece.replaceAll(/ {2,}/g, ' ').replaceAll('< ', '&lt; ');
    })
    .join('');
}

/** The longest code span in columns. Names are cut before. */
const longestCode = 600;

/**
 * Formats any text as a code span. Inside one, nothing is read as markup, a link, an image, HTML, a mention or an issue
 * number; no way of escaping achieves that in every renderer.
 */
export function codeSpan(text: string, width = longestCode): string {
  const shown = shorten(text.trim(), width).trim();
  if (shown === '') return missing;
  const longestRun = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}
