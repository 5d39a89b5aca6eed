import { toTerminalText } from '../../lib/terminal-text.ts';

/** What an annotation is shown as; GitHub shows ten of each in a step. */
export type AnnotationLevel = 'error' | 'warning' | 'notice';

/**
 * A workflow command that GitHub shows as an annotation, on a line of its own. Escaped as `@actions/core` does, so that
 * text from anywhere neither ends the line nor the title; what steers a terminal is shown.
 */
export function annotation(level: AnnotationLevel, title: string, message: string): string {
  return `::${level} title=${escapeProperty(title)}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.split(/\r?\n/).map(toTerminalText).join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(toTerminalText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
