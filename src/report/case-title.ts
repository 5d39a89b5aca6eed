import { shorten, toTerminalText } from '../lib/terminal-text.ts';

const widestQuestion = 100;

/** The name of a case where tests are listed: its id and the beginning of its question, safe to print, on one line. */
export function caseTitle(id: string, question: string): string {
  const shown = shorten(question.replaceAll(/\s+/g, ' ').trim(), widestQuestion);
  const name = toTerminalText(id);
  return shown === '' ? name : `${name}: ${shown}`;
}
