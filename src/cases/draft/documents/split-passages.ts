import type { Passage, SourceDocument } from './document.ts';

/** The longest passage in UTF-16 code units when none is given: about 400 tokens. */
export const usualPassageLength = 1600;

/** A paragraph, table or list, with the headings above it. */
interface Block {
  readonly headings: readonly string[];
  /** True when a section begins with it. */
  readonly isStart: boolean;
  readonly text: string;
}

/**
 * Splits a document into passages of at most `longest` UTF-16 code units, at headings where that leaves no tiny passage,
 * otherwise between paragraphs, sentences and words, in this order. Every word of the document is in one passage.
 */
export function splitPassages(
  { id, text, trace }: Pick<SourceDocument, 'id' | 'text' | 'trace'>,
  longest = usualPassageLength,
): Passage[] {
  const groups: Block[][] = [];
  let length = 0;
  for (const block of splitBlocks(text, longest)) {
    const group = groups.at(-1);
    const isFull = length + block.text.length + separator.length > longest;
    // A section of a few lines stays with the one before it: alone, it would be too little to ask about.
    const isEnough = block.isStart && length * 3 >= longest;
    if (group === undefined || isFull || isEnough) {
      groups.push([block]);
      length = block.text.length;
    } else {
      group.push(block);
      length += separator.length + block.text.length;
    }
  }
  return groups.map((blocks, index) => ({
    id: `${id}#${index + 1}`,
    document: id,
    headings: blocks[0]?.headings ?? [],
    text: blocks.map((block) => block.text).join(separator),
    trace,
  }));
}

const separator = '\n\n';

const headingLine = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$/;

/** Yields the blocks of a text. A heading is part of the block below it. */
function* splitBlocks(text: string, longest: number): Generator<Block> {
  const headings: (string | undefined)[] = [];
  let lines: string[] = [];
  let isStart = false;
  let isCode = false;
  function* flush(): Generator<Block> {
    const written = lines.join('\n').trim();
    lines = [];
    if (written === '') return;
    const above = headings.filter((heading) => heading !== undefined);
    for (const [index, piece] of cutText(written, longest).entries())
      yield { headings: above, isStart: isStart && index === 0, text: piece };
    isStart = false;
  }
  for (const line of text.split(/\r\n?|\n/)) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, marks, title] = (isCode ? null : headingLine.exec(line)) ?? [];
    if (marks !== undefined && title !== undefined) {
      if (!lines.every(isHeading)) yield* flush();
      headings.length = marks.length - 1;
      headings[marks.length - 1] = title;
      isStart = true;
    } else if (line.trim() === '' && !isCode && !lines.every(isHeading)) {
      yield* flush();
    }
    lines.push(line);
  }
  yield* flush();
}

function isHeading(line: string): boolean {
  return line.trim() === '' || headingLine.test(line);
}

/** Cuts a text that is too long after a line, a sentence or a word; otherwise anywhere. */
function cutText(text: string, longest: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > longest) {
    const end = findCut(rest, longest);
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

const cuts = [/\n/g, /[.!?。！？]["'”’)]*\s+|[。！？]/gu, /\s+/g];

function findCut(text: string, longest: number): number {
  const head = text.slice(0, longest);
  for (const cut of cuts) {
    const last = Array.from(head.matchAll(cut)).at(-1);
    // A cut near the beginning would leave a tiny piece.
    if (last !== undefined && last.index + last[0].length > longest / 4) return last.index + last[0].length;
  }
  // A character of two code units stays whole.
  const isPair = /[\ud800-\udbff]/.test(head.at(-1) ?? '') && longest > 1;
  return isPair ? longest - 1 : longest;
}
