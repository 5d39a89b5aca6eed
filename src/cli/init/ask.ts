import { confirm, intro, isCancel, log, select, text } from '@clack/prompts';
import { TouchstoneError } from '../../core/errors.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';

/** A possible answer to a question. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** Options of a question that is answered by a line of text. */
export interface LineOptions {
  /** Shown in grey while nothing is typed. */
  readonly example?: string;
  /** The text to begin from. */
  readonly initial?: string;
  /** Throws a `TouchstoneError` for a text that cannot be used; the question is then asked again. */
  readonly check?: (line: string) => void;
}

/** Asks the user at a terminal, one question at a time, on standard error. Each throws `run-stopped` after Ctrl-C. */
export const ask = {
  begin: (title: string): void => intro(title, output),

  choose: async <Value extends string>(
    question: string,
    choices: readonly Choice<Value>[],
  ): Promise<Value> => {
    const options = choices.map((choice): Choice<string> => choice);
    return unlessStopped(await select({ message: question, options, ...output })) as Value;
  },

  line: async (question: string, { example, initial, check }: LineOptions = {}): Promise<string> => {
    const validate = (line: string | undefined): string | undefined => {
      if (line === undefined || line.trim() === '') return 'Type something, or press Ctrl-C to stop.';
      return check === undefined ? undefined : faultOf(() => check(line.trim()));
    };
    const asked = { message: question, placeholder: example, initialValue: initial, validate };
    return unlessStopped(await text({ ...asked, ...output })).trim();
  },

  confirm: async (question: string, isYes = true): Promise<boolean> =>
    unlessStopped(await confirm({ message: question, initialValue: isYes, ...output })),

  say: (words: string): void => log.step(safe(words), output),
  warn: (words: string): void => log.warn(safe(words), output),
};

// Some terminals do not know their size, and say 0: every letter would get a line of its own, and no error would be shown.
if (process.stderr.columns === 0) process.stderr.columns = 80;
if (process.stderr.rows === 0) process.stderr.rows = 24;

const output = { output: process.stderr, input: process.stdin };

function unlessStopped<Value>(given: Value): Exclude<Value, symbol> {
  if (isCancel(given)) throw stopped();
  return given as Exclude<Value, symbol>;
}

function stopped(): TouchstoneError {
  return new TouchstoneError('run-stopped', 'Stopped; nothing was written.');
}

function faultOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    return safe(`${error.message} ${error.remedy}`);
  }
}

function safe(words: string): string {
  return words.split('\n').map(toTerminalText).join('\n');
}
