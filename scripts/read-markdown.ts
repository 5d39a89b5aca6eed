/** A piece of a Markdown page and its line, from 1. */
export interface Piece {
  readonly type: 'code' | 'link' | 'command-line';
  readonly text: string;
  readonly line: number;
}

const shellLanguages = ['', 'sh', 'bash', 'shell', 'console', 'text', 'yaml', 'yml'];

/**
 * Returns the inline code, the link targets and the lines of shell blocks of a page. Blocks in other languages are left
 * out.
 */
export function readMarkdown(text: string): Piece[] {
  const pieces: Piece[] = [];
  let fence: { marker: string; isShell: boolean } | undefined;
  let continued = '';
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    const [, marker, language = ''] = /^\s*(```+|~~~+)\s*([\w-]*)/.exec(content) ?? [];
    if (fence === undefined && marker !== undefined) {
      fence = { marker, isShell: shellLanguages.includes(language) };
    } else if (fence === undefined) pieces.push(...readProse(content, line));
    else if (content.trim() === fence.marker) fence = undefined;
    else if (fence.isShell && content.endsWith('\\')) continued += content.slice(0, -1);
    else if (fence.isShell) {
      pieces.push({ type: 'command-line', text: continued + content, line });
      continued = '';
    }
  }
  return pieces;
}

function readProse(content: string, line: number): Piece[] {
  const codes = Array.from(content.matchAll(/(`+)(.+?)\1/g), ([, , text = '']) => text.trim());
  const withoutCode = content.replaceAll(/(`+)(.+?)\1/g, '``');
  const links = Array.from(withoutCode.matchAll(/\]\(\s*<?([^)\s>]+)/g), ([, target = '']) => target);
  const definitions = Array.from(
    withoutCode.matchAll(/^\s*\[[^\]]+\]:\s*(\S+)/g),
    ([, target = '']) => target,
  );
  return [
    ...codes.map((text) => ({ type: 'code', text, line }) as const),
    ...[...links, ...definitions].map((text) => ({ type: 'link', text, line }) as const),
  ];
}

/** Returns the headings of a page, without the lines of its blocks of code. */
export function readHeadings(text: string): string[] {
  const prose = text.replaceAll(/^ *(```+|~~~+)[\s\S]*?^ *\1 *$/gm, '');
  return Array.from(prose.matchAll(/^#{1,6} +(.*?) *$/gm), ([, heading = '']) => heading);
}
