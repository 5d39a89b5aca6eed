import { toTerminalText } from '../../lib/terminal-text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/**
 * Text from anywhere on one line, for an attribute or for content in XML 1.0. What XML cannot hold (control characters,
 * lone surrogates, U+FFFE and U+FFFF) is shown, not dropped, and so is what steers a terminal: `␛`, `\ufffe`.
 */
export function xmlText(text: string): string {
  return toTerminalText(text)
    .replaceAll(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}

/** The same for content of several lines. */
export function xmlLines(lines: readonly string[]): string {
  return lines
    .flatMap((line) => line.split(/\r?\n/))
    .map(xmlText)
    .join('\n');
}

/** Attributes with a space before each; those that are undefined are left out. */
export function xmlAttributes(attributes: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${xmlText(String(value))}"`))
    .join('');
}
