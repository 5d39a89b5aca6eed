import { toTerminalText } from '../lib/text/terminal-text.ts';
import { jsonRemedy } from './json-remedy.ts';
import { scanJson } from './scan-json.ts';

/** Why a text is not JSON, in words, and what to do about it. */
export interface JsonExplanation {
  readonly offset: number;
  readonly message: string;
  readonly remedy: string | undefined;
}

/** What surrounds a JSON text, in the words of the user. */
export interface JsonSurroundings {
  /** What may follow the value: `',' or ']'` in a list. */
  readonly after: string;
  /** What the end of the text is: the end of the line, of the file. */
  readonly end: string;
}

/** Explains why `JSON.parse` refused a text, or why a text that is JSON so far should go on. */
export function explainJson(text: string, { after, end }: JsonSurroundings): JsonExplanation {
  const fault = scanJson(text) ?? { offset: text.length, expected: 'the end' };
  const expected = fault.expected === 'the end' ? after : fault.expected;
  const message = `expected ${expected} but found ${describeFound(text, fault.offset, end)}`;
  return {
    offset: fault.offset,
    message,
    remedy: jsonRemedy({ text, offset: fault.offset, expected, isLine: end === 'the end of the line' }),
  };
}

function describeFound(text: string, offset: number, end: string): string {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  if (offset >= text.length) return end;
  if (character === '\n' || character === '\r') return 'a line break';
  if (character === '\t') return 'a tab';
  const isAtWord = !/[\w"]/.test(text[offset - 1] ?? '');
  const word = isAtWord ? /^[A-Za-z_]\w{1,19}(?!\w)/.exec(text.slice(offset, offset + 21))?.[0] : undefined;
  return character === "'" ? `"'"` : `'${toTerminalText(word ?? character)}'`;
}
