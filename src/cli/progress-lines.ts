import { toTerminalText } from '../core/lib/text/terminal-text.ts';

/** The milliseconds between two lines of progress. */
const usualPauseMs = 5000;

/** Lines on standard error that say how far long work is. */
export interface ProgressLines {
  /** Prints a line at once. */
  note(text: string): void;
  /** Prints a line, unless the last one is recent. */
  show(describe: () => string): void;
}

/** Creates the lines of progress of a command without a progress view. */
export function createProgressLines(pauseMs = usualPauseMs): ProgressLines {
  let shownAt = performance.now();
  const note = (text: string) => {
    shownAt = performance.now();
    console.error(toTerminalText(text));
  };
  return {
    note,
    show: (describe) => {
      if (performance.now() - shownAt >= pauseMs) note(describe());
    },
  };
}
